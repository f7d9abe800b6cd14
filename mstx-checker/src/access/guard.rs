//! Heaps whose free pages may not be accessed: without a tool, at full speed, and no finer than pages.
//!
//! A page is off limits if it lies in a heap and nothing in it is live. The allocator's own code is let through when it gets there: the
//! page is opened, and closed again when no thread runs such code any more.

use core::fmt::Write as _;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use super::heaps::{Heap, Heaps, Key, Region};
use super::{mapped, protect};
use crate::text::Text;

/// How many pages the allocator's own code may open, one by one. Where it accesses more, all of their heap are open until it is through.
const PAGES: usize = 64;
/// For how many heaps that is remembered. Pages of another one stay open until something in them is released.
const WIDE: usize = 8;
/// With more live regions than this, no more pages are closed. Between any two of them may be closed ones, and each change in between is
/// a mapping, of which the system allows a process some 65,000: the program shall have enough of them left.
const REGIONS: usize = 12_000;

pub(super) struct Guard {
    page: usize,
    opened: [usize; PAGES],
    used: usize,
    /// Heaps of which all pages are open.
    wide: [Option<Key>; WIDE],
    /// How many calls are in the allocator's code.
    inside: usize,
    /// How many regions are live.
    regions: usize,
}

impl Guard {
    pub(super) fn new() -> Self {
        Self { page: protect::page().max(1), opened: [0; PAGES], used: 0, wide: [None; WIDE], inside: 0, regions: 0 }
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
        if start < end && (self.regions > REGIONS || !protect::close(start, end - start)) {
            stay_open();
        }
    }

    /// Opens the pages of a heap in which something of `range` is.
    fn open(&self, heap: &Range<usize>, range: &Range<usize>) {
        let (start, end) = (self.down(range.start).max(self.up(heap.start)), self.up(range.end).min(self.down(heap.end)));
        if start < end && !protect::open(start, end - start) {
            // There are too many mappings: to open all is to have fewer of them.
            protect::open(self.up(heap.start), self.down(heap.end).saturating_sub(self.up(heap.start)));
            stay_open();
        }
    }

    /// Closes what is free in a heap.
    pub(super) fn close_free(&self, heap: &Heap) {
        heap.gaps(|gap| self.close(&gap));
    }

    /// A heap ends; its regions have ended before. It is still in the table.
    pub(super) fn heap_ends(&self, heaps: &Heaps, key: Key) {
        if let Some(heap) = heaps.get(key) {
            heaps.beside(key, heap.range(), |piece| self.open(&heap.range(), &piece));
        }
    }

    /// A heap has another size, with which it is in the table. What it has gained is closed later.
    pub(super) fn heap_resized(&self, heaps: &Heaps, key: Key, old: usize) {
        let Some(heap) = heaps.get(key) else { return };
        let old_end = heap.start() + old;
        if heap.end < old_end {
            self.open(&(heap.start()..old_end), &(heap.end..old_end));
        }
    }

    /// A region has begun.
    pub(super) fn region_begins(&mut self, heaps: &Heaps, key: Key, region: &Region) {
        self.regions += 1;
        self.region_opens(heaps, key, region);
    }

    fn region_opens(&self, heaps: &Heaps, key: Key, region: &Region) {
        if let Some(heap) = heaps.get(key) {
            heaps.beside(key, region.range(), |piece| self.open(&heap.range(), &piece));
        }
    }

    /// A region has ended, and is in the table no longer.
    pub(super) fn region_ends(&mut self, heaps: &Heaps, key: Key, region: &Region) {
        self.regions = self.regions.saturating_sub(1);
        self.close_around(heaps, key, region.start..region.end());
    }

    /// Closes the pages of a range that is free now.
    fn close_around(&self, heaps: &Heaps, key: Key, range: Range<usize>) {
        let Some(heap) = heaps.get(key) else { return };
        let gap = heap.gap(range.start, range.end);
        self.close(&(gap.start.max(self.down(range.start))..gap.end.min(self.up(range.end))));
    }

    /// A region is larger or smaller, where it was.
    pub(super) fn region_resized(&self, heaps: &Heaps, key: Key, old: &Region, new: &Region) {
        if new.size < old.size {
            self.close_around(heaps, key, new.end()..old.end());
        } else {
            self.region_opens(heaps, key, new);
        }
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
        for key in core::mem::take(&mut self.wide).into_iter().flatten() {
            if let Some(heap) = heaps.get(key) {
                self.close_free(heap);
            }
        }
        for &page in &self.opened[..self.used] {
            if self.is_closed(heaps, page) {
                self.close(&(page..page + self.page));
            }
        }
        self.used = 0;
    }

    /// Whether the page of an address is off limits. (It may be open for a while.)
    pub(super) fn is_closed(&self, heaps: &Heaps, address: usize) -> bool {
        let page = self.down(address);
        let Some(heap) = heaps.around(address).next() else { return false };
        let gap = heap.gap(address, address);
        gap.start <= page && page.saturating_add(self.page) <= gap.end
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
        let Some(heap) = heaps.around(address).next() else { return false };
        if let Some(place) = self.wide.iter_mut().find(|place| place.is_none()) {
            *place = Some(heap.key);
            heap.gaps(|gap| self.open(&heap.range(), &gap));
        }
        protect::open(page, self.page)
    }

    /// Nothing is checked any more. Only what is closed is opened: a heap of which nobody said that it has ended may be somebody else's
    /// memory by now.
    pub(super) fn end(&self, heaps: &Heaps) {
        for heap in heaps.all() {
            mapped::each_closed(&(self.up(heap.start())..self.down(heap.end)), |closed| {
                protect::open(closed.start, closed.len());
            });
        }
    }
}

/// Says, once, that pages stay open.
#[cold]
fn stay_open() {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        Text::print(|text| {
            let why = "the system allows no more of them, or does not protect this memory";
            writeln!(text, "mstx: guard=1: some pages stay open, and accesses to them unseen: {why}")
        });
    }
}
