//! Regions that come before their heap: another thread has obtained its memory, and the report of that is on its way.
//!
//! While any function is under way that obtains memory for a heap, a region that fits nowhere is live, but neither sent nor
//! judged. When a heap is reported, those inside of it are registered; when the last such function is through, the rest is
//! judged.

use std::alloc::System;

use allocator_api2::boxed::Box;

use super::heaps::HeapId;
use super::{Caller, Ledger};
use crate::live::memory::Grow;
use crate::live::process::thread::Stamp;

/// A region that waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    caller: Caller,
    start: usize,
    end: usize,
    device: Option<u32>,
    /// When it was reported, by which it is known again.
    stamp: Stamp,
    /// How many resizes that are under way hold it.
    held: u8,
}

/// One that is set aside; out of the way, since that is rare.
pub(super) type Aside = Box<Waiting, System>;

/// What a region keeps of its report: when that was, and how many resizes hold it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) stamp: Stamp,
    pub(super) held: u8,
}

impl Mark {
    /// Reported just now.
    pub(super) fn new() -> Self {
        Self { stamp: Stamp::next(), held: 0 }
    }
}

impl Waiting {
    /// One more resize holds it.
    pub(super) const fn hold(self) -> Self {
        Self { held: self.held.saturating_add(1), ..self }
    }

    /// One resize less holds it.
    pub(super) fn lift(&mut self) {
        self.held = self.held.saturating_sub(1);
    }

    pub(super) const fn size(&self) -> usize {
        self.end - self.start
    }

    pub(super) const fn stamp(&self) -> Stamp {
        self.stamp
    }
}

impl Ledger {
    /// A function begins that obtains memory for a heap.
    pub(crate) fn starts(&mut self) {
        self.starting += 1;
    }

    /// It is through. What still waits after the last one is judged.
    pub(crate) fn started(&mut self) {
        self.starting = self.starting.saturating_sub(1);
        if self.starting == 0 {
            self.stop_waiting(|_| true);
        }
    }

    /// Lets a region wait, if there is anything to wait for.
    pub(super) fn wait(&mut self, caller: &Caller, start: usize, end: usize, device: Option<u32>, mark: Mark) -> bool {
        let Mark { stamp, held } = mark;
        self.starting > 0 && self.waiting.add(Waiting { caller: *caller, start, end, device, stamp, held }).is_ok()
    }

    /// A heap was reported, or has grown: what waits and lies inside of it is registered.
    pub(super) fn admit(&mut self, id: HeapId) {
        let Some((start, end)) = self.heap(id).map(|heap| (heap.start, heap.end)) else { return };
        self.stop_waiting(|waiting| start <= waiting.start && waiting.end <= end);
    }

    fn stop_waiting(&mut self, which: impl Fn(&Waiting) -> bool) {
        let mut at = 0;
        // Those that wait again, for another heap, are added at the end.
        let mut left = self.waiting.len();
        while left > 0 {
            left -= 1;
            if which(&self.waiting[at]) {
                let waiting = self.waiting.remove(at);
                self.arrive(&waiting);
            } else {
                at += 1;
            }
        }
    }

    /// A region has waited long enough. Whoever reports the heap, it is not in that thread's batch.
    fn arrive(&mut self, waiting: &Waiting) {
        let &Waiting { caller, start, end, device, stamp, held } = waiting;
        self.at_once(|ledger| ledger.enter_region(&caller, start, end, device, Mark { stamp, held }));
    }

    /// A region that waits is given back; all reports of it.
    pub(super) fn leave_waiting(&mut self, start: usize) -> Option<Waiting> {
        let mut left = None;
        while let Some(place) = self.waiting.iter().position(|waiting| waiting.start == start) {
            left = Some(self.waiting.remove(place));
        }
        left
    }

    /// The region that waits and was reported just then.
    pub(super) fn waiting_mut(&mut self, stamp: Stamp) -> Option<&mut Waiting> {
        self.waiting.iter_mut().find(|waiting| waiting.stamp == stamp)
    }

    /// Takes it out of the list. Whether it was there.
    pub(super) fn stop_one_waiting(&mut self, stamp: Stamp) -> bool {
        let place = self.waiting.iter().position(|waiting| waiting.stamp == stamp);
        place.map(|place| self.waiting.remove(place)).is_some()
    }

    /// It was not given back after all. Its heap may have been reported meanwhile.
    pub(super) fn wait_again(&mut self, waiting: &Waiting) {
        self.arrive(waiting);
    }
}
