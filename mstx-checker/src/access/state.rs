//! What is known of heaps and regions, and who is told of it.

use mstx_runtime::{ToolDomain, ToolHeap, ToolRegion, Word};

use super::guard::Guard;
use super::heaps::{Heaps, Key, Region};
use super::memcheck;
use super::poison::Poison;
use super::report::Released;
use super::windows::Windows;
use crate::options;

/// Who is told.
#[expect(clippy::large_enum_variant, reason = "there is one, in a static")]
pub(super) enum Checks {
    None,
    Memcheck,
    Poison(Poison),
    Guard(Guard),
}

impl Checks {
    pub(super) const fn poison(strict: bool) -> Self {
        Self::Poison(if strict { Poison::Strict } else { Poison::Windows(Windows::new()) })
    }

    pub(super) fn guard() -> Self {
        Self::Guard(Guard::new())
    }
}

pub(super) struct State {
    pub(super) heaps: Heaps,
    pub(super) released: Released,
    pub(super) checks: Checks,
}

impl State {
    pub(super) const fn new() -> Self {
        Self { heaps: Heaps::new(), released: Released::new(), checks: Checks::None }
    }

    pub(super) fn heap_register(&mut self, heap: &ToolHeap<'_>) {
        // Without memory for it, it is not checked.
        let Ok(key) = self.heaps.insert(heap) else { return };
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::heap_begins(&mut self.heaps, key),
            Checks::Poison(poison) => poison.heap_begins(&mut self.heaps, key),
            Checks::Guard(guard) => guard.heap_begins(&self.heaps, key),
        }
    }

    /// `host`: what it has gained is the host's memory.
    pub(super) fn heap_resize(&mut self, heap: &ToolHeap<'_>, old_size: usize, host: bool) {
        let Some(key) = self.heaps.find(heap.start, old_size, heap.domain) else { return };
        if !host {
            return self.forget(key);
        }
        if let Some(known) = self.heaps.get_mut(key) {
            known.describe(heap);
        }
        if heap.size == old_size {
            return;
        }
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::heap_resized(&mut self.heaps, key, old_size),
            Checks::Poison(poison) => poison.heap_resized(&self.heaps, key, old_size),
            Checks::Guard(guard) => guard.heap_resized(&self.heaps, key, old_size),
        }
    }

    pub(super) fn heap_unregister(&mut self, heap: &ToolHeap<'_>) {
        if let Some(key) = self.heaps.find(heap.start, heap.size, heap.domain) {
            self.forget(key);
        }
    }

    /// The heap has ended, or cannot be checked any more.
    fn forget(&mut self, key: Key) {
        while let Some(&region) = self.heaps.get(key).and_then(|heap| heap.regions.from(0).next()) {
            self.remove(key, &region);
        }
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::heap_ends(&mut self.heaps, key),
            Checks::Poison(poison) => poison.heap_ends(&mut self.heaps, key),
            Checks::Guard(guard) => guard.heap_ends(&self.heaps, key),
        }
        self.heaps.remove(key);
    }

    /// `late`: they were live before, and hold something.
    pub(super) fn regions_register(&mut self, heap: &ToolHeap<'_>, regions: &[ToolRegion], late: bool) {
        let Some(key) = self.heaps.find(heap.start, heap.size, heap.domain) else { return };
        for region in regions {
            let defined = late || !options::uninit() || region.origin.site().word() != Word::region;
            if !self.add(key, region, defined) {
                return self.forget(key);
            }
        }
    }

    fn add(&mut self, key: Key, told: &ToolRegion, defined: bool) -> bool {
        let range = told.start..told.start.saturating_add(told.size);
        let inner = u32::try_from(self.heaps.on(key, range.clone()).count()).unwrap_or(u32::MAX);
        let region = Region { start: told.start, size: told.size, origin: told.origin, inner };
        // The books let no two regions overlap. If they did, it would be memcheck that ends the process.
        while let Some(&other) = self.heaps.get(key).and_then(|heap| heap.overlapped(&range)) {
            self.remove(key, &other);
        }
        let Some(heap) = self.heaps.get_mut(key) else { return true };
        if heap.regions.insert(region.start, region).is_err() {
            return false;
        }
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::region_begins(&self.heaps, key, &region, defined),
            Checks::Poison(poison) => poison.region_begins(&self.heaps, key, &region),
            Checks::Guard(guard) => guard.region_begins(&self.heaps, key, &region),
        }
        true
    }

    pub(super) fn regions_unregister(&mut self, domain: ToolDomain<'_>, regions: &[ToolRegion]) {
        for told in regions {
            let Some(key) = self.heaps.holder(domain, told) else { continue };
            let Some(&region) = self.heaps.get(key).and_then(|heap| heap.around(told.start)) else { continue };
            self.remove(key, &region);
            self.released.add(region.start, region.size, region.origin);
        }
    }

    fn remove(&mut self, key: Key, region: &Region) {
        let Some(heap) = self.heaps.get_mut(key) else { return };
        heap.regions.remove(region.start);
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::region_ends(&self.heaps, key, region),
            Checks::Poison(poison) => poison.region_ends(&self.heaps, key, region),
            Checks::Guard(guard) => guard.region_ends(&self.heaps, key, region),
        }
    }

    pub(super) fn enter(&mut self) {
        match &mut self.checks {
            Checks::Poison(Poison::Windows(windows)) => windows.enter(),
            Checks::Guard(guard) => guard.enter(),
            _ => {}
        }
    }

    pub(super) fn leave(&mut self) {
        match &mut self.checks {
            Checks::Poison(Poison::Windows(windows)) => windows.leave(),
            Checks::Guard(guard) => guard.leave(&self.heaps),
            _ => {}
        }
    }

    /// Whether the allocator's own code, which is refused an access, may go on.
    pub(super) fn let_through(&mut self, address: usize) -> bool {
        let Self { heaps, checks: Checks::Guard(guard), .. } = self else { return false };
        heaps.around(address).next().is_some() && guard.let_through(heaps, address)
    }

    /// Nothing is checked any more. `live`: what is live may still be looked at for leaks.
    pub(super) fn end(&mut self, live: bool) {
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::end(&self.heaps, live),
            Checks::Poison(poison) => poison.end(&self.heaps),
            Checks::Guard(guard) => guard.end(&self.heaps),
        }
        self.checks = Checks::None;
    }
}
