//! Regions are given back.

use std::alloc::System;

use super::heaps::{HeapId, NO_HEAP, Named};
use super::names::OriginId;
use super::region::Region;
use super::memo::Released;
use super::pending::{Gone, Holder};
use super::ticket::Ticket;
use super::waiting::{Aside, Waiting};
use super::{Caller, Ledger};
use crate::FaultKind;
use crate::live::copies;
use crate::live::memory::{Few, Full};
use crate::live::process::thread::Open;
use crate::live::spans::Spans;
use crate::tool::{Handle, ToolRegion};

/// A region that a release took out of the books, while the releasing function's body runs.
#[derive(Debug)]
pub(crate) struct Taken {
    heap: HeapId,
    start: usize,
    region: Region,
    open: u64,
    since: Ticket,
    /// It had not been booked yet.
    waiting: Option<Aside>,
}

/// What one call took.
#[derive(Debug)]
pub(crate) struct TakenList(Few<Taken>);

impl TakenList {
    pub(crate) const fn new() -> Self {
        Self(Few::new())
    }

    pub(super) fn add_one(&mut self, heap: HeapId, start: usize, region: Region, open: u64) {
        // There is always room for one.
        let _ = self.0.add(Taken { heap, start, region, open, since: Ticket::now(), waiting: None });
    }

    /// The bodies of the functions that gave them back have ended.
    pub(crate) fn close(&self) {
        self.0.iter().for_each(|taken| Open::close(taken.open));
    }
}

/// Where a region is that was named by its start.
pub(super) enum Found {
    /// It is live, in this heap.
    Live(HeapId, Region),
    /// It waits for its heap, and is taken out of the list of those that do.
    Waiting(Waiting),
    /// It is not known; this is the heap where it should be, if that is known.
    Unknown(HeapId),
    /// A fault was reported.
    Faulty,
}

impl Ledger {
    /// Regions are about to be given back. `size` of zero: the regions were of zero size, and never reported.
    pub(crate) fn release(&mut self, caller: &Caller, spans: &Spans, size: Option<usize>, taken: &mut TakenList) {
        if size == Some(0) {
            return;
        }
        if spans.is_lost() {
            self.fault(FaultKind::OutOfMemory, caller, 0, 0, None, None);
        }
        let Ok(by) = self.origins.number(caller.origin) else {
            return self.out_of_memory(0);
        };
        let mut told = None;
        for span in spans.iter().filter(|span| span.start != 0 && span.size != Some(0)) {
            let start = span.start;
            let (heap, region) = match self.find_live(caller, start) {
                Found::Live(heap, region) => (heap, region),
                Found::Waiting(waiting) => {
                    let (region, since) = (Region::default(), Ticket::now());
                    let waiting = Aside::try_new_in(waiting, System).ok();
                    // Without memory for it, a refused release leaves the region out of the books.
                    let _ = taken.0.add(Taken { heap: NO_HEAP, start, region, open: 0, since, waiting });
                    continue;
                }
                Found::Unknown(heap) => {
                    self.unknown(caller, heap, start, FaultKind::UnknownRelease);
                    continue;
                }
                Found::Faulty => continue,
            };
            if self.is_under_heap(caller, heap, start, &region) {
                continue;
            }
            let domain = self.region_domain(heap, &region);
            if let Some((heap, domain)) = told.filter(|&of| of != (heap, domain)) {
                self.tell_unregistered(heap, domain);
            }
            told = Some((heap, domain));
            if let Err(Full) = self.pending.reserve(1) {
                self.fault(FaultKind::OutOfMemory, caller, start, region.size, None, None);
                continue;
            }
            self.remove(heap, start);
            // Of what others released there, nothing is left at the tool either.
            self.hurry(start, start + region.size, self.holder(heap));
            self.note(heap, start, &region);
            self.remember_release(heap, start, by);
            // Without memory for it, a refused release leaves the region out of the books.
            let since = Ticket::now();
            let _ = taken.0.add(Taken { heap, start, region, open: 0, since, waiting: None });
        }
        if let Some((heap, domain)) = told {
            self.tell_unregistered(heap, domain);
        }
        // Only now: the same region twice in one list is a fault.
        for taken in taken.0.iter_mut().filter(|taken| taken.waiting.is_none()) {
            taken.open = Open::push(taken.heap, taken.start, taken.start + taken.region.size);
        }
    }

    /// The body of a release gave nothing back, and the regions are live as before.
    pub(crate) fn refused(&mut self, taken: &TakenList) {
        taken.close();
        for taken in taken.0.iter() {
            if let Some(waiting) = &taken.waiting {
                self.wait_again(waiting);
            } else {
                self.put_back(taken.heap, taken.start, taken.region, taken.since);
                let domain = self.region_domain(taken.heap, &taken.region);
                self.tell_registered(taken.heap, domain);
                // It can be released again, and that is no second time.
                self.forget_release(taken.heap, taken.start);
            }
        }
    }

    pub(super) fn remember_release(&mut self, heap: HeapId, start: usize, by: OriginId) {
        // Without memory for it, a second release is one of an unknown region.
        let _ = self.regions_mut(heap).map(|regions| regions.released.push(Released { start, by }));
    }

    fn forget_release(&mut self, heap: HeapId, start: usize) {
        let Some(regions) = self.regions_mut(heap) else { return };
        if let Some(slot) = regions.released.find_mut(|released| released.start == start) {
            // No region ends at the last address, so none starts there.
            slot.start = usize::MAX;
        }
    }

    /// Who has released what started at `start` lately: in this heap, one around it, or one that has ended.
    pub(super) fn released_by(&self, heap: HeapId, start: usize) -> Option<OriginId> {
        let heaps = [heap].into_iter().chain(self.heaps.around(start)).chain([NO_HEAP]);
        let rings = heaps.filter_map(|id| self.regions(id)).map(|regions| &regions.released);
        let found = rings.chain([&self.released]).find_map(|ring| ring.find(|released| released.start == start));
        found.map(|released| released.by)
    }

    /// Who released the region that started there last.
    pub(crate) fn last_release(&self, start: usize) -> Option<crate::Origin> {
        self.released_by(NO_HEAP, start).map(|by| self.origins.get(by))
    }

    /// A release of a region that another copy of this library may have registered: the tool knows better.
    fn pass_on(&mut self, caller: &Caller, start: usize) {
        let Ok(domain) = self.domain_of(caller) else { return self.out_of_memory(start) };
        let region = ToolRegion { start, size: 0, device: 0, origin: caller.origin, handle: Handle::NONE };
        let gone = Gone { wire: self.domains.wire(domain), carrier: NO_HEAP, region, holder: Holder::Nobody };
        if self.wired {
            self.hold_gone(gone);
        }
    }

    /// Whether a heap lies on the region, which then cannot be released.
    pub(super) fn is_under_heap(&mut self, caller: &Caller, heap: HeapId, start: usize, region: &Region) -> bool {
        if region.is_covered() {
            let inner = self.heaps.on(heap, start, start + region.size).next();
            let other = inner.and_then(|id| self.heaps.get(id)).map(|inner| inner.origin);
            self.fault(FaultKind::ReleasedUnderHeap, caller, start, region.size, Some(heap), other);
        }
        region.is_covered()
    }

    /// The live region that starts at `start`, in the heap that the caller names, or else in the innermost where one does.
    pub(super) fn find_live(&mut self, caller: &Caller, start: usize) -> Found {
        let Some(key) = caller.heap else {
            let around = self.heaps.around(start).filter(|&id| self.is_of(id, caller.domain)).chain([NO_HEAP]);
            let found = around.filter_map(|id| Some((id, *self.region(id, start)?)));
            let found = found.filter(|(id, region)| {
                caller.domain.is_none_or(|domain| domain == self.region_domain(*id, region))
            });
            let first = { found }.next();
            return match first {
                Some((id, region)) => Found::Live(id, region),
                None => self.missing(start, self.heaps.innermost(start).unwrap_or(NO_HEAP)),
            };
        };
        let live = |id: HeapId| self.region(id, start).map(|&region| Found::Live(id, region));
        let (found, named) = match self.heaps.named(key, caller.domain) {
            Named::Exactly(Some(id)) => (live(id), Some(id)),
            Named::Starting(starting) => {
                (starting.inwards_out().find_map(live), starting.inwards_out().next())
            }
            Named::Exactly(None) | Named::Ambiguous(_) => (None, None),
        };
        if let Some(found) = found {
            return found;
        }
        if let Some(id) = named {
            if self.is_excused(start, id) {
                return Found::Unknown(id);
            }
            // Not there. If it is live anywhere else, it was given to the wrong heap.
            if let Some((id, region)) = self.find_anywhere(start) {
                self.fault(FaultKind::WrongHeap, caller, start, region.size, Some(id), Some(region.origin));
                return Found::Faulty;
            }
            return self.missing(start, id);
        }
        // The heap is ending, or was reported to be wrong before, or the region waits for it.
        if self.is_excused(start, NO_HEAP) {
            return Found::Unknown(NO_HEAP);
        }
        if let Some(waiting) = self.leave_waiting(start) {
            return Found::Waiting(waiting);
        }
        // Says that there is no such heap, or several.
        self.named(caller, key);
        Found::Faulty
    }

    /// A region that is not booked: it may wait for its heap.
    fn missing(&mut self, start: usize, heap: HeapId) -> Found {
        self.leave_waiting(start).map_or(Found::Unknown(heap), Found::Waiting)
    }

    /// Whether the release of a region that is not known has a reason that is no mistake: an annotated function has called another one
    /// for the same region, the region was a fault already, or its heap is being reset or is ending.
    fn is_excused(&self, start: usize, heap: HeapId) -> bool {
        let calling = |other| other == heap || self.heaps.get(other).is_none();
        let resetting = self.heaps.get(heap).is_some_and(|heap| heap.resetting > 0);
        let ending = || self.ended.find(|ended| ended.ending && ended.contains(start)).is_some();
        Open::covers_in(start, calling) || self.is_refused(start) || resetting || ending()
    }

    /// A live region that starts at `start` and that no heap lies on, in the innermost heap that has one.
    fn find_anywhere(&self, start: usize) -> Option<(HeapId, Region)> {
        let mut live = self.heaps.around(start).chain([NO_HEAP]).filter_map(|id| Some((id, *self.region(id, start)?)));
        live.find(|(_, region)| !region.is_covered())
    }

    /// A release or resize of a region that is not known: a fault, unless it has a reason.
    pub(super) fn unknown(&mut self, caller: &Caller, heap: HeapId, start: usize, kind: FaultKind) {
        if self.is_excused(start, heap) {
            // What is pending there goes at once: the region went with its heap's reset or end.
            return self.hurry(start, start.saturating_add(1), Holder::Nobody);
        }
        // Where no heap was named, the one around it says most.
        let named = Some(heap).filter(|&id| id != NO_HEAP).or_else(|| self.heaps.innermost(start));
        if let Some(by) = self.released_by(heap, start) {
            return self.fault(FaultKind::ReleasedTwice, caller, start, 0, named, Some(by));
        }
        if kind == FaultKind::UnknownRelease && copies::strangers() {
            return self.pass_on(caller, start);
        }
        let around = self.regions(heap).and_then(|regions| regions.containing(start, start.saturating_add(1)));
        if let Some((at, region)) = around {
            // It starts there, but is of another domain than the one that was given.
            let kind = if at == start { FaultKind::WrongHeap } else { FaultKind::InteriorRelease };
            return self.fault(kind, caller, start, 0, named, Some(region.origin));
        }
        if !self.late {
            self.fault(kind, caller, start, 0, named, None);
        }
    }
}
