//! Calls from outside of Rust: the interface allows some more than the attributes do, and clients that exist take some liberties.
//!
//! - The size of a heap is a *claim*: see `claim`.
//! - A heap may lie in free memory of another one. When the outer one ends, it stays.
//! - A region of no heap may lie anywhere. In a heap of its domain it is booked there, and *stray*: when that heap ends, it stays.
//! - The end of a heap ends its regions, too, and that is no fault.
//! - A heap is meant by its start alone, never by an address inside of it.

use super::heaps::{Heap, HeapId, NO_HEAP};
use super::names::{DomainId, OriginId};
use super::region::Region;
use super::release::TakenList;
use super::waiting::Mark;
use super::whole::Description;
use super::{Caller, Entry, Ledger};
use crate::live::spans::Spans;
use crate::tool::{Handle, Place};
use crate::{FaultKind, HeapKey};

/// Memory, as the interface describes it.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The device; also that of memory of the host.
    pub device: u32,
    /// The first address.
    pub start: usize,
    /// In bytes.
    pub size: usize,
}

impl Ledger {
    /// A heap begins. Nobody knows whether it is memory of the host.
    pub(crate) fn foreign_heap(&mut self, caller: &Caller, memory: Extent) {
        let Extent { device, start, size } = memory;
        let wrong = match (start, size, start.checked_add(size)) {
            (0, ..) => Err(FaultKind::NullAddress),
            (_, 0, _) => Err(FaultKind::NoSize),
            (.., None) => Err(FaultKind::Wraps),
            (.., Some(claim)) => Ok(claim),
        };
        let claim = match wrong {
            Ok(claim) => claim,
            Err(kind) => return self.fault(kind, caller, start, size, None, None),
        };
        let Ok(domain) = self.domain_of(caller) else { return self.out_of_memory(start) };
        let next = self.heaps.first_in(start + 1, claim).and_then(|id| self.heaps.get(id)).map(|next| next.start);
        if next.is_some() {
            self.note_claim(domain);
        }
        let end = next.unwrap_or(claim);
        let Some(ground) = self.claim(caller, domain, start, end) else { return };
        let description = Description { name: None, device, place: Place::Unsaid, deferral: None };
        let Some(id) = self.enter_heap(caller, domain, (start, end), description, ground) else { return };
        if let Some(heap) = self.heaps.get_mut(id) {
            heap.claim = claim;
        }
        if ground.on.is_none() {
            self.take_in(id);
        }
    }

    /// Regions of no heap that lie in a new heap of their domain are booked in that one.
    fn take_in(&mut self, id: HeapId) {
        let Some((start, end, domain)) = self.heaps.get(id).map(|heap| (heap.start, heap.end, heap.domain)) else { return };
        let mut at = start;
        while let Some((place, region)) = self.loose.overlapping(at, end).filter(|_| at < end) {
            at = place + region.size;
            let inside = start <= place && at <= end && self.region_domain(NO_HEAP, &region) == domain;
            if inside && !region.is_covered() {
                self.carry(NO_HEAP, id, place);
            }
        }
    }

    /// Regions that lie in a heap without being of it, and reach beyond `from`, are such of no heap again.
    pub(super) fn let_out(&mut self, id: HeapId, from: usize) {
        let mut at = from;
        while let Some((start, region)) = self.regions(id).and_then(|regions| regions.overlapping(at, usize::MAX)) {
            at = start.saturating_add(region.size);
            if region.is_stray() {
                if region.is_covered() {
                    self.step_off(id, start, region.size);
                }
                self.carry(id, NO_HEAP, start);
            }
        }
    }

    /// The heaps on a region lie in free memory of its heap from now on.
    fn step_off(&mut self, id: HeapId, start: usize, size: usize) {
        loop {
            let first = self.heaps.on(id, start, start + size).next();
            let Some(inner) = first.and_then(|inner| self.heaps.get_mut(inner)) else { break };
            inner.on = None;
        }
        self.cover(id, start);
    }

    /// Moves a region to another heap, or to none.
    fn carry(&mut self, from: HeapId, to: HeapId, start: usize) {
        let Some(region) = self.region(from, start).copied() else { return };
        self.remove(from, start);
        self.tell_gone(from, start, &region);
        let moved = region.strayed(to != NO_HEAP);
        let Some(regions) = self.regions_mut(to) else { return };
        // Something of the same heap may be there; then it is known under that.
        let free = regions.overlapping(start, start + region.size).is_none();
        if free && regions.tree.insert(start, moved).is_ok() {
            self.note(to, start, &moved);
            let domain = self.region_domain(to, &moved);
            self.tell_registered(to, domain);
        } else {
            self.refuse(start);
        }
    }

    /// A region begins. `handle`: by which it will be named, if not by its address.
    pub(crate) fn foreign_region(&mut self, caller: &Caller, memory: Extent, handle: usize) {
        // Each for itself: the same region twice in one call is a fault.
        let caller = &Caller { entry: Entry::now(), ..*caller };
        let Extent { device, start, size } = memory;
        let Some((start, end)) = self.extent(caller, start, Some(size), true) else { return };
        let Ok(domain) = self.domain_of(caller) else { return self.out_of_memory(start) };
        let Some(heap) = self.foreign_place(caller, domain, start, end) else { return self.refuse(start) };
        let (Ok(origin), Ok(kind)) = (self.origins.number(caller.origin), self.kind(domain, device)) else {
            return self.out_of_memory(start);
        };
        let mark = Mark::new();
        let mut region = Region::new(size, origin, mark.stamp).strayed(heap != NO_HEAP && !self.is_named(caller, heap));
        region.kind = kind;
        if self.book(caller, heap, domain, Some(device), start, region).is_err() {
            return self.fault(FaultKind::OutOfMemory, caller, start, size, None, None);
        }
        let domain = self.region_domain(heap, &region);
        self.tell_registered(heap, domain);
        if let Some(region) = self.region_mut(heap, start).filter(|region| region.stamp == mark.stamp) {
            region.handle = Handle(handle);
        }
    }

    /// Whether a region was said to be of a heap.
    fn is_named(&self, caller: &Caller, heap: HeapId) -> bool {
        caller.heap.is_some_and(|key| self.heaps.get(heap).is_some_and(|heap| heap.start == key.address))
    }

    /// The heap in which a region is to be booked; `None` after a fault.
    fn foreign_place(&mut self, caller: &Caller, domain: DomainId, start: usize, end: usize) -> Option<HeapId> {
        let contains = |id: &HeapId| self.heaps.get(*id).is_some_and(|heap| heap.contains(start, end));
        let around = self.heaps.around(start).filter(|&id| self.is_of(id, Some(domain))).find(contains);
        let Some(key) = caller.heap else { return Some(around.unwrap_or(NO_HEAP)) };
        let Some(named) = self.exactly(key.address, domain, contains) else {
            // One that was refused has had its fault.
            if !self.is_refused_heap(key.address) {
                self.fault(FaultKind::UnknownHeap, caller, key.address, 0, None, None);
                return None;
            }
            return Some(around.unwrap_or(NO_HEAP));
        };
        if contains(&named) {
            return Some(named);
        }
        let heap = self.heaps.get(named)?;
        let (origin, claimed) = (heap.origin, heap.start <= start && end <= heap.claim);
        if let Some(around) = around.filter(|_| claimed) {
            return Some(around);
        }
        if claimed && self.extend(named, end) {
            return Some(named);
        }
        self.fault(FaultKind::RegionOutsideHeap, caller, start, end - start, Some(named), Some(origin));
        None
    }

    /// The heap of a domain that starts at `address`: of several the innermost that is wanted, or else the innermost.
    fn exactly(&self, address: usize, domain: DomainId, wanted: impl Fn(&HeapId) -> bool) -> Option<HeapId> {
        let starting = || self.heaps.starting_at(address).rev().filter(|&id| self.is_of(id, Some(domain)));
        starting().find(wanted).or_else(|| starting().next())
    }

    fn is_refused_heap(&self, start: usize) -> bool {
        self.refused_heaps.find(|&refused| refused == start).is_some()
    }

    /// A region ends. `handle`: what it is named by, if not by its address; 0 if it is.
    pub(crate) fn foreign_region_ends(&mut self, caller: &Caller, start: usize, handle: usize) {
        let domain = caller.domain;
        let there = || self.heaps.around(start).filter(|&id| self.is_of(id, domain)).chain([NO_HEAP]);
        let live = || there().filter_map(|id| Some((id, *self.region(id, start)?)));
        let stale = handle != 0 && live().next().is_some() && live().all(|(_, region)| region.handle != Handle(handle));
        if stale {
            // Somebody else's by now. The handle's own region has ended, unless it was refused.
            if !self.is_refused(start) {
                let (heap, by) = live().next().map_or((NO_HEAP, None), |(id, _)| (id, self.released_by(id, start)));
                let heap = Some(heap).filter(|&heap| heap != NO_HEAP);
                self.fault(FaultKind::ReleasedTwice, caller, start, 0, heap, by);
            }
            return;
        }
        let mut spans = Spans::new();
        spans.push(start, None);
        let mut taken = TakenList::new();
        self.release(caller, &spans, None, &mut taken);
        // There is no body in which more could happen.
        taken.close();
    }

    /// A heap ends, and with it what is in it.
    pub(crate) fn foreign_heap_ends(&mut self, caller: &Caller) {
        let (Some(HeapKey { address, .. }), Ok(domain)) = (caller.heap, self.domain_of(caller)) else { return };
        let Some(id) = self.exactly(address, domain, |_| true) else {
            if !self.is_refused_heap(address) {
                self.fault(FaultKind::UnknownHeap, caller, address, 0, None, None);
            }
            return;
        };
        let Ok(by) = self.origins.number(caller.origin) else { return self.out_of_memory(address) };
        self.let_out(id, 0);
        self.leave_behind(id);
        self.end_inside_foreign(caller, id, by);
        self.end_regions(caller, id, by, false);
        self.end_heap(caller, id, by);
    }

    /// The heaps in the free memory of a heap lie in the one around it from now on.
    fn leave_behind(&mut self, id: HeapId) {
        let parent = self.heaps.get(id).map_or(NO_HEAP, |heap| heap.parent);
        let is_free = |heap: &Heap| heap.parent == id && heap.on.is_none();
        loop {
            let free = self.heaps.inside(id).find(|&inner| self.heaps.get(inner).is_some_and(is_free));
            let Some(free) = free else { return };
            self.heaps.set_parent(free, parent);
        }
    }

    /// Ends the heaps that lie on regions of a heap, which should have ended before.
    fn end_inside_foreign(&mut self, caller: &Caller, id: HeapId, by: OriginId) {
        let within = |inner: HeapId| {
            let mut up = inner;
            while up != NO_HEAP && up != id {
                up = self.heaps.get(up).map_or(NO_HEAP, |heap| heap.parent);
            }
            up == id
        };
        let Some(inner) = self.heaps.inside(id).rfind(|&inner| within(inner)) else { return };
        self.fault_leaked(caller, inner);
        self.leave_behind(inner);
        self.end_heap(caller, inner, by);
        self.end_inside_foreign(caller, id, by);
    }
}
