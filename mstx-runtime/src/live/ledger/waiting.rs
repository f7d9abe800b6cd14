//! Regions that come before their heap: another thread has obtained its memory, and the report of that is on its way.
//!
//! While any function is under way that obtains memory for a heap, a region that fits nowhere is live, but neither sent nor
//! judged. When a heap is reported, those inside of it are registered; when the last such function is through, the rest is
//! judged.

use super::heaps::HeapId;
use super::{Caller, Ledger};
use crate::live::memory::Grow;

/// A region that waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    caller: Caller,
    start: usize,
    end: usize,
    device: Option<u32>,
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
    pub(super) fn wait(&mut self, caller: &Caller, start: usize, end: usize, device: Option<u32>) -> bool {
        self.starting > 0 && self.waiting.add(Waiting { caller: *caller, start, end, device }).is_ok()
    }

    /// A heap was reported, or has grown: what waits and lies inside of it is registered.
    pub(super) fn admit(&mut self, id: HeapId) {
        let Some((start, end)) = self.heap(id).map(|heap| (heap.start, heap.end)) else { return };
        self.stop_waiting(|waiting| start <= waiting.start && waiting.end <= end);
    }

    fn stop_waiting(&mut self, which: impl Fn(&Waiting) -> bool) {
        let mut at = 0;
        while let Some(&waiting) = self.waiting.get(at) {
            if !which(&waiting) {
                at += 1;
                continue;
            }
            self.waiting.remove(at);
            let Waiting { caller, start, end, device } = waiting;
            let before = self.waiting.len();
            self.enter_region(&caller, start, end, device);
            // It may have to wait again, for another heap: then it is the last one.
            if self.waiting.len() > before {
                self.waiting.rotate_right(1);
                at += 1;
            }
        }
    }

    /// A region that waits is given back. Whether there was one.
    pub(super) fn leave_waiting(&mut self, start: usize) -> bool {
        let place = self.waiting.iter().position(|waiting| waiting.start == start);
        place.map(|place| self.waiting.remove(place)).is_some()
    }
}
