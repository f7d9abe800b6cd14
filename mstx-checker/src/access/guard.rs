//! Heaps whose free pages may not be accessed: without a tool, at full speed, and no finer than pages.
//!
//! A page is off limits if it lies in a heap and nothing in it is live. The allocator's own code is let through when it gets there: the
//! page is opened, and closed again when no thread runs such code any more.

use core::ops::Range;

use super::heaps::{Heap, Heaps, Key, Region};
use super::protect;

/// How many pages the allocator's own code may open, one by one. Where it accesses more, all are open until it is through.
const PAGES: usize = 64;

pub(super) struct Guard {
    page: usize,
    opened: [usize; PAGES],
    used: usize,
    /// All of them are open.
    all: bool,
    /// How many calls are in the allocator's code.
    inside: usize,
}

impl Guard {
    pub(super) fn new() -> Self {
        Self { page: protect::page().max(1), opened: [0; PAGES], used: 0, all: false, inside: 0 }
    }

    fn down(&self, address: usize) -> usize {
        address & !(self.page - 1)
    }

    fn up(&self, address: usize) -> usize {
        self.down(address.saturating_add(self.page - 1))
    }

    /// Closes the pages that lie in `range` as a whole.
    fn close(&self, range: &Range<usize>) {
        let (start, end) = (self.up(range.start), self.down(range.end));
        if start < end {
            // Where there are too many mappings, they stay open.
            protect::close(start, end - start);
        }
    }

    /// Opens the pages of a heap in which something of `range` is.
    fn open(&self, heap: &Range<usize>, range: &Range<usize>) {
        let (start, end) = (self.down(range.start).max(self.up(heap.start)), self.up(range.end).min(self.down(heap.end)));
        if start < end && !protect::open(start, end - start) {
            // There are too many mappings: to open all is to have fewer of them.
            protect::open(self.up(heap.start), self.down(heap.end).saturating_sub(self.up(heap.start)));
        }
    }

    /// Closes what is free in a heap.
    fn close_free(&self, heap: &Heap) {
        let mut at = heap.start();
        for region in heap.regions.from(at) {
            self.close(&(at..region.start));
            at = region.end();
        }
        self.close(&(at..heap.end));
    }

    /// A heap has begun.
    pub(super) fn heap_begins(&self, heaps: &Heaps, key: Key) {
        if let Some(heap) = heaps.get(key) {
            self.close_free(heap);
        }
    }

    /// A heap ends; its regions have ended before. It is still in the table.
    pub(super) fn heap_ends(&self, heaps: &Heaps, key: Key) {
        if let Some(heap) = heaps.get(key) {
            heaps.beside(key, heap.range(), |piece| self.open(&heap.range(), &piece));
        }
    }

    /// A heap has another size. It is in the table with its new one.
    pub(super) fn heap_resized(&self, heaps: &Heaps, key: Key, old: usize) {
        let Some(heap) = heaps.get(key) else { return };
        let old_end = heap.start() + old;
        if heap.end < old_end {
            self.open(&(heap.start()..old_end), &(heap.end..old_end));
        } else {
            self.close(&heap.gap(old_end, old_end));
        }
    }

    /// A region has begun.
    pub(super) fn region_begins(&self, heaps: &Heaps, key: Key, region: &Region) {
        if let Some(heap) = heaps.get(key) {
            heaps.beside(key, region.range(), |piece| self.open(&heap.range(), &piece));
        }
    }

    /// A region has ended, and is in the table no longer.
    pub(super) fn region_ends(&self, heaps: &Heaps, key: Key, region: &Region) {
        let Some(heap) = heaps.get(key) else { return };
        let gap = heap.gap(region.start, region.end());
        self.close(&(gap.start.max(self.down(region.start))..gap.end.min(self.up(region.end()))));
    }

    /// A call begins to run the allocator's code.
    pub(super) fn enter(&mut self) {
        self.inside += 1;
    }

    /// It is through.
    pub(super) fn leave(&mut self, heaps: &Heaps) {
        self.inside = self.inside.saturating_sub(1);
        if self.inside > 0 {
            return;
        }
        if core::mem::take(&mut self.all) {
            heaps.all().for_each(|heap| self.close_free(heap));
        }
        for &page in &self.opened[..self.used] {
            let range = page..page + self.page;
            let heap = heaps.around(page).next().filter(|heap| range.end <= heap.end);
            let is_free = |heap: &Heap| {
                let gap = heap.gap(page, page);
                gap.start <= page && range.end <= gap.end
            };
            if heap.is_some_and(is_free) {
                self.close(&range);
            }
        }
        self.used = 0;
    }

    /// The allocator's own code accesses a page that is off limits. Returns whether it may go on.
    pub(super) fn let_through(&mut self, heaps: &Heaps, address: usize) -> bool {
        let page = self.down(address);
        // Two threads may come upon one page at once.
        if self.opened[..self.used].contains(&page) {
            return protect::open(page, self.page);
        }
        if let Some(place) = self.opened.get_mut(self.used) {
            *place = page;
            self.used += 1;
            return protect::open(page, self.page);
        }
        self.all = true;
        heaps.all().for_each(|heap| self.open(&heap.range(), &heap.range()));
        true
    }

    /// Nothing is checked any more.
    pub(super) fn end(&self, heaps: &Heaps) {
        heaps.all().for_each(|heap| self.open(&heap.range(), &heap.range()));
    }
}
