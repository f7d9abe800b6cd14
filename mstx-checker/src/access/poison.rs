//! Heaps and regions as AddressSanitizer is told of them.
//!
//! What is not live in a heap is poisoned. A byte can only be if those behind it in its granule of 8 are too: up to 7 bytes before a
//! region that is not aligned, and the tail of a released one that shares its last granule with a live one, stay accessible.

use core::ops::Range;

use super::heaps::{Heap, Heaps, Key, Mark, Region};
use super::sanitizer::{self, GRANULE};
use super::windows::Windows;

/// Of a larger heap, LeakSanitizer looks into the regions only: it would look at every page, and most of them may never have been used.
/// And not all of it is closed at a time ([`Poison::Strict`]): what is kept of it would take an eighth of its size.
pub(super) const HUGE: usize = 1 << 32;

/// What is off limits.
#[expect(clippy::large_enum_variant, reason = "there is one, in a static")]
pub(super) enum Poison {
    /// All that is not live.
    Strict,
    /// What the allocator's own code may access nevertheless.
    Windows(Windows),
}

impl Poison {
    /// A heap has begun. What lives in it already is told next.
    pub(super) fn heap_begins(&mut self, heaps: &mut Heaps, key: Key) {
        let Some(heap) = heaps.get_mut(key) else { return };
        let range = heap.range();
        if !sanitizer::is_known(range.start) {
            if range.len() > HUGE {
                heap.mark = Mark::Roots;
            } else {
                heap.mark = Mark::Root;
                sanitizer::root(range.start, range.len());
            }
        }
        match self {
            Self::Strict => {}
            Self::Windows(windows) => {
                windows.first(range.clone());
                windows.last(range);
            }
        }
    }

    /// A heap ends; its regions have ended before. It is still in the table.
    pub(super) fn heap_ends(&mut self, heaps: &mut Heaps, key: Key) {
        let Some(heap) = heaps.get_mut(key) else { return };
        let range = heap.range();
        if heap.mark == Mark::Root {
            sanitizer::unroot(range.start, range.len());
        }
        // What inner heaps say of theirs stays.
        heaps.beside(key, range, |piece| self.open(&piece));
    }

    /// A heap has another size. It is in the table with its new one.
    pub(super) fn heap_resized(&mut self, heaps: &Heaps, key: Key, old: usize) {
        let Some(heap) = heaps.get(key) else { return };
        let range = heap.range();
        if heap.mark == Mark::Root {
            // (One that has become huge is what it was.)
            sanitizer::unroot(range.start, old);
            sanitizer::root(range.start, range.len());
        }
        let old_end = range.start + old;
        if range.end < old_end {
            return self.open(&(range.end..old_end));
        }
        match self {
            Self::Strict => {}
            Self::Windows(windows) => {
                windows.first(old_end..range.end);
                windows.last(old_end..range.end);
            }
        }
    }

    /// A region has begun.
    pub(super) fn region_begins(&mut self, heaps: &Heaps, key: Key, region: &Region) {
        heaps.beside(key, region.range(), |piece| self.open(&piece));
        let Some(heap) = heaps.get(key) else { return };
        if heap.mark == Mark::Roots {
            sanitizer::root(region.start, region.size);
        }
        let Self::Windows(windows) = self else { return };
        let gap = heap.gap(region.start, region.end());
        windows.last(gap.start..region.start);
        windows.first(region.end()..gap.end);
    }

    /// A region has ended, and is in the table no longer.
    pub(super) fn region_ends(&mut self, heaps: &Heaps, key: Key, region: &Region) {
        let Some(heap) = heaps.get(key) else { return };
        if heap.mark == Mark::Roots {
            sanitizer::unroot(region.start, region.size);
        }
        // Its granules, as far as nothing that is live is in them.
        let gap = heap.gap(region.start, region.end());
        let first = gap.start.max(region.start / GRANULE * GRANULE);
        let last = gap.end.min(region.end().div_ceil(GRANULE).saturating_mul(GRANULE));
        match self {
            Self::Strict => sanitizer::poison(first, last - first),
            Self::Windows(windows) => windows.first(first..last),
        }
    }

    /// A region is larger or smaller, where it was.
    pub(super) fn region_resized(&mut self, heaps: &Heaps, key: Key, old: &Region, new: &Region) {
        if heaps.get(key).is_some_and(|heap| heap.mark == Mark::Roots) {
            sanitizer::unroot(old.start, old.size);
        }
        // What is behind it now is closed with that.
        self.region_begins(heaps, key, new);
    }

    /// What was live before is about to be told, heap by heap and region by region.
    pub(super) fn late_begins(&mut self) {
        if let Self::Windows(windows) = self {
            windows.enter();
        }
    }

    /// It has been told.
    pub(super) fn late_ends(&mut self, heaps: &Heaps) {
        match self {
            Self::Strict => heaps.all().for_each(|heap| self.heap_has_begun(heap)),
            Self::Windows(windows) => windows.leave(),
        }
    }

    /// All is known that lives in a heap.
    pub(super) fn heap_has_begun(&self, heap: &Heap) {
        if let Self::Strict = self {
            heap.gaps(|gap| sanitizer::poison(gap.start, gap.len()));
        }
    }

    fn open(&mut self, range: &Range<usize>) {
        match self {
            Self::Strict => sanitizer::unpoison(range.start, range.len()),
            Self::Windows(windows) => windows.remove(range),
        }
    }

    /// Nothing is checked any more. What allocators keep in free memory is found by LeakSanitizer.
    pub(super) fn end(&mut self, heaps: &Heaps) {
        match self {
            Self::Strict => heaps.all().for_each(|heap| sanitizer::unpoison(heap.start(), heap.end - heap.start())),
            Self::Windows(windows) => windows.clear(),
        }
    }
}
