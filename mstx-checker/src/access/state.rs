//! What is known of heaps and regions, and who is told of it.

use mstx_runtime::{ToolDomain, ToolHeap, ToolRegion, Word};

use super::guard::Guard;
use super::heaps::{Heaps, Key, Region};
use super::memcheck;
use super::poison::{self, Poison};
use super::report::Released;
use super::unsettled::{Beginning, Leaving, MOST};
use super::windows::Windows;
use crate::lock;
use crate::options;

/// Who is told.
#[expect(clippy::large_enum_variant, reason = "there is one, in a static")]
pub(super) enum Checks {
    None,
    Memcheck,
    Poison(Poison),
    Guard(Guard),
}

/// What to do about an access that the system refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// The page is open now, and it may go on.
    Opened,
    /// There is no reason to refuse it, or no longer.
    IsOpen,
    Mistake,
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
    /// What is told now was live before the checker listened.
    pub(super) late: bool,
    pub(super) leaving: [Option<Leaving>; MOST],
    pub(super) beginning: Option<Beginning>,
}

impl State {
    pub(super) const fn new() -> Self {
        Self {
            heaps: Heaps::new(),
            released: Released::new(),
            checks: Checks::None,
            late: false,
            leaving: [const { None }; MOST],
            beginning: None,
        }
    }

    /// What was live before is about to be told. In between it is known in part, and other threads go on using it.
    pub(super) fn late_begins(&mut self) {
        self.late = true;
        if let Checks::Poison(poison) = &mut self.checks {
            poison.late_begins();
        }
    }

    pub(super) fn late_ends(&mut self) {
        if !core::mem::take(&mut self.late) {
            return;
        }
        self.settle();
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => self.heaps.all().for_each(memcheck::heap_has_begun),
            Checks::Poison(poison) => poison.late_ends(&self.heaps),
            Checks::Guard(guard) => self.heaps.all().for_each(|heap| guard.close_free(heap)),
        }
    }

    /// `body`: a function of the allocator's has called, and says when it is through.
    pub(super) fn heap_register(&mut self, heap: &ToolHeap<'_>, body: bool) {
        self.begun();
        let end = heap.start.saturating_add(heap.size);
        self.leave_where(|leaving| leaving.region.start < end && heap.start < leaving.region.end());
        if matches!(self.checks, Checks::Poison(Poison::Strict)) && heap.size > poison::HUGE {
            return;
        }
        // Without memory for it, it is not checked.
        let Ok(key) = self.heaps.insert(heap) else { return };
        match &mut self.checks {
            Checks::None | Checks::Guard(_) => {}
            Checks::Memcheck => memcheck::heap_begins(&mut self.heaps, key),
            Checks::Poison(poison) => poison.heap_begins(&mut self.heaps, key),
        }
        self.begins(key, body);
    }

    /// `host`: what it has gained is the host's memory.
    pub(super) fn heap_resize(&mut self, heap: &ToolHeap<'_>, old_size: usize, host: bool, body: bool) {
        self.begun();
        let Some(key) = self.heaps.find(heap.start, old_size, heap.domain) else { return };
        self.leave_where(|leaving| leaving.key == key);
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
        if heap.size > old_size {
            self.begins(key, body);
        }
    }

    pub(super) fn heap_unregister(&mut self, heap: &ToolHeap<'_>) {
        self.begun();
        if let Some(key) = self.heaps.find(heap.start, heap.size, heap.domain) {
            self.forget(key);
        }
    }

    /// The heap has ended, or cannot be checked any more.
    fn forget(&mut self, key: Key) {
        self.leave_where(|leaving| leaving.key == key);
        while let Some(&region) = self.heaps.get(key).and_then(|heap| heap.regions.from(0).next()) {
            self.remove(key, &region);
        }
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::heap_ends(&mut self.heaps, key),
            Checks::Poison(poison) => poison.heap_ends(&mut self.heaps, key),
            Checks::Guard(guard) => guard.heap_ends(&self.heaps, key),
        }
        if let Some(heap) = self.heaps.get(key) {
            self.released.forget(&(heap.start()..heap.end));
        }
        self.heaps.remove(key);
    }

    pub(super) fn regions_register(&mut self, heap: &ToolHeap<'_>, regions: &[ToolRegion]) {
        let Some(key) = self.heaps.find(heap.start, heap.size, heap.domain) else { return };
        if self.beginning.as_ref().is_none_or(|beginning| beginning.key != key) {
            self.begun();
        }
        if let [region] = regions {
            if self.stays(key, region) {
                return;
            }
        }
        for told in regions {
            let range = told.start..told.start.saturating_add(told.size);
            self.leave_where(|leaving| leaving.region.start < range.end && range.start < leaving.region.end());
        }
        for region in regions {
            let defined = self.late || !options::uninit() || region.origin.site().word() != Word::region;
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

    /// `body`: a function of the allocator's has called, and says when it is through.
    pub(super) fn regions_unregister(&mut self, domain: ToolDomain<'_>, regions: &[ToolRegion], body: bool) {
        self.begun();
        for told in regions {
            let Some(key) = self.heaps.holder(domain, told) else { continue };
            let Some(region) = self.heaps.get(key).and_then(|heap| heap.around(told.start)).copied() else { continue };
            self.released.add(region.start, region.size, region.origin);
            // Memcheck takes for uninitialised what is read of a word of which the rest may not be accessed: a link in such a block.
            let is_whole = !matches!(self.checks, Checks::Memcheck) || (region.start | region.size) % memcheck::WORDS == 0;
            let may_stay = body && is_whole && regions.len() == 1;
            let place = self.leaving.iter_mut().find(|place| place.is_none()).filter(|_| may_stay);
            match place {
                Some(place) => *place = Some(Leaving { key, region, by: lock::me() }),
                None => self.remove(key, &region),
            }
        }
    }

    pub(super) fn remove(&mut self, key: Key, region: &Region) {
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
        self.settle_own();
        match &mut self.checks {
            Checks::Poison(Poison::Windows(windows)) => windows.leave(),
            Checks::Guard(guard) => guard.leave(&self.heaps),
            _ => {}
        }
    }

    /// What to do about an access that the system refuses. `own`: by the allocator's own code.
    pub(super) fn judge(&mut self, address: usize, own: bool) -> Judgement {
        let Self { heaps, checks: Checks::Guard(guard), .. } = self else { return Judgement::IsOpen };
        if !guard.is_closed(heaps, address) {
            return Judgement::IsOpen;
        }
        if own && guard.let_through(heaps, address) { Judgement::Opened } else { Judgement::Mistake }
    }

    /// Nothing is checked any more.
    pub(super) fn end(&mut self) {
        self.settle();
        match &mut self.checks {
            Checks::None => {}
            Checks::Memcheck => memcheck::end(&self.heaps),
            Checks::Poison(poison) => poison.end(&self.heaps),
            Checks::Guard(guard) => guard.end(&self.heaps),
        }
        self.checks = Checks::None;
    }
}
