//! Whole heaps begin, end, are emptied and change their size.

use super::heaps::{Heap, HeapId, NO_HEAP, Wire};
use super::region::Sent;
use super::shard::Shard;
use super::names::{DomainId, OriginId};
use super::pending::{Ended, Holder};
use super::ticket::{EndedHeap, Ticket};
use super::{Caller, Ledger};
use crate::live::memory::Grow;
use crate::live::process::thread::{Open, Stamp};
use crate::live::injected::INJECTED;
use crate::tool::{Handle, Place, Tool as _};
use crate::{FaultKind, Label};

/// While the body of a function runs that ends a heap, or all regions of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Covering {
    heap: HeapId,
    open: u64,
    /// It is the heap's end.
    ends: bool,
}

/// What is said of a new heap besides where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description {
    pub(crate) name: Option<Label>,
    pub(crate) device: u32,
    pub(crate) place: Place,
    pub(crate) deferral: Option<usize>,
}

/// What a new heap lies on.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    pub(super) parent: HeapId,
    pub(super) on: Option<usize>,
}

impl Ledger {
    /// A heap begins. Returns its number, or that of the heap that is there already.
    pub(crate) fn heap_register(
        &mut self,
        caller: &Caller,
        start: usize,
        size: usize,
        description: Description,
    ) -> Option<HeapId> {
        let Some(end) = start.checked_add(size) else {
            self.fault(FaultKind::Wraps, caller, start, size, None, None);
            return None;
        };
        let (Ok(domain), Ok(origin)) = (self.domain_of(caller), self.origins.number(caller.origin)) else {
            self.fault(FaultKind::OutOfMemory, caller, start, size, None, None);
            return None;
        };
        if let Some(same) = self.reported_inside(caller, start, end) {
            // The outer function knows better than the inner one that it called; the tool is told nothing new.
            let name = self.label(description.name, domain);
            let heap = self.heaps.get_mut(same)?;
            (heap.name, heap.origin) = (name, origin);
            if let Some(heap) = self.tool_heap(same) {
                self.tools_for(same).for_each(|tool| tool.heap_resize(&heap, size));
            }
            return Some(same);
        }
        let ground = self.ground(caller, domain, start, end)?;
        let id = self.enter_heap(caller, domain, (start, end), description, ground)?;
        if ground.on.is_none() {
            self.adopt(caller, id);
        }
        self.admit(id);
        Some(id)
    }

    /// Enters a heap into the books, where there is nothing in its way, and tells everybody.
    pub(super) fn enter_heap(
        &mut self,
        caller: &Caller,
        domain: DomainId,
        (start, end): (usize, usize),
        description: Description,
        ground: Ground,
    ) -> Option<HeapId> {
        let (Ok(origin), Ok(shard)) = (self.origins.number(caller.origin), Shard::new()) else {
            self.fault(FaultKind::OutOfMemory, caller, start, end - start, None, None);
            return None;
        };
        let wire = self.wire_for(start, description.place);
        let began = Ticket::next();
        let heap = Heap {
            domain,
            start,
            end,
            claim: end,
            device: description.device,
            place: description.place,
            name: self.label(description.name, domain),
            origin,
            stamp: Stamp::next(),
            began,
            changed: began,
            emptied: began,
            resetting: 0,
            parent: ground.parent,
            on: ground.on,
            wire,
            handle: Handle::NONE,
            deferral: description.deferral,
            shard,
        };
        let Ok(id) = self.pending.reserve(2).and_then(|()| self.heaps.insert(heap)) else {
            self.fault(FaultKind::OutOfMemory, caller, start, end - start, None, None);
            return None;
        };
        self.domains.get_mut(domain).heaps += 1;
        if let Some(heap) = self.tool_heap(id) {
            self.tools_for(id).for_each(|tool| {
                tool.heap_register(&heap);
            });
        }
        self.hurry(start, end, Holder::Nobody);
        if let Some(on) = ground.on {
            self.cover(ground.parent, on);
        }
        if matches!(wire, Wire::Own(_)) {
            self.queue_heap(id);
        }
        Some(id)
    }

    fn queue_heap(&mut self, id: HeapId) {
        if self.wired && self.pending.heaps.add(id).is_err() {
            self.out_of_memory(0);
        }
    }

    /// How the injected tool is to know a heap that starts at `start`.
    fn wire_for(&self, start: usize, place: Place) -> Wire {
        if place == Place::Host && !INJECTED.wants_host() {
            return Wire::Unwanted;
        }
        let known = |id: &HeapId| self.heaps.get(*id).is_some_and(|heap| matches!(heap.wire, Wire::Own(_)));
        self.heaps.starting_at(start).find(known).map_or(Wire::Own(Sent::No), Wire::Within)
    }

    /// The very same heap, if it was reported from inside the body of the calling function.
    fn reported_inside(&self, caller: &Caller, start: usize, end: usize) -> Option<HeapId> {
        self.heaps
            .starting_at(start)
            .find(|&id| self.heaps.get(id).is_some_and(|heap| heap.end == end && heap.stamp.is_since(caller.entry.stamp)))
    }

    /// What a heap at `[start, end)` lies on; `None` after a fault.
    fn ground(&mut self, caller: &Caller, domain: DomainId, start: usize, end: usize) -> Option<Ground> {
        let around = self.heaps.around(start).find(|&id| self.heaps.get(id).is_some_and(|heap| heap.contains(start, end)));
        let parent = around.unwrap_or(NO_HEAP);
        let on = self.regions(parent).and_then(|regions| regions.containing(start, end)).map(|(at, _)| at);
        // Heaps that begin inside, or around the start, lie in its way; except those around all of it.
        let inside = self.first_not_around(start, end);
        let partly = self.heaps.innermost(start).filter(|&id| id != parent);
        let other = inside.or(partly).or(if on.is_none() { around } else { None });
        let Some(id) = other else { return Some(Ground { parent, on }) };
        // Without memory for it, its end will be taken for that of the heap that lies there.
        let _ = self.refused_heaps.push(start);
        let (origin, twice) =
            self.heaps.get(id).map(|heap| (heap.origin, heap.start == start && heap.domain == domain))?;
        let kind = if twice { FaultKind::HeapRegisteredTwice } else { FaultKind::HeapOverlap };
        self.fault(kind, caller, start, end - start, Some(id), Some(origin));
        None
    }

    /// The first heap that starts in `[start, end)` and does not contain all of it.
    fn first_not_around(&self, start: usize, end: usize) -> Option<HeapId> {
        let fits = |&id: &HeapId| self.heaps.get(id).is_some_and(|heap| !heap.contains(start, end));
        self.heaps.starting_at(start).find(fits).or_else(|| self.heaps.first_in(start + 1, end))
    }

    /// Regions of no heap that lie in a heap which began after them: a fault, and they move into it. Those that lie across its
    /// bounds are booked no longer; their release is silent.
    fn adopt(&mut self, caller: &Caller, id: HeapId) {
        let Some((start, end)) = self.heaps.get(id).map(|heap| (heap.start, heap.end)) else { return };
        let mut at = start;
        while let Some((region_start, region)) = self.loose.overlapping(at, end).filter(|_| at < end) {
            at = region_start + region.size;
            let within = start <= region_start && at <= end;
            let kind = if within { FaultKind::RegionBeforeHeap } else { FaultKind::RegionOutsideHeap };
            self.fault(kind, caller, region_start, region.size, Some(id), Some(region.origin));
            if region.is_covered() || self.pending.reserve(2).is_err() {
                continue;
            }
            self.at_once(|ledger| ledger.remove(NO_HEAP, region_start));
            self.tell_gone(NO_HEAP, region_start, &region);
            if within {
                let moved = region.unsent();
                let heap = self.heaps.get_mut(id);
                if heap.is_some_and(|heap| heap.shard.alone_mut().tree.insert(region_start, moved).is_ok()) {
                    self.queue(id, region_start);
                    self.note(id, region_start, &moved);
                    let domain = self.region_domain(id, &moved);
                    self.tell_registered(id, domain);
                }
            } else {
                self.refuse(region_start);
            }
        }
    }

    /// The heap that an event is about as a whole. One that was not booked is none, and not the one that it overlaps.
    fn whole(&mut self, caller: &Caller) -> Option<HeapId> {
        let key = caller.heap?;
        let refused = self.refused_heaps.find(|&start| start == key.address).is_some();
        if key.id == 0 && refused && self.heaps.starting_at(key.address).next().is_none() {
            return None;
        }
        self.named(caller, key)
    }

    /// Every region of a heap ends; the heap stays.
    pub(crate) fn heap_reset(&mut self, caller: &Caller) -> Option<Covering> {
        let id = self.whole(caller)?;
        let by = self.origins.number(caller.origin).ok()?;
        self.end_inside(caller, id, by);
        self.end_regions(caller, id, by, false);
        let heap = self.heaps.get_mut(id)?;
        heap.changed = Ticket::next();
        heap.resetting += 1;
        self.open(id)
    }

    /// A heap ends, its regions before it.
    pub(crate) fn heap_unregister(&mut self, caller: &Caller) -> Option<Covering> {
        let id = self.whole(caller)?;
        let by = self.origins.number(caller.origin).ok()?;
        self.end_inside(caller, id, by);
        let open = self.open(id).map(|open| Covering { ends: true, ..open });
        self.end_heap(caller, id, by);
        if let Some(ended) = self.ended.find_mut(|ended| ended.id == id) {
            ended.ending = true;
        }
        self.ending += usize::from(open.is_some());
        open
    }

    /// Releases in the body of the function that ends a heap's regions are silent.
    fn open(&self, id: HeapId) -> Option<Covering> {
        self.heaps.get(id).map(|heap| Covering { heap: id, open: Open::push(id, heap.start, heap.end), ends: false })
    }

    /// The body of a reset, or of a heap's end, is through.
    pub(crate) fn covered(&mut self, covering: &Covering) {
        Open::close(covering.open);
        let ticket = Ticket::next();
        if let Some(heap) = self.heaps.get_mut(covering.heap) {
            (heap.changed, heap.emptied) = (ticket, ticket);
            heap.resetting = heap.resetting.saturating_sub(1);
        } else if let Some(ended) = self.ended.find_mut(|ended| ended.id == covering.heap) {
            (ended.ticket, ended.ending) = (ticket, false);
        }
        self.ending = self.ending.saturating_sub(covering.ends.into());
    }

    /// Ends the heaps inside a heap, which should have ended before.
    fn end_inside(&mut self, caller: &Caller, id: HeapId, by: OriginId) {
        loop {
            let Some(inner) = self.heaps.inside(id).next_back() else { return };
            self.fault_leaked(caller, inner);
            self.end_heap(caller, inner, by);
        }
    }

    pub(super) fn fault_leaked(&mut self, caller: &Caller, id: HeapId) {
        if let Some((start, size, origin)) = self.heaps.get(id).map(|heap| (heap.start, heap.size(), heap.origin)) {
            self.fault(FaultKind::HeapLeaked, caller, start, size, Some(id), Some(origin));
        }
    }

    /// Ends all regions of a heap. `leaked`: they should have been released before.
    pub(super) fn end_regions(&mut self, caller: &Caller, id: HeapId, by: OriginId, leaked: bool) {
        if let Some(from) = self.heaps.get(id).map(|heap| heap.start) {
            self.end_regions_from(caller, id, by, leaked, from);
        }
    }

    /// Ends the regions of a heap that reach beyond `from`.
    fn end_regions_from(&mut self, caller: &Caller, id: HeapId, by: OriginId, leaked: bool, from: usize) {
        while let Some((start, region)) = self.regions(id).and_then(|regions| regions.overlapping(from, usize::MAX)) {
            if leaked && region.held == 0 && !region.is_doubtful() {
                self.fault(FaultKind::RegionLeaked, caller, start, region.size, Some(id), Some(region.origin));
            }
            self.note(id, start, &region);
            self.remove(id, start);
            self.remember_release(id, start, by);
        }
        if let Some(domain) = self.heaps.get(id).map(|heap| heap.domain) {
            self.tell_unregistered(id, domain);
        }
    }

    pub(super) fn end_heap(&mut self, caller: &Caller, id: HeapId, by: OriginId) {
        self.at_once(|ledger| ledger.end_heap_at_once(caller, id, by));
    }

    fn end_heap_at_once(&mut self, caller: &Caller, id: HeapId, by: OriginId) {
        if let Some((start, end)) = self.heaps.get(id).map(|heap| (heap.start, heap.end)) {
            self.hurry(start, end, Holder::Nobody);
        }
        self.end_regions(caller, id, by, true);
        self.unsend_heap(id);
        if let Some(heap) = self.tool_heap(id) {
            self.tools_for(id).for_each(|tool| tool.heap_unregister(&heap));
        }
        let Some(mut heap) = self.heaps.remove(id) else { return };
        for released in heap.shard.alone_mut().released.iter() {
            // Without memory for it, a second release is one of an unknown region.
            let _ = self.released.push(released);
        }
        let at = Ticket::next();
        let ended = EndedHeap { id, domain: heap.domain, start: heap.start, end: heap.end, at, ticket: at, ending: false };
        // Without memory for it, a report that comes late is a fault.
        let _ = self.ended.push(ended);
        let known = self.domains.get_mut(heap.domain);
        known.heaps = known.heaps.saturating_sub(1);
        if let Some(on) = heap.on {
            self.cover(heap.parent, on);
        }
    }

    /// Takes back what the injected tool knows of a heap; its regions were taken back before.
    fn unsend_heap(&mut self, id: HeapId) {
        let Some(ended) = self.tellable(id) else { return };
        let Some(heap) = self.heaps.get_mut(id) else { return };
        let Wire::Own(sent) = heap.wire else { return };
        (heap.wire, heap.handle) = (Wire::Own(Sent::No), Handle::NONE);
        if sent == Sent::Yes && self.pending.ended.add(ended).is_err() {
            self.out_of_memory(ended.start);
        }
    }

    /// A heap as the injected tool is told of it.
    pub(crate) fn tellable(&self, id: HeapId) -> Option<Ended> {
        let heap = self.heaps.get(id)?;
        Some(Ended {
            wire: self.domains.wire(heap.domain),
            start: heap.start,
            size: heap.size(),
            device: heap.device,
            place: heap.place,
            name: heap.name,
            origin: self.origins.get(heap.origin),
            handle: heap.handle,
        })
    }

    /// A resize of a heap begins; a shrink takes effect at once. Returns the heap that is to grow afterwards.
    pub(crate) fn heap_resize_begin(&mut self, caller: &Caller, size: usize) -> Option<HeapId> {
        let id = self.whole(caller)?;
        let now = self.heaps.get(id)?.size();
        if 0 < size && size < now {
            self.set_size(caller, id, size);
        }
        if size > now {
            self.starts();
        }
        (size > now).then_some(id)
    }

    /// A heap has grown.
    pub(crate) fn heap_resize_end(&mut self, caller: &Caller, id: HeapId, size: usize) {
        if self.heaps.get(id).is_some_and(|heap| size > heap.size()) {
            self.set_size(caller, id, size);
            self.admit(id);
        }
    }

    fn set_size(&mut self, caller: &Caller, id: HeapId, size: usize) {
        let Some(heap) = self.heaps.get(id) else { return };
        let (start, old_end, parent, on) = (heap.start, heap.end, heap.parent, heap.on);
        let Some(end) = start.checked_add(size) else {
            return self.fault(FaultKind::Wraps, caller, start, size, Some(id), None);
        };
        if end > old_end && !self.has_room(caller, id, old_end, end) {
            return;
        }
        let Ok(by) = self.origins.number(caller.origin) else { return self.out_of_memory(start) };
        self.end_beyond(caller, id, end, by);
        let moving = self.moving(id);
        if self.pending.reserve(moving).is_err() {
            return self.fault(FaultKind::OutOfMemory, caller, start, size, Some(id), None);
        }
        self.hurry(start, old_end.max(end), Holder::Nobody);
        self.at_once(|ledger| ledger.take_out(id));
        self.heaps.set_end(id, end);
        if let Some(heap) = self.tool_heap(id) {
            self.tools_for(id).for_each(|tool| tool.heap_resize(&heap, old_end - start));
        }
        self.at_once(|ledger| ledger.put_in(id));
        if let Some(on) = on {
            self.cover(parent, on);
        } else {
            self.adopt(caller, id);
        }
    }

    /// What a shrinking heap no longer reaches ends: heaps and regions, each a fault, except regions that are being resized.
    fn end_beyond(&mut self, caller: &Caller, id: HeapId, end: usize, by: OriginId) {
        loop {
            let beyond = |&id: &HeapId| self.heaps.get(id).is_some_and(|heap| heap.end > end);
            let Some(inner) = self.heaps.inside(id).rfind(beyond) else { break };
            self.fault_leaked(caller, inner);
            self.end_inside(caller, inner, by);
            self.end_heap(caller, inner, by);
        }
        self.end_regions_from(caller, id, by, true, end);
    }

    /// Whether a heap can grow to `end`: nothing else may be there, and it must stay on its ground.
    fn has_room(&mut self, caller: &Caller, id: HeapId, old_end: usize, end: usize) -> bool {
        let Some(heap) = self.heaps.get(id) else { return false };
        let (start, parent, on) = (heap.start, heap.parent, heap.on);
        let leaves_ground = on.is_some_and(|on| {
            self.region(parent, on).is_none_or(|region| end > on + region.size)
        });
        let other = self.heaps.first_in(old_end, end).or(leaves_ground.then_some(parent).filter(|&id| id != NO_HEAP));
        if other.is_none() && !leaves_ground {
            return true;
        }
        let origin = other.and_then(|id| self.heaps.get(id)).map(|heap| heap.origin);
        self.fault(FaultKind::HeapOverlap, caller, start, end - start, other, origin);
        false
    }

    /// How many registrations at the injected tool a change of a heap's extent touches.
    fn moving(&self, id: HeapId) -> usize {
        let of = |id| self.heaps.get(id).map_or(0, |heap| 1 + heap.regions().tree.len() + heap.regions().pieces.len());
        of(id) + self.heaps.inside(id).map(of).sum::<usize>()
    }

    /// Takes a heap and all heaps inside of it out of the injected tool's books, innermost first.
    fn take_out(&mut self, id: HeapId) {
        let mut next = 0;
        loop {
            let Some(inner) = self.heaps.inside(id).rev().nth(next) else { break };
            self.take_out_one(inner);
            next += 1;
        }
        self.take_out_one(id);
    }

    fn take_out_one(&mut self, id: HeapId) {
        let mut at = 0;
        while let Some((start, _)) = self.regions(id).and_then(|regions| regions.tree.ceil(at)) {
            self.unsend(id, start);
            at = start + 1;
        }
        self.unsend_heap(id);
    }

    /// The way back, outermost first.
    fn put_in(&mut self, id: HeapId) {
        self.put_in_one(id);
        let mut next = 0;
        loop {
            let Some(inner) = self.heaps.inside(id).nth(next) else { return };
            self.put_in_one(inner);
            next += 1;
        }
    }

    fn put_in_one(&mut self, id: HeapId) {
        if self.heaps.get(id).is_some_and(|heap| matches!(heap.wire, Wire::Own(_))) {
            self.queue_heap(id);
        }
        let mut at = 0;
        while let Some((start, region)) = self.regions(id).and_then(|regions| regions.tree.ceil(at)) {
            if region.is_covered() {
                self.cover(id, start);
            } else {
                self.queue(id, start);
            }
            at = start + 1;
        }
    }
}
