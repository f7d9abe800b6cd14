//! A region changes its size or its place.
//!
//! While the body runs the old region is *held*: live, and still known to the tool. If anything else is reported where it
//! was, it has moved.

use super::heaps::{HeapId, NO_HEAP};
use super::region::Region;
use super::release::Found;
use super::{Caller, Ledger};
use crate::{FaultKind, HeapKey};
use crate::live::process::thread::{Open, Stamp};
use crate::live::spans::Spans;

/// The region that a call resizes, while its body runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    heap: HeapId,
    start: usize,
    size: usize,
    stamp: Stamp,
    open: u64,
    /// It had not been booked yet.
    waiting: bool,
}

impl Ledger {
    /// A resize begins. `None` where there is no old region: it was null, or not known.
    pub(crate) fn hold(&mut self, caller: &Caller, spans: &Spans) -> Option<Hold> {
        let start = spans.iter().next().map(|span| span.start).filter(|&start| start != 0)?;
        let (heap, region) = match self.find_live(caller, start) {
            Found::Live(heap, region) => (heap, region),
            Found::Waiting(waiting) => {
                // It is live, and its heap may come meanwhile: it goes on waiting, until it has moved.
                self.wait_again(&waiting.hold());
                return Some(Hold { heap: NO_HEAP, start, size: waiting.size(), stamp: waiting.stamp(), open: 0, waiting: true });
            }
            Found::Unknown(heap) => {
                self.unknown(caller, heap, start, FaultKind::UnknownResize);
                return None;
            }
            Found::Faulty => return None,
        };
        if self.is_under_heap(caller, heap, start, &region) {
            return None;
        }
        let held = self.region_mut(heap, start)?;
        held.held = held.held.saturating_add(1);
        let open = Open::push(heap, start, start + region.size);
        Some(Hold { heap, start, size: region.size, stamp: region.stamp, open, waiting: false })
    }

    /// The held region, if nothing has ended it.
    fn held(&self, hold: &Hold) -> Option<Region> {
        let region = self.region(hold.heap, hold.start).copied().filter(|_| !hold.waiting);
        region.filter(|region| region.stamp == hold.stamp)
    }

    /// The resize was refused, or panicked: the old region is live as before.
    pub(crate) fn lift(&mut self, hold: &Hold) {
        Open::close(hold.open);
        if hold.waiting {
            return self.lift_late(hold);
        }
        let region = self.region_mut(hold.heap, hold.start);
        if let Some(region) = region.filter(|region| region.stamp == hold.stamp) {
            region.held = region.held.saturating_sub(1);
        }
    }

    /// The resize has ended; `to` is where the region is now, none where it was refused.
    pub(crate) fn moved(&mut self, caller: &Caller, hold: Option<&Hold>, to: &Spans, size: Option<usize>) {
        let mut place = Spans::new();
        let to = match hold {
            Some(hold) if to.is_same_place() => {
                place.push(hold.start, None);
                &place
            }
            _ => to,
        };
        let first = to.iter().next().map(|span| (span.start, size.or(span.size).unwrap_or(0)));
        let Some((start, bytes)) = first.filter(|&(start, bytes)| start != 0 && bytes != 0) else {
            if let Some(hold) = hold {
                self.lift(hold);
            }
            return;
        };
        if let Some(hold) = hold {
            if let Some(old) = self.held(hold) {
                if (start, bytes) == (hold.start, old.size) || self.is_under_heap(caller, hold.heap, hold.start, &old) {
                    return self.lift(hold);
                }
                self.leave(caller, hold, &old);
            } else {
                // Something else is there already; nothing is left of what others released there either.
                self.hurry(hold.start, hold.start + hold.size, self.holder(hold.heap));
            }
            Open::close(hold.open);
            if hold.waiting && !self.leave_late(caller, hold, bytes, start) {
                return;
            }
        }
        // It stays in its heap, whatever else starts where that does by now.
        let stays = hold.filter(|hold| !hold.waiting && hold.heap != NO_HEAP);
        let heap = caller.heap.map(|key| stays.map_or(key, |hold| HeapKey { id: hold.heap, ..key }));
        self.register(&Caller { heap, ..*caller }, to, size, None, false);
    }

    /// A region that waited for its heap has been resized. Whether there is anything left to register.
    fn leave_late(&mut self, caller: &Caller, hold: &Hold, bytes: usize, start: usize) -> bool {
        if self.stop_one_waiting(hold.stamp) {
            return true;
        }
        let Some((heap, old)) = self.admitted(hold) else { return true };
        if (start, bytes) == (hold.start, old.size) || self.is_under_heap(caller, heap, hold.start, &old) {
            self.lift_late(hold);
            return false;
        }
        self.leave(caller, &Hold { heap, ..*hold }, &old);
        true
    }

    /// A region that waited for its heap was not resized after all.
    fn lift_late(&mut self, hold: &Hold) {
        if let Some(waiting) = self.waiting_mut(hold.stamp) {
            return waiting.lift();
        }
        let region = self.admitted(hold).and_then(|(heap, _)| self.region_mut(heap, hold.start));
        if let Some(region) = region {
            region.held = region.held.saturating_sub(1);
        }
    }

    /// The region that waited, if its heap has come meanwhile and nothing has ended it since.
    fn admitted(&self, hold: &Hold) -> Option<(HeapId, Region)> {
        let mut around = self.heaps.around(hold.start).chain([NO_HEAP]);
        around.find_map(|id| Some((id, *self.region(id, hold.start)?)).filter(|(_, region)| region.stamp == hold.stamp))
    }

    /// The old region of a resize goes.
    fn leave(&mut self, caller: &Caller, hold: &Hold, old: &Region) {
        if self.pending.reserve(1).is_err() {
            return self.fault(FaultKind::OutOfMemory, caller, hold.start, old.size, None, None);
        }
        self.remove(hold.heap, hold.start);
        self.hurry(hold.start, hold.start + old.size, self.holder(hold.heap));
        self.tell_gone(hold.heap, hold.start, old);
        if let Ok(by) = self.origins.number(caller.origin) {
            self.remember_release(hold.heap, hold.start, by);
        }
    }
}
