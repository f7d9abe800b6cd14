//! A pool that grows by chunks. Each chunk is a heap, and begins with a link to the one before it.

use std::cell::Cell;
use std::ptr::null_mut;

use super::Pool;
use crate::memory::Source;

mstx::domain!(static CHUNKS = "chunks");

const BYTES: usize = 1024;
const LINK: usize = 16;

pub(crate) struct Growing {
    last: Cell<*mut u8>,
    used: Cell<usize>,
}

impl Growing {
    #[mstx::heap(domain = CHUNKS, size = BYTES)]
    fn grow(&self) -> *mut u8 {
        let chunk = Source::Malloc.get(BYTES);
        unsafe { chunk.cast::<*mut u8>().write(self.last.get()) };
        self.last.set(chunk);
        self.used.set(LINK);
        chunk
    }

    #[mstx::heap_unregister(heap = chunk, domain = CHUNKS)]
    fn give_back(chunk: *mut u8) {
        Source::Malloc.give_back(chunk, BYTES);
    }

    #[mstx::allocator_internal]
    fn before(chunk: *mut u8) -> *mut u8 {
        unsafe { chunk.cast::<*mut u8>().read() }
    }

    fn take(&self, bytes: usize) -> *mut u8 {
        if self.used.get() + bytes > BYTES {
            self.grow();
        }
        let at = self.used.get();
        self.used.set(at + bytes.next_multiple_of(16));
        self.last.get().wrapping_add(at)
    }

    fn give_all_back(&self) {
        let mut chunk = self.last.replace(null_mut());
        while !chunk.is_null() {
            let before = Self::before(chunk);
            Self::give_back(chunk);
            chunk = before;
        }
    }
}

impl Pool for Growing {
    const FULL: usize = 112;

    fn new() -> Self {
        let pool = Self { last: Cell::new(null_mut()), used: Cell::new(0) };
        pool.grow();
        pool.grow();
        pool
    }

    #[mstx::region(size = bytes, domain = CHUNKS)]
    #[track_caller]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        self.take(bytes)
    }

    #[mstx::region_unregister(ptr = block, domain = CHUNKS)]
    #[track_caller]
    fn free(&self, block: *mut u8) {
        let _ = block;
    }

    #[mstx::region_resize(ptr = block, size = new, domain = CHUNKS)]
    #[track_caller]
    fn resize(&self, block: *mut u8, old: usize, new: usize) -> *mut u8 {
        let to = self.take(new);
        unsafe { to.copy_from_nonoverlapping(block, old) };
        to
    }

    /// The chunks stay.
    fn reset(&self) {
        let mut chunk = self.last.get();
        while !chunk.is_null() {
            Self::reset_chunk(chunk);
            chunk = Self::before(chunk);
        }
        self.used.set(LINK);
    }

    fn free_memory(&self) -> *mut u8 {
        self.last.get().wrapping_add(BYTES - 32)
    }

    #[mstx::region_unregister(heap = self.last.get(), ptr = block, domain = CHUNKS)]
    #[track_caller]
    fn free_at(&self, block: *mut u8) {
        let _ = block;
    }
}

impl Growing {
    #[mstx::heap_reset(heap = chunk, domain = CHUNKS)]
    fn reset_chunk(chunk: *mut u8) {
        let _ = chunk;
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        self.give_all_back();
    }
}
