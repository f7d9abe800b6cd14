//! How large a heap is that was registered from outside of Rust: what its registration says is a claim.
//!
//! Some clients give the total of what they have obtained so far, and not what they have obtained just now. So a heap ends where the
//! next one begins, one that begins in the free memory of another cuts that one off, and a region that lies in what its heap claims is
//! fine.

use super::heaps::{HeapId, NO_HEAP};
use super::names::DomainId;
use super::whole::Ground;
use super::{Caller, Ledger};
use crate::FaultKind;
use crate::live::process::stderr;

impl Ledger {
    /// What a heap at `[start, end)`, in which no other begins, lies on; cuts off what claims that memory and has nothing there.
    /// `None` after a fault.
    pub(super) fn claim(&mut self, caller: &Caller, domain: DomainId, start: usize, end: usize) -> Option<Ground> {
        loop {
            let parent = self.heaps.innermost(start).unwrap_or(NO_HEAP);
            let on = self.regions(parent).and_then(|regions| regions.containing(start, end)).map(|(at, _)| at);
            let Some(outer) = self.heaps.get(parent) else { return Some(Ground { parent, on }) };
            let (outer_start, outer_end, origin) = (outer.start, outer.end, outer.origin);
            let twice = outer_start == start && outer.domain == domain;
            if on.is_some() && end <= outer_end {
                return Some(Ground { parent, on });
            }
            let kind = if twice { FaultKind::HeapRegisteredTwice } else { FaultKind::HeapOverlap };
            let longer = end > outer_end;
            if twice || self.has_firm(parent, start, end) || (longer && outer_start == start) {
                // Without memory for it, its end and its regions will be faults, too.
                let _ = self.refused_heaps.push(start);
                self.fault(kind, caller, start, end - start, Some(parent), Some(origin));
                return None;
            }
            if !longer {
                return Some(Ground { parent, on: None });
            }
            self.note_claim(domain);
            self.let_out(parent, start);
            self.set_end(parent, start);
        }
    }

    /// Whether a region of this very heap is live in `[start, end)`.
    fn has_firm(&self, id: HeapId, start: usize, end: usize) -> bool {
        let mut at = start;
        while let Some((next, region)) = self.regions(id).and_then(|regions| regions.overlapping(at, end)) {
            if !region.is_stray() {
                return true;
            }
            at = next + region.size;
            if at >= end {
                break;
            }
        }
        false
    }

    pub(super) fn note_claim(&mut self, domain: DomainId) {
        if !self.claimed {
            self.claimed = true;
            let name = self.domains.name(domain);
            stderr::line(format_args!(
                "mstx: note: a heap of domain `{name}` is said to reach into another heap: each is taken to end where the next begins"
            ));
        }
    }

    /// A heap that was cut off uses what it claims after all. Returns whether there is room.
    pub(super) fn extend(&mut self, id: HeapId, end: usize) -> bool {
        let Some(heap) = self.heaps.get(id) else { return false };
        let (old, parent) = (heap.end, heap.parent);
        let room = self.heaps.get(parent).is_none_or(|parent| end <= parent.end);
        let on_ground = heap.on.is_none_or(|on| self.region(parent, on).is_some_and(|ground| end <= on + ground.size));
        if !room || !on_ground || end <= old || self.heaps.first_in(old, end).is_some() {
            return false;
        }
        self.set_end(id, end);
        true
    }

    /// Gives a heap another end, where that touches nothing that is live.
    fn set_end(&mut self, id: HeapId, end: usize) {
        let Some((old, parent, on)) = self.heaps.get(id).map(|heap| (heap.size(), heap.parent, heap.on)) else { return };
        self.heaps.set_end(id, end);
        if let Some(heap) = self.tool_heap(id) {
            self.tools_for(id).for_each(|tool| tool.heap_resize(&heap, old));
        }
        if let Some(on) = on {
            self.cover(parent, on);
        }
    }
}
