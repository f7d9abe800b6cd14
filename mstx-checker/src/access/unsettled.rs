//! What is not settled before the function that has reported it is through, since others may use the memory all the time.

use mstx_runtime::{ToolRegion, Word};

use super::heaps::{Key, Region};
use super::memcheck;
use super::state::{Checks, State};
use crate::lock;

/// How many regions may be leaving at a time. More than these leave at once.
pub(super) const MOST: usize = 16;

/// A region that was unregistered, by a function that is not through: it may be about to be registered again, since its release was
/// refused, or with another size. Others may be using it meanwhile, so it is in the table until it has left.
pub(super) struct Leaving {
    pub(super) key: Key,
    pub(super) region: Region,
    /// The thread.
    pub(super) by: usize,
}

/// A heap that has just begun or grown. What was handed out of it before is told next, and others may be using it.
pub(super) struct Beginning {
    pub(super) key: Key,
    /// The thread.
    by: usize,
}

impl State {
    pub(super) fn begins(&mut self, key: Key, body: bool) {
        self.beginning = Some(Beginning { key, by: lock::me() });
        if !body {
            self.settle();
        }
    }

    /// Whether this is a region that was leaving, with another size or the same.
    pub(super) fn stays(&mut self, key: Key, told: &ToolRegion) -> bool {
        let is_it = |leaving: &Leaving| {
            let (old, new) = (leaving.region.origin, told.origin);
            let is_same_call = core::ptr::eq(old.site(), new.site()) && old.caller() == new.caller();
            let is_same = leaving.region.size == told.size && is_same_call;
            let is_resized = told.origin.site().word() == Word::region_resize;
            let is_there = leaving.key == key && leaving.region.start == told.start;
            is_there && leaving.region.inner == 0 && leaving.by == lock::me() && (is_same || is_resized)
        };
        let Some(place) = self.leaving.iter().position(|leaving| leaving.as_ref().is_some_and(is_it)) else { return false };
        let Some(old) = self.leaving[place].as_ref().map(|leaving| leaving.region) else { return false };
        let new = Region { start: told.start, size: told.size, origin: told.origin, inner: 0 };
        let more = old.end()..new.end().max(old.end());
        let Some(heap) = self.heaps.get_mut(key).filter(|heap| more.is_empty() || heap.overlapped(&more).is_none()) else {
            return false;
        };
        // In the place of the old one.
        if heap.regions.insert(new.start, new).is_err() {
            return false;
        }
        self.leaving[place] = None;
        if old.size == new.size {
            return true;
        }
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::region_resized(&self.heaps, key, &old, &new),
            Checks::Poison(poison) => poison.region_resized(&self.heaps, key, &old, &new),
            Checks::Guard(guard) => guard.region_resized(&self.heaps, key, &old, &new),
        }
        true
    }

    /// Whether a region may be about to be registered: one that leaves, or one of a heap that begins.
    pub(super) fn is_unsettled(&self) -> bool {
        self.leaving.iter().any(Option::is_some) || self.beginning.is_some()
    }

    /// What was leaving has left, and of the heap that was beginning all is known.
    pub(super) fn settle(&mut self) {
        self.leave_where(|_| true);
        self.begun();
    }

    /// The same of what this thread reported.
    pub(super) fn settle_own(&mut self) {
        let me = lock::me();
        self.leave_where(|leaving| leaving.by == me);
        if self.beginning.as_ref().is_some_and(|beginning| beginning.by == me) {
            self.begun();
        }
    }

    pub(super) fn leave_where(&mut self, leaves: impl Fn(&Leaving) -> bool) {
        for place in 0..MOST {
            if let Some(Leaving { key, region, .. }) = self.leaving[place].take_if(|leaving| leaves(leaving)) {
                self.remove(key, &region);
            }
        }
    }

    pub(super) fn begun(&mut self) {
        // Of what is told late, all is known later.
        let begun = self.beginning.take().filter(|_| !self.late).and_then(|beginning| self.heaps.get(beginning.key));
        let Some(heap) = begun else { return };
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::heap_has_begun(heap),
            Checks::Poison(poison) => poison.heap_has_begun(heap),
            Checks::Guard(guard) => guard.close_free(heap),
        }
    }
}
