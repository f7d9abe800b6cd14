//! A slab in which a header lies before each block: its size, and whether it is free. Neighbours that are free are merged.

use super::Pool;
use crate::memory::Source;

mstx::domain!(static HEADERS = "headers");

const BYTES: usize = 1 << 13;
const HEADER: usize = size_of::<Header>();

#[repr(C, align(16))]
struct Header {
    /// Of the block, without the header.
    size: usize,
    free: bool,
}

pub(crate) struct Headers {
    slab: *mut u8,
}

impl Headers {
    fn clear(&self) {
        unsafe { self.slab.cast::<Header>().write(Header { size: BYTES - HEADER, free: true }) };
    }

    fn find(&self, bytes: usize) -> *mut u8 {
        let (mut at, wanted) = (0, bytes.next_multiple_of(16));
        while at < BYTES {
            let header = unsafe { &mut *self.slab.add(at).cast::<Header>() };
            let mut next = at + HEADER + header.size;
            while header.free && next < BYTES {
                let other = unsafe { &*self.slab.add(next).cast::<Header>() };
                if !other.free {
                    break;
                }
                header.size += HEADER + other.size;
                next = at + HEADER + header.size;
            }
            if header.free && header.size >= wanted + HEADER {
                let rest = Header { size: header.size - wanted - HEADER, free: true };
                *header = Header { size: wanted, free: false };
                unsafe { self.slab.add(at + HEADER + wanted).cast::<Header>().write(rest) };
                return self.slab.wrapping_add(at + HEADER);
            }
            at = next;
        }
        unreachable!("there is room")
    }

    fn give(block: *mut u8) {
        unsafe { (*block.sub(HEADER).cast::<Header>()).free = true };
    }
}

impl Pool for Headers {
    const FULL: usize = 112;

    #[mstx::heap(domain = HEADERS, ptr = ret.slab, size = BYTES)]
    fn new() -> Self {
        let pool = Self { slab: Source::Malloc.get(BYTES) };
        pool.clear();
        pool
    }

    #[mstx::region(heap = self.slab, size = bytes)]
    #[track_caller]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        self.find(bytes)
    }

    #[mstx::region_unregister(heap = self.slab, ptr = block)]
    #[track_caller]
    fn free(&self, block: *mut u8) {
        Self::give(block);
    }

    #[mstx::region_resize(heap = self.slab, ptr = block, size = new)]
    #[track_caller]
    fn resize(&self, block: *mut u8, old: usize, new: usize) -> *mut u8 {
        let to = self.find(new);
        unsafe { to.copy_from_nonoverlapping(block, old) };
        Self::give(block);
        to
    }

    #[mstx::heap_reset(heap = self.slab)]
    fn reset(&self) {
        self.clear();
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

impl Drop for Headers {
    #[mstx::heap_unregister(heap = self.slab)]
    fn drop(&mut self) {
        Source::Malloc.give_back(self.slab, BYTES);
    }
}
