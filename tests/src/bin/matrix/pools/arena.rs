//! An arena in a block of another pool: a heap on a region of a heap.

use std::cell::Cell;

use super::Pool;
use super::free_list::FreeList;

mstx::domain!(static ARENA = "arena");

const BYTES: usize = 3 << 11;

/// The pool below: one large block, and others beside it.
struct Outer {
    slab: *mut u8,
    used: Cell<usize>,
}

mstx::domain!(static BLOCKS = "blocks");

const OUTER: usize = 1 << 14;

impl Outer {
    #[mstx::heap(domain = BLOCKS, ptr = ret.slab, size = OUTER)]
    fn new() -> Self {
        Self { slab: crate::memory::Source::Mmap.get(OUTER), used: Cell::new(0) }
    }

    #[mstx::region(heap = self.slab, size = bytes, domain = BLOCKS)]
    #[track_caller]
    fn block(&self, bytes: usize) -> *mut u8 {
        self.slab.wrapping_add(self.used.replace(self.used.get() + bytes))
    }

    #[mstx::region_unregister(heap = self.slab, ptr = block, domain = BLOCKS)]
    #[track_caller]
    fn give_back(&self, block: *mut u8) {
        let _ = block;
    }
}

impl Drop for Outer {
    #[mstx::heap_unregister(heap = self.slab)]
    fn drop(&mut self) {
        crate::memory::Source::Mmap.give_back(self.slab, OUTER);
    }
}

pub(crate) struct Arena {
    outer: Outer,
    /// The block that the arena lies in, with bookkeeping of the arena's user at both of its ends.
    block: *mut u8,
    start: *mut u8,
    used: Cell<usize>,
}

const EDGE: usize = 64;

impl Arena {
    #[mstx::heap(domain = ARENA, ptr = self.start, size = BYTES)]
    fn open(&self) {}

    #[mstx::heap_unregister(heap = self.start, domain = ARENA)]
    fn close(&self) {}

    fn take(&self, bytes: usize) -> *mut u8 {
        let at = self.used.get();
        self.used.set(at + bytes.next_multiple_of(16));
        self.start.wrapping_add(at)
    }

    /// Beside the arena, its block is memory as any other.
    fn touch_edges(&self) {
        for at in [0, EDGE - 1, EDGE + BYTES, EDGE + BYTES + EDGE - 1] {
            unsafe { self.block.add(at).write_volatile(1) };
        }
    }
}

impl Pool for Arena {
    const FULL: usize = 112;

    fn new() -> Self {
        // Another pool beside it, for good measure.
        drop(FreeList::new());
        let outer = Outer::new();
        let block = outer.block(BYTES + 2 * EDGE);
        let arena = Self { outer, block, start: block.wrapping_add(EDGE), used: Cell::new(0) };
        arena.touch_edges();
        arena.open();
        arena.touch_edges();
        arena
    }

    #[mstx::region(heap = self.start, size = bytes, domain = ARENA)]
    #[track_caller]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        self.take(bytes)
    }

    #[mstx::region_unregister(heap = self.start, ptr = block, domain = ARENA)]
    #[track_caller]
    fn free(&self, block: *mut u8) {
        let _ = block;
    }

    #[mstx::region_resize(heap = self.start, ptr = block, size = new, domain = ARENA)]
    #[track_caller]
    fn resize(&self, block: *mut u8, old: usize, new: usize) -> *mut u8 {
        let to = self.take(new);
        unsafe { to.copy_from_nonoverlapping(block, old) };
        to
    }

    #[mstx::heap_reset(heap = self.start, domain = ARENA)]
    fn reset(&self) {
        self.used.set(0);
    }

    fn free_memory(&self) -> *mut u8 {
        self.start.wrapping_add(BYTES - 32)
    }

    #[mstx::region_unregister(heap = self.start, ptr = block, domain = ARENA)]
    #[track_caller]
    fn free_at(&self, block: *mut u8) {
        let _ = block;
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.touch_edges();
        self.close();
        // All of the block is memory as any other again.
        unsafe { self.block.write_bytes(2, BYTES + 2 * EDGE) };
        self.outer.give_back(self.block);
    }
}
