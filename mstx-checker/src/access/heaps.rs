//! The heaps whose memory is checked, and the live regions in them.

use core::ops::Range;
use std::alloc::System;

use allocator_api2::boxed::Box;
use allocator_api2::vec::Vec;
use mstx_runtime::{Label, Origin, ToolDomain, ToolHeap, ToolRegion};

use super::ordered::{Full, Ordered};

/// A live region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) start: usize,
    pub(super) size: usize,
    pub(super) origin: Origin,
    /// How many checked heaps lie on it. While there are any, they say what may be accessed there.
    pub(super) inner: u32,
}

impl Region {
    pub(super) const fn end(&self) -> usize {
        self.start.saturating_add(self.size)
    }

    pub(super) const fn range(&self) -> Range<usize> {
        self.start..self.end()
    }
}

/// A checked heap's name in the table: its start, and a number that inner ones have greater than outer ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    start: usize,
    number: u64,
}

/// A heap whose memory is checked.
pub(super) struct Heap {
    pub(super) key: Key,
    pub(super) end: usize,
    /// The checked heap that it lies in.
    pub(super) parent: Option<Key>,
    pub(super) name: Label,
    pub(super) origin: Origin,
    /// Domains are told apart by where their names are: those live as long as the process.
    domain: usize,
    pub(super) regions: Ordered<Region>,
    /// What the tool in use has to remember of it.
    pub(super) mark: Mark,
}

/// What a tool remembers of a heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing.
    #[default]
    None,
    /// Memcheck: it is a block of `malloc`'s, which was shrunk to its first byte.
    Shrunk,
    /// Memcheck: it is a block of `malloc`'s, which has its size again.
    Restored,
    /// LeakSanitizer: it is a root.
    Root,
    /// LeakSanitizer: its regions are roots.
    Roots,
}

fn domain_of(domain: ToolDomain<'_>) -> usize {
    domain.name.as_ptr().addr()
}

impl Heap {
    pub(super) const fn start(&self) -> usize {
        self.key.start
    }

    pub(super) const fn range(&self) -> Range<usize> {
        self.key.start..self.end
    }

    /// Where memory that is live in this heap ends before `address`, and begins again from `next` on.
    pub(super) fn gap(&self, address: usize, next: usize) -> Range<usize> {
        let start = self.regions.before(address).map_or(self.start(), Region::end);
        let end = self.regions.from(next).next().map_or(self.end, |region| region.start);
        start..end.max(start)
    }

    /// Calls `gap` with each part in which nothing is live.
    pub(super) fn gaps(&self, mut gap: impl FnMut(Range<usize>)) {
        let mut at = self.start();
        for region in self.regions.from(at) {
            if at < region.start {
                gap(at..region.start);
            }
            at = region.end();
        }
        if at < self.end {
            gap(at..self.end);
        }
    }

    /// It has another size, name and origin.
    pub(super) fn describe(&mut self, heap: &ToolHeap<'_>) {
        self.end = heap.start.saturating_add(heap.size);
        (self.name, self.origin) = (Label::new(heap.name), heap.origin);
    }

    /// A live region that overlaps a range.
    pub(super) fn overlapped(&self, range: &Range<usize>) -> Option<&Region> {
        self.regions.before(range.end).filter(|region| region.end() > range.start)
    }

    /// The live region that contains an address.
    pub(super) fn around(&self, address: usize) -> Option<&Region> {
        self.regions.before(address.saturating_add(1)).filter(|region| region.end() > address)
    }
}

/// All of them, by their start; an outer one before its inner ones.
pub(super) struct Heaps {
    list: Vec<Box<Heap, System>, System>,
    next: u64,
}

impl Heaps {
    pub(super) const fn new() -> Self {
        Self { list: Vec::new_in(System), next: 0 }
    }

    pub(super) fn get_mut(&mut self, key: Key) -> Option<&mut Heap> {
        let at = self.list.binary_search_by_key(&key, |heap| heap.key).ok()?;
        self.list.get_mut(at).map(|heap| &mut **heap)
    }

    pub(super) fn get(&self, key: Key) -> Option<&Heap> {
        let at = self.list.binary_search_by_key(&key, |heap| heap.key).ok()?;
        self.list.get(at).map(|heap| &**heap)
    }

    /// All of them, an outer one before its inner ones.
    pub(super) fn all(&self) -> impl Iterator<Item = &Heap> {
        self.list.iter().map(|heap| &**heap)
    }

    /// The innermost heap that contains an address, and those around it, outwards. Heaps lie one in another or beside each other, so
    /// all of them are the one that starts last before it, or lie around that one.
    pub(super) fn around(&self, address: usize) -> impl Iterator<Item = &Heap> {
        let after = self.list.partition_point(|heap| heap.start() <= address);
        let first = after.checked_sub(1).and_then(|at| self.list.get(at)).map(|heap| &**heap);
        core::iter::successors(first, |heap| heap.parent.and_then(|parent| self.get(parent)))
            .filter(move |heap| heap.range().contains(&address))
    }

    /// The heaps that lie on a region of `parent`, in order.
    pub(super) fn on(&self, parent: Key, region: Range<usize>) -> impl Iterator<Item = &Heap> {
        let first = self.list.partition_point(|heap| heap.start() < region.start);
        let inside = self.list.iter().skip(first).take_while(move |heap| heap.start() < region.end);
        inside.map(|heap| &**heap).filter(move |heap| heap.parent == Some(parent))
    }

    /// Calls `piece` with each part of a region of `parent` that no heap lies on.
    pub(super) fn beside(&self, parent: Key, region: Range<usize>, mut piece: impl FnMut(Range<usize>)) {
        let mut at = region.start;
        for inner in self.on(parent, region.clone()) {
            if at < inner.start() {
                piece(at..inner.start());
            }
            at = at.max(inner.end);
        }
        if at < region.end {
            piece(at..region.end);
        }
    }

    /// Enters a heap, which lies on a region of another one or beside all of them.
    pub(super) fn insert(&mut self, heap: &ToolHeap<'_>) -> Result<Key, Full> {
        let end = heap.start.saturating_add(heap.size);
        let parent = self.around(heap.start).find(|outer| end <= outer.end).map(|outer| outer.key);
        self.next += 1;
        let key = Key { start: heap.start, number: self.next };
        let entry = Heap {
            key,
            end,
            parent,
            name: Label::new(heap.name),
            origin: heap.origin,
            domain: domain_of(heap.domain),
            regions: Ordered::new(),
            mark: Mark::None,
        };
        self.list.try_reserve(1).map_err(|_| Full)?;
        let entry = Box::try_new_in(entry, System).map_err(|_| Full)?;
        let at = self.list.partition_point(|heap| heap.key < key);
        self.list.insert(at, entry);
        if let Some(region) = self.under(key) {
            region.inner += 1;
        }
        Ok(key)
    }

    /// The region that a heap lies on.
    pub(super) fn under(&mut self, key: Key) -> Option<&mut Region> {
        let parent = self.get(key)?.parent?;
        let start = self.get(parent)?.around(key.start)?.start;
        self.get_mut(parent)?.regions.get_mut(start)
    }

    /// Forgets a heap. Those in it lie in the one around it from now on.
    pub(super) fn remove(&mut self, key: Key) {
        if let Some(region) = self.under(key) {
            region.inner = region.inner.saturating_sub(1);
        }
        let Ok(at) = self.list.binary_search_by_key(&key, |heap| heap.key) else { return };
        let gone = self.list.remove(at);
        let inside = self.list.iter_mut().skip(at).take_while(|heap| heap.start() < gone.end);
        inside.filter(|heap| heap.parent == Some(key)).for_each(|heap| heap.parent = gone.parent);
    }

    /// The heap that a tool was told of, the innermost first where several are alike.
    pub(super) fn find(&self, start: usize, size: usize, domain: ToolDomain<'_>) -> Option<Key> {
        let after = self.list.partition_point(|heap| heap.start() <= start);
        let there = self.list.get(..after)?.iter().rev().take_while(|heap| heap.start() == start);
        let mut there = there.filter(|heap| heap.end.wrapping_sub(start) == size);
        there.find(|heap| heap.domain == domain_of(domain)).map(|heap| heap.key)
    }

    /// The heap that has this live region.
    pub(super) fn holder(&self, domain: ToolDomain<'_>, region: &ToolRegion) -> Option<Key> {
        let is_there = |heap: &&Heap| {
            let found = heap.regions.from(region.start).next();
            found.is_some_and(|found| found.start == region.start && found.size == region.size)
        };
        let there = || self.around(region.start).filter(is_there);
        let same = there().find(|heap| heap.domain == domain_of(domain));
        same.or_else(|| there().next()).map(|heap| heap.key)
    }

    /// Whether a block of `malloc`'s begins here that a tool keeps as a heap.
    pub(super) fn is_block(&self, address: usize) -> bool {
        let first = self.list.partition_point(|heap| heap.start() < address);
        let there = self.list.iter().skip(first).take_while(|heap| heap.start() == address);
        { there }.any(|heap| matches!(heap.mark, Mark::Shrunk | Mark::Restored))
    }
}
