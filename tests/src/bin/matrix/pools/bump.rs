//! A bump allocator: no bookkeeping in its memory at all.

use std::cell::Cell;

use super::Pool;
use crate::memory::Source;

mstx::domain!(static BUMP = "bump");

const BYTES: usize = 1 << 14;

pub(crate) struct Bump {
    slab: *mut u8,
    used: Cell<usize>,
}

impl Bump {
    fn take(&self, bytes: usize) -> *mut u8 {
        let at = self.used.get();
        self.used.set(at + bytes.next_multiple_of(16));
        assert!(self.used.get() < BYTES - 64);
        self.slab.wrapping_add(at)
    }
}

impl Pool for Bump {
    const FULL: usize = 112;

    #[mstx::heap(domain = BUMP, ptr = ret.slab, size = BYTES)]
    fn new() -> Self {
        Self { slab: Source::Malloc.get(BYTES), used: Cell::new(0) }
    }

    #[mstx::region(heap = self.slab, size = bytes)]
    #[track_caller]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        self.take(bytes)
    }

    #[mstx::region_unregister(heap = self.slab, ptr = block)]
    #[track_caller]
    fn free(&self, block: *mut u8) {
        let _ = block;
    }

    #[mstx::region_resize(heap = self.slab, ptr = block, size = new)]
    #[track_caller]
    fn resize(&self, block: *mut u8, old: usize, new: usize) -> *mut u8 {
        let to = self.take(new);
        unsafe { to.copy_from_nonoverlapping(block, old) };
        to
    }

    #[mstx::heap_reset(heap = self.slab)]
    fn reset(&self) {
        self.used.set(0);
    }

    fn free_memory(&self) -> *mut u8 {
        self.slab.wrapping_add(BYTES - 32)
    }

    #[mstx::region_unregister(heap = self.slab, ptr = block)]
    #[track_caller]
    fn free_at(&self, block: *mut u8) {
        let _ = block;
    }
}

impl Drop for Bump {
    #[mstx::heap_unregister(heap = self.slab)]
    fn drop(&mut self) {
        Source::Malloc.give_back(self.slab, BYTES);
    }
}
