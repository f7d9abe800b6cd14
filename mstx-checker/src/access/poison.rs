//! Heaps and regions as AddressSanitizer is told of them.
//!
//! What is not live in a heap is poisoned. A byte can only be if those behind it in its granule of 8 are too: up to 7 bytes before a
//! region that is not aligned, and the tail of a released one that shares its last granule with a live one, stay accessible.

use core::ops::Range;

use super::heaps::{Heaps, Key, Mark, Region};
use super::sanitizer;
use super::windows::Windows;

const GRANULE: usize = 8;

/// What is off limits.
#[expect(clippy::large_enum_variant, reason = "there is one, in a static")]
pub(super) enum Poison {
    /// All that is not live.
    Strict,
    /// What the allocator's own code may access nevertheless.
    Windows(Windows),
}

impl Poison {
    /// A heap has begun.
    pub(super) fn heap_begins(&mut self, heaps: &mut Heaps, key: Key) {
        let Some(heap) = heaps.get_mut(key) else { return };
        if !sanitizer::is_known(heap.start()) {
            heap.mark = Mark::Root;
            sanitizer::root(heap.start(), heap.end - heap.start());
        }
        let range = heap.range();
        match self {
            Self::Strict => sanitizer::poison(range.start, range.len()),
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
            sanitizer::unroot(range.start, old);
            sanitizer::root(range.start, range.len());
        }
        let old_end = range.start + old;
        if range.end < old_end {
            return self.open(&(range.end..old_end));
        }
        match self {
            Self::Strict => sanitizer::poison(old_end, range.end - old_end),
            Self::Windows(windows) => {
                windows.first(old_end..range.end);
                windows.last(old_end..range.end);
            }
        }
    }

    /// A region has begun.
    pub(super) fn region_begins(&mut self, heaps: &Heaps, key: Key, region: &Region) {
        heaps.beside(key, region.range(), |piece| self.open(&piece));
        let (Self::Windows(windows), Some(heap)) = (self, heaps.get(key)) else { return };
        let gap = heap.gap(region.start, region.end());
        windows.last(gap.start..region.start);
        windows.first(region.end()..gap.end);
    }

    /// A region has ended, and is in the table no longer.
    pub(super) fn region_ends(&mut self, heaps: &Heaps, key: Key, region: &Region) {
        let Some(heap) = heaps.get(key) else { return };
        // Its granules, as far as nothing that is live is in them.
        let gap = heap.gap(region.start, region.end());
        let first = gap.start.max(region.start / GRANULE * GRANULE);
        let last = gap.end.min(region.end().next_multiple_of(GRANULE));
        match self {
            Self::Strict => sanitizer::poison(first, last - first),
            Self::Windows(windows) => windows.first(first..last),
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
