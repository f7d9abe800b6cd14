//! A free list whose links lie in the free blocks themselves.

use std::cell::Cell;
use std::ptr::null_mut;

use super::Pool;
use crate::memory::Source;

mstx::domain!(static FREE_LIST = "free_list");

const BLOCK: usize = 256;
const BLOCKS: usize = 32;
const BYTES: usize = BLOCK * BLOCKS;

pub(crate) struct FreeList {
    slab: *mut u8,
    head: Cell<*mut u8>,
}

impl FreeList {
    fn link(&self, block: *mut u8) {
        unsafe { block.cast::<*mut u8>().write_unaligned(self.head.get()) };
        self.head.set(block);
    }

    fn unlink(&self) -> *mut u8 {
        let block = self.head.get();
        assert!(!block.is_null());
        self.head.set(unsafe { block.cast::<*mut u8>().read_unaligned() });
        block
    }

    fn carve(&self) {
        self.head.set(null_mut());
        (0..BLOCKS).rev().for_each(|index| self.link(self.slab.wrapping_add(index * BLOCK)));
    }
}

impl Pool for FreeList {
    const FULL: usize = BLOCK;

    #[mstx::heap(domain = FREE_LIST, ptr = ret.slab, size = BYTES)]
    fn new() -> Self {
        let pool = Self { slab: Source::Mmap.get(BYTES), head: Cell::new(null_mut()) };
        pool.carve();
        pool
    }

    #[mstx::region(heap = self.slab, size = bytes)]
    #[track_caller]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        assert!(bytes <= BLOCK);
        self.unlink()
    }

    #[mstx::region_unregister(heap = self.slab, ptr = block)]
    #[track_caller]
    fn free(&self, block: *mut u8) {
        self.link(block);
    }

    #[mstx::region_resize(heap = self.slab, ptr = block, size = new)]
    #[track_caller]
    fn resize(&self, block: *mut u8, old: usize, new: usize) -> *mut u8 {
        let to = self.unlink();
        assert!(new <= BLOCK);
        unsafe { to.copy_from_nonoverlapping(block, old) };
        self.link(block);
        to
    }

    #[mstx::heap_reset(heap = self.slab)]
    fn reset(&self) {
        self.carve();
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

impl Drop for FreeList {
    #[mstx::heap_unregister(heap = self.slab)]
    fn drop(&mut self) {
        Source::Mmap.give_back(self.slab, BYTES);
    }
}
