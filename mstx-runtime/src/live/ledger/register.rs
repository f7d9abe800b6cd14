//! Regions become live.

use super::heaps::{Heap, HeapId, NO_HEAP, Named};
use super::region::Region;
use super::names::{DomainId, OriginId};
use super::ticket::{EndedHeap, Ticket};
use super::waiting::Mark;
use super::{Caller, Ledger};
use crate::FaultKind;
use crate::live::memory::Full;
use crate::live::spans::Spans;

/// What is wrong with a region, and what it contradicts.
struct Wrong {
    kind: FaultKind,
    heap: Option<HeapId>,
    other: Option<OriginId>,
    address: usize,
    size: usize,
}

/// Where a region belongs.
enum Place {
    /// In this heap, or in none.
    In(HeapId, DomainId),
    /// Its heap has ended since it was allocated.
    Ended,
    /// Nowhere.
    Wrong(Option<Wrong>),
}

/// How a region was found to stand to those that are live.
enum Standing {
    /// Nothing is in its way any more.
    Free,
    /// The very same region is live, and keeps its place at the tool.
    Same,
    /// One of the two is about memory that is no longer its own: the new one.
    Stale,
    /// It is refused, unless there is a heap to wait for.
    Waits(Wrong),
    Refused(Wrong),
}

impl Ledger {
    /// Regions were handed out. `size` is what the attribute says, for all of them; `plain` is true where the program's author
    /// wrote the call, so that a null address or a size of zero is a mistake and not a refusal.
    pub(crate) fn register(
        &mut self,
        caller: &Caller,
        spans: &Spans,
        size: Option<usize>,
        device: Option<u32>,
        plain: bool,
    ) {
        if spans.is_lost() {
            self.fault(FaultKind::OutOfMemory, caller, 0, 0, None, None);
        }
        let mut group = None;
        for span in spans.iter() {
            let Some((start, end)) = self.extent(caller, span.start, size.or(span.size), plain) else { continue };
            let mark = Mark::new();
            let Some(heap) = self.place(caller, start, end, device, mark) else { continue };
            if group.is_some_and(|of| of != heap) {
                self.tell_group(group);
            }
            group = Some(heap);
            self.book_at(caller, heap, start, end, device, mark);
        }
        self.tell_group(group);
    }

    /// One region, which had to wait.
    pub(super) fn enter_region(&mut self, caller: &Caller, start: usize, end: usize, device: Option<u32>, mark: Mark) {
        if let Some(heap) = self.place(caller, start, end, device, mark) {
            self.book_at(caller, heap, start, end, device, mark);
            self.tell_group(Some(heap));
        }
    }

    /// The heap that a region is to be booked in, and its domain. `None` where it is not to be booked, or not yet.
    fn place(
        &mut self,
        caller: &Caller,
        start: usize,
        end: usize,
        device: Option<u32>,
        mark: Mark,
    ) -> Option<(HeapId, DomainId)> {
        let found = self.heap_for(caller, start, end);
        match found {
            Place::In(heap, domain) if heap != NO_HEAP || self.starting == 0 => return Some((heap, domain)),
            // Also where a heap has ended: it may be of one that began there afterwards.
            _ if self.wait(caller, start, end, device, mark) => {}
            // Its heap has ended since it was allocated, and took it along.
            Place::Ended => {}
            Place::In(heap, domain) => return Some((heap, domain)),
            Place::Wrong(wrong) => {
                if let Some(Wrong { kind, heap, other, address, size }) = wrong {
                    self.fault(kind, caller, address, size, heap, other);
                }
                self.refuse(start);
            }
        }
        None
    }

    fn book_at(
        &mut self,
        caller: &Caller,
        (heap, domain): (HeapId, DomainId),
        start: usize,
        end: usize,
        device: Option<u32>,
        mark: Mark,
    ) {
        let Ok(origin) = self.origins.number(caller.origin) else { return self.out_of_memory(start) };
        let ticket = caller.entry.ticket;
        let doubtful = self.heap(heap).is_some_and(|heap| heap.resetting > 0 || heap.changed > ticket);
        let region = Region::new(end - start, origin, mark.stamp).held(mark.held).doubted(doubtful);
        if self.book(caller, heap, domain, device, start, region).is_err() {
            self.fault(FaultKind::OutOfMemory, caller, start, end - start, None, None);
        }
    }

    fn tell_group(&mut self, group: Option<(HeapId, DomainId)>) {
        if let Some((heap, domain)) = group {
            self.tell_registered(heap, domain);
        }
    }

    /// Where a region begins and ends; `None` where there is nothing to report.
    pub(super) fn extent(&mut self, caller: &Caller, start: usize, size: Option<usize>, plain: bool) -> Option<(usize, usize)> {
        let wrong = match (start, size) {
            (_, None) => Some(FaultKind::NoSize),
            (0, _) => plain.then_some(FaultKind::NullAddress),
            (_, Some(0)) => plain.then_some(FaultKind::NoSize),
            (_, Some(size)) => match start.checked_add(size) {
                Some(end) => return Some((start, end)),
                None => Some(FaultKind::Wraps),
            },
        };
        if let Some(kind) = wrong {
            self.fault(kind, caller, start, size.unwrap_or(0), None, None);
            self.refuse(start);
        }
        None
    }

    /// The heap that a region belongs to.
    fn heap_for(&mut self, caller: &Caller, start: usize, end: usize) -> Place {
        let found = match caller.heap {
            None => self.heaps.around(start).find(|&id| self.is_of(id, caller.domain)),
            Some(key) => match self.heaps.named(key, caller.domain) {
                // Of several heaps that start there, the innermost that the region fits into: an outer pool hands nothing out
                // where an inner heap lies.
                Named::Starting(starting) => {
                    let fits = |id: &HeapId| self.heaps.get(*id).is_some_and(|heap| heap.contains(start, end));
                    starting.inwards_out().find(fits).or_else(|| starting.inwards_out().next())
                }
                Named::Exactly(found) => found,
                Named::Ambiguous(first) => return Self::wrong(FaultKind::AmbiguousHeap, key.address, 0, Some(first), None),
            },
        };
        if self.has_ended_under(caller, start, found) {
            return Place::Ended;
        }
        match (found.and_then(|id| Some((id, self.heaps.get(id)?))), caller.heap) {
            (Some((id, heap)), _) if heap.contains(start, end) => Place::In(id, heap.domain),
            // It was larger then, or another.
            (Some((_, heap)), _) if heap.resetting > 0 || heap.changed > caller.entry.ticket => Place::Wrong(None),
            (Some((id, heap)), _) => {
                Self::wrong(FaultKind::RegionOutsideHeap, start, end - start, Some(id), Some(heap.origin))
            }
            // Where events went by before these books began, the heap may be one of them.
            (None, Some(key)) if !self.late => Self::wrong(FaultKind::UnknownHeap, key.address, 0, None, None),
            (None, _) => self.no_heap(caller, start, end),
        }
    }

    fn wrong(kind: FaultKind, address: usize, size: usize, heap: Option<HeapId>, other: Option<OriginId>) -> Place {
        Place::Wrong(Some(Wrong { kind, heap, other, address, size }))
    }

    /// Whether the heap that a region was allocated from has ended since then. `found`: the live heap that is there now, or around it.
    fn has_ended_under(&self, caller: &Caller, start: usize, found: Option<HeapId>) -> bool {
        let ticket = caller.entry.ticket;
        let live = found.and_then(|id| self.heaps.get(id));
        let its = |ended: &EndedHeap| match caller.heap {
            // An outer heap may have the same start, and is meant where the region lies beyond the inner one.
            Some(key) => key.id == ended.id || (key.id == 0 && key.address == ended.start && ended.contains(start)),
            None => ended.contains(start),
        };
        let ended = self.ended.find(|ended| ended.is_since(ticket) && caller.domain.is_none_or(|domain| domain == ended.domain) && its(ended));
        // One that began there afterwards is another matter: the region may be of that one.
        ended.is_some_and(|ended| live.is_none_or(|heap| heap.began < ended.at))
    }

    /// Whether a heap is of the domain that a caller gives, if it gives one.
    pub(super) fn is_of(&self, id: HeapId, domain: Option<DomainId>) -> bool {
        domain.is_none_or(|domain| self.heaps.get(id).is_some_and(|heap| heap.domain == domain))
    }

    /// A region that no heap contains: fine where its domain has no live heap.
    fn no_heap(&mut self, caller: &Caller, start: usize, end: usize) -> Place {
        let Ok(domain) = self.domain_of(caller) else {
            return Self::wrong(FaultKind::OutOfMemory, start, end - start, None, None);
        };
        let straddles = self.heaps.first_in(start, end).or_else(|| self.heaps.innermost(start));
        let elsewhere = || self.heaps.all().find(|&id| self.is_of(id, Some(domain)));
        let outside = straddles.or_else(|| if self.domains.get(domain).heaps > 0 { elsewhere() } else { None });
        match outside {
            None => Place::In(NO_HEAP, domain),
            Some(id) => {
                let other = self.heaps.get(id).map(|heap| heap.origin);
                Self::wrong(FaultKind::RegionOutsideHeap, start, end - start, Some(id), other)
            }
        }
    }

    /// Enters one region into the books.
    pub(super) fn book(
        &mut self,
        caller: &Caller,
        heap: HeapId,
        domain: DomainId,
        device: Option<u32>,
        start: usize,
        mut region: Region,
    ) -> Result<(), Full> {
        if heap == NO_HEAP {
            region.kind = self.kind(domain, device.unwrap_or(0))?;
        }
        self.pending.reserve(2)?;
        match self.standing(caller, heap, start, &region) {
            Standing::Free => {}
            Standing::Same => {
                self.reattribute(heap, start, &region);
                return Ok(());
            }
            Standing::Stale => {
                self.refuse(start);
                return Ok(());
            }
            Standing::Waits(_) if self.wait(caller, start, start + region.size, device, Mark { stamp: region.stamp, held: region.held }) => return Ok(()),
            Standing::Waits(wrong) | Standing::Refused(wrong) => {
                self.fault(wrong.kind, caller, start, region.size, wrong.heap, wrong.other);
                self.refuse(start);
                return Ok(());
            }
        }
        let Some(regions) = self.regions_mut(heap) else { return Ok(()) };
        regions.tree.insert(start, region)?;
        self.forget_refused(start);
        self.note(heap, start, &region);
        self.queue(heap, start);
        self.cover_again(heap, start);
        Ok(())
    }

    /// A live region gets another origin. The injected tool is told nothing; to those in the process, the old one leaves and the
    /// new one comes.
    fn reattribute(&mut self, heap: HeapId, start: usize, new: &Region) {
        let Some(old) = self.region_mut(heap, start) else { return };
        let before = *old;
        (old.origin, old.stamp) = (new.origin, new.stamp);
        let after = *old;
        self.tell_gone(heap, start, &before);
        self.note(heap, start, &after);
    }

    /// Clears the way for a region, as far as it may.
    fn standing(&mut self, caller: &Caller, heap: HeapId, start: usize, new: &Region) -> Standing {
        let end = start + new.size;
        while let Some((at, old)) = self.regions(heap).and_then(|regions| regions.overlapping(start, end)) {
            let equal = at == start && old.size == new.size;
            let inside_own_body = old.stamp.is_since(caller.entry.stamp);
            // Heaps that lie on the old one go on lying on the new one, if that has room for them.
            let fits = !old.is_covered() || (start <= at && at + old.size <= end);
            if equal && inside_own_body {
                return Standing::Same;
            }
            let wrong = Wrong {
                kind: FaultKind::RegionOverlap,
                heap: Some(heap),
                other: Some(old.origin),
                address: start,
                size: new.size,
            };
            if inside_own_body && fits {
                // The outer function knows better than the inner one that it called.
                self.displace(heap, at, start);
            } else if old.is_doubtful() && fits {
                // It went with a reset while it was still being reported; or, if both are in doubt, nobody knows.
                if at != start {
                    self.refuse(at);
                }
                self.displace(heap, at, start);
            } else if new.is_doubtful() {
                return Standing::Stale;
            } else if old.held > 0 && !old.is_covered() {
                // It is being resized, and something else is there already: it has moved.
                self.displace(heap, at, start);
            } else if self.starting > 0 && (old.is_covered() || (at <= start && end <= at + old.size)) {
                // It may belong to a heap on that region, which is about to be reported.
                return Standing::Waits(wrong);
            } else if at == start && fits {
                // Its release was missed.
                let wrong = FaultKind::RegionRegisteredTwice;
                self.fault(wrong, caller, start, new.size, Some(heap), Some(old.origin));
                if equal {
                    return Standing::Same;
                }
                self.displace(heap, at, start);
            } else {
                return Standing::Refused(wrong);
            }
        }
        Standing::Free
    }

    /// Ends a region that a new one, at `new`, takes the place of.
    fn displace(&mut self, heap: HeapId, start: usize, new: usize) {
        let Some(old) = self.region(heap, start).copied() else { return };
        self.rehang(heap, start, old.size, new);
        if let Some(old) = self.remove(heap, start) {
            self.tell_gone(heap, start, &old);
        }
    }

    /// Books a region again that a refused release took out, if nothing else counts more by now. `since`: when it was taken out.
    pub(crate) fn put_back(&mut self, heap: HeapId, start: usize, region: Region, since: Ticket) {
        let end = start + region.size;
        let fits = match self.heap(heap) {
            Some(heap) => heap.contains(start, end),
            None => heap == NO_HEAP && self.heaps.innermost(start).is_none() && self.heaps.first_in(start, end).is_none(),
        };
        if !fits {
            return self.refuse(start);
        }
        // A reset that is under way, or was meanwhile, may have taken it along.
        let reset = |heap: &Heap| heap.resetting > 0 || heap.emptied > since;
        let doubtful = region.is_doubtful() || self.heap(heap).is_some_and(reset);
        while let Some((at, old)) = self.regions(heap).and_then(|regions| regions.overlapping(start, end)) {
            if !old.is_doubtful() || old.is_covered() {
                return self.refuse(start);
            }
            if at != start {
                self.refuse(at);
            }
            self.displace(heap, at, start);
        }
        let region = region.unsent().held(0).doubted(doubtful);
        let Some(regions) = self.regions_mut(heap) else { return };
        if regions.tree.insert(start, region).is_err() {
            return self.out_of_memory(start);
        }
        self.note(heap, start, &region);
        self.queue(heap, start);
    }

    /// Remembers that a region was not booked: its release will come, and is silent.
    pub(crate) fn refuse(&mut self, start: usize) {
        // Without memory for it, the release will be one more fault.
        let _ = self.refused.push(start);
    }

    /// Whether the region at `start` was not booked.
    pub(crate) fn is_refused(&self, start: usize) -> bool {
        self.refused.find(|&refused| refused == start).is_some()
    }

    /// Another region starts there now.
    fn forget_refused(&mut self, start: usize) {
        if self.refused.total() > 0 {
            while let Some(slot) = self.refused.find_mut(|&refused| refused == start) {
                // No region ends at the last address, so none starts there.
                *slot = usize::MAX;
            }
        }
    }
}
