//! The most that each pool held at a time: heaps by the call that registered them.

use hashbrown::HashTable;
use mstx_runtime::__private::Listed;
use mstx_runtime::{Fault, Label, Origin, ToolHeap, ToolRegion};

use crate::origin;
use crate::recording::once::Once;
use crate::recording::spread;

/// The heaps of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pool {
    pub(crate) origin: Origin,
    /// What all of them are called; `None` where they have several names.
    pub(crate) name: Option<Label>,
    /// How many were registered.
    pub(crate) heaps: u64,
    /// The size of the largest one.
    pub(crate) size: usize,
    /// The most bytes that were in live regions of one of them.
    pub(crate) peak: usize,
}

/// A live heap.
#[derive(Clone, Copy, Debug)]
struct Live {
    key: Key,
    name: Label,
    pool: u32,
    /// No other heap of the same key lies on it.
    is_top: bool,
    /// The older of two has the smaller number.
    number: u64,
    bytes: usize,
    /// The faults that were about it.
    faults: u64,
}

/// What heaps are told apart by. Only one that lies on another has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    start: usize,
    size: usize,
    /// Where the domain's name is.
    domain: usize,
}

impl Key {
    fn of(heap: &ToolHeap<'_>) -> Self {
        Self { start: heap.start, size: heap.size, domain: heap.domain.name.as_ptr().addr() }
    }

    fn hash(&self) -> u64 {
        spread(self.start as u64)
    }
}

impl Live {
    fn hash(&self) -> u64 {
        self.key.hash()
    }
}

/// The pools of the program. What there is no memory for is left out.
pub(crate) struct Pools {
    list: Once<Pool>,
    live: HashTable<Live, Listed>,
    /// How many heaps there were.
    heaps: u64,
}

impl Pools {
    pub(crate) const fn new() -> Self {
        Self { list: Once::new(), live: HashTable::new_in(Listed), heaps: 0 }
    }

    /// All of them, in the order in which they came.
    pub(crate) fn all(&self) -> &[Pool] {
        self.list.all()
    }

    pub(crate) fn heap_register(&mut self, heap: &ToolHeap<'_>) {
        let number = self.number(heap);
        let Some(pool) = self.list.get_mut(number) else { return };
        pool.heaps += 1;
        pool.size = pool.size.max(heap.size);
        if pool.name.is_some_and(|name| name != Label::new(heap.name)) {
            pool.name = None;
        }
        let (key, name) = (Key::of(heap), Label::new(heap.name));
        self.heaps += 1;
        self.insert(Live { key, name, pool: number, is_top: true, number: self.heaps, bytes: 0, faults: 0 });
    }

    pub(crate) fn heap_resize(&mut self, heap: &ToolHeap<'_>, old_size: usize) {
        let Some(live) = self.remove(Key { size: old_size, ..Key::of(heap) }) else { return };
        if let Some(pool) = self.list.get_mut(live.pool) {
            pool.size = pool.size.max(heap.size);
        }
        self.insert(Live { key: Key::of(heap), name: Label::new(heap.name), ..live });
    }

    pub(crate) fn heap_unregister(&mut self, heap: &ToolHeap<'_>) {
        self.remove(Key::of(heap));
    }

    pub(crate) fn regions_register(&mut self, heap: Option<&ToolHeap<'_>>, regions: &[ToolRegion]) {
        let Self { list, live, .. } = self;
        let Some(live) = heap.and_then(|heap| top(live, Key::of(heap))) else { return };
        live.bytes = regions.iter().fold(live.bytes, |bytes, region| bytes.saturating_add(region.size));
        if let Some(pool) = list.get_mut(live.pool) {
            pool.peak = pool.peak.max(live.bytes);
        }
    }

    pub(crate) fn regions_unregister(&mut self, heap: Option<&ToolHeap<'_>>, regions: &[ToolRegion]) {
        let Some(live) = heap.and_then(|heap| top(&mut self.live, Key::of(heap))) else { return };
        live.bytes = regions.iter().fold(live.bytes, |bytes, region| bytes.saturating_sub(region.size));
    }

    /// Counts a fault for the heap that it is about.
    pub(crate) fn fault(&mut self, fault: &Fault) {
        let Some(heap) = fault.heap() else { return };
        let is_its = |live: &Live| {
            live.is_top && (live.key.start, live.key.size, live.name.as_str()) == (heap.start(), heap.size(), heap.name())
        };
        if let Some(live) = self.live.find_mut(spread(heap.start() as u64), is_its) {
            live.faults += 1;
        }
    }

    /// How many faults were about a live heap, since it was registered.
    pub(crate) fn faults(&mut self, heap: &ToolHeap<'_>) -> u64 {
        top(&mut self.live, Key::of(heap)).map_or(0, |live| live.faults)
    }

    /// The number of the pool that a heap belongs to.
    fn number(&mut self, heap: &ToolHeap<'_>) -> u32 {
        let pool = Pool { origin: heap.origin, name: Some(Label::new(heap.name)), heaps: 0, size: 0, peak: 0 };
        let is = |known: &Pool| origin::same(known.origin, heap.origin);
        self.list.number(pool, is, |pool| origin::hash(pool.origin), usize::MAX)
    }

    fn insert(&mut self, live: Live) {
        if self.live.try_reserve(1, Live::hash).is_err() {
            return;
        }
        if let Some(below) = top(&mut self.live, live.key) {
            below.is_top = false;
        }
        self.live.insert_unique(live.hash(), Live { is_top: true, ..live }, Live::hash);
    }

    fn remove(&mut self, key: Key) -> Option<Live> {
        let entry = self.live.find_entry(key.hash(), |live| live.is_top && live.key == key).ok()?;
        let removed = entry.remove().0;
        let below = self.live.iter_hash(key.hash()).filter(|live| live.key == key).map(|live| live.number).max();
        if let Some(below) = below.and_then(|number| self.live.find_mut(key.hash(), |live| live.number == number)) {
            below.is_top = true;
        }
        Some(removed)
    }
}

/// The live heap of this key that no other of the same one lies on: what happens there happens in it.
fn top(live: &mut HashTable<Live, Listed>, key: Key) -> Option<&mut Live> {
    live.find_mut(key.hash(), |live| live.is_top && live.key == key)
}
