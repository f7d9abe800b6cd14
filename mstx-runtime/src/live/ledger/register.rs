//! Regions become live.

use super::heaps::{HeapId, NO_HEAP, Named, Region, Sent};
use super::names::{DomainId, OriginId};
use super::{Caller, Ledger};
use crate::FaultKind;
use crate::live::memory::Full;
use crate::live::process::thread::Stamp;
use crate::live::spans::Spans;

/// What is wrong with a region, and whose fault it contradicts.
struct Wrong {
    kind: FaultKind,
    heap: Option<HeapId>,
    other: Option<OriginId>,
}

/// How a region was found to stand to those that are live.
enum Standing {
    /// Nothing is in its way any more.
    Free,
    /// The very same region is live, and keeps its place at the tool.
    Same,
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
        let Ok(origin) = self.origins.number(caller.origin) else { return self.out_of_memory(0) };
        if spans.is_lost() {
            self.fault(FaultKind::OutOfMemory, caller, 0, 0, None, None);
        }
        let mut group = None;
        for span in spans.iter() {
            let Some((start, end)) = self.extent(caller, span.start, size.or(span.size), plain) else { continue };
            let Some((heap, domain)) = self.heap_for(caller, start, end) else {
                self.refuse(start);
                continue;
            };
            if group.is_some_and(|of| of != (heap, domain)) {
                self.tell_group(group);
            }
            group = Some((heap, domain));
            let region = Region { size: end - start, origin, stamp: Stamp::next(), ..Region::default() };
            if self.book(caller, heap, domain, device, start, region).is_err() {
                self.fault(FaultKind::OutOfMemory, caller, start, end - start, None, None);
            }
        }
        self.tell_group(group);
    }

    fn tell_group(&mut self, group: Option<(HeapId, DomainId)>) {
        if let Some((heap, domain)) = group {
            self.tell_registered(heap, domain);
        }
    }

    /// Where a region begins and ends; `None` where there is nothing to report.
    fn extent(&mut self, caller: &Caller, start: usize, size: Option<usize>, plain: bool) -> Option<(usize, usize)> {
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

    /// The heap that a region belongs to, and its domain. `None` after a fault.
    fn heap_for(&mut self, caller: &Caller, start: usize, end: usize) -> Option<(HeapId, DomainId)> {
        let heap = match caller.heap {
            None => self.heaps.around(start).find(|&id| self.is_of(id, caller.domain)),
            Some(key) => {
                // Of several heaps that start there, the innermost that the region fits into: an outer pool hands nothing out
                // where an inner heap lies.
                let fitting = match self.heaps.named(key, caller.domain) {
                    Named::Starting(starting) => {
                        starting.inwards_out().find(|&id| self.heaps.get(id).is_some_and(|heap| heap.contains(start, end)))
                    }
                    _ => None,
                };
                match fitting.or_else(|| self.named(caller, key)) {
                    // The heap may have been registered before these books began.
                    None if self.late => None,
                    named => Some(named?),
                }
            }
        };
        let Some(id) = heap else { return self.no_heap(caller, start, end) };
        let heap = self.heaps.get(id)?;
        let (domain, origin) = (heap.domain, heap.origin);
        if heap.contains(start, end) {
            return Some((id, domain));
        }
        self.fault(FaultKind::RegionOutsideHeap, caller, start, end - start, Some(id), Some(origin));
        None
    }

    /// Whether a heap is of the domain that a caller gives, if it gives one.
    pub(super) fn is_of(&self, id: HeapId, domain: Option<DomainId>) -> bool {
        domain.is_none_or(|domain| self.heaps.get(id).is_some_and(|heap| heap.domain == domain))
    }

    /// A region that no heap contains: fine where its domain has no live heap.
    fn no_heap(&mut self, caller: &Caller, start: usize, end: usize) -> Option<(HeapId, DomainId)> {
        let Ok(domain) = self.domain_of(caller) else {
            self.fault(FaultKind::OutOfMemory, caller, start, end - start, None, None);
            return None;
        };
        let straddles = self.heaps.first_in(start, end).or_else(|| self.heaps.innermost(start));
        let elsewhere = || self.heaps.all().find(|&id| self.is_of(id, Some(domain)));
        let outside = straddles.or_else(|| if self.domains.get(domain).heaps > 0 { elsewhere() } else { None });
        if let Some(id) = outside {
            let other = self.heaps.get(id).map(|heap| heap.origin);
            self.fault(FaultKind::RegionOutsideHeap, caller, start, end - start, Some(id), other);
            return None;
        }
        Some((NO_HEAP, domain))
    }

    /// Enters one region into the books.
    fn book(
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
            Standing::Refused(wrong) => {
                self.fault(wrong.kind, caller, start, region.size, wrong.heap, wrong.other);
                self.refuse(start);
                return Ok(());
            }
        }
        let Some(regions) = self.regions_mut(heap) else { return Ok(()) };
        regions.tree.insert(start, region)?;
        if self.refused.total() > 0 {
            self.is_refused(start);
        }
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
            let inside_own_body = old.stamp.is_since(caller.entry);
            // Heaps that lie on the old one go on lying on the new one, if that has room for them.
            let fits = !old.covered || (start <= at && at + old.size <= end);
            if equal && inside_own_body {
                return Standing::Same;
            }
            let wrong = Wrong { kind: FaultKind::RegionOverlap, heap: Some(heap), other: Some(old.origin) };
            if inside_own_body && fits {
                // The outer function knows better than the inner one that it called.
                self.displace(heap, at, start);
            } else if old.held > 0 && !old.covered {
                // It is being resized, and something else is there already: it has moved.
                self.displace(heap, at, start);
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

    /// Books a region again that a refused release took out, if nothing has taken its place.
    pub(crate) fn put_back(&mut self, heap: HeapId, start: usize, region: Region) {
        let end = start + region.size;
        let Some(regions) = self.regions_mut(heap) else { return };
        if regions.overlapping(start, end).is_some() {
            return;
        }
        let region = Region { sent: Sent::No, held: 0, covered: false, ..region };
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

    /// Whether the region at `start` was not booked; asks once.
    pub(crate) fn is_refused(&mut self, start: usize) -> bool {
        // No region ends at the last address, so none starts there.
        self.refused.find_mut(|&refused| refused == start).map(|slot| *slot = usize::MAX).is_some()
    }
}
