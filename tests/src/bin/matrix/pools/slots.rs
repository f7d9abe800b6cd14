//! Slots of one size, the list of those that are free apart from them; in a block of `malloc`'s, or in pages.

use std::cell::RefCell;

use super::Pool;
use crate::memory::Source;

mstx::domain! {
    static OF_MALLOC = "of_malloc";
    static OF_MMAP = "of_mmap"
}

const SLOT: usize = 256;
const SLOTS: usize = 32;
const BYTES: usize = SLOT * SLOTS;

macro_rules! slots {
    ($pool:ident, $domain:ident, $source:ident) => {
        pub(crate) struct $pool {
            slab: *mut u8,
            free: RefCell<Vec<usize>>,
        }

        impl $pool {
            fn take(&self) -> *mut u8 {
                let slot = self.free.borrow_mut().pop().expect("there is room");
                self.slab.wrapping_add(slot * SLOT)
            }

            fn give(&self, block: *mut u8) {
                self.free.borrow_mut().push((block.addr() - self.slab.addr()) / SLOT);
            }
        }

        impl Pool for $pool {
            const FULL: usize = SLOT;

            #[mstx::heap(domain = $domain, ptr = ret.slab, size = BYTES)]
            fn new() -> Self {
                Self { slab: Source::$source.get(BYTES), free: RefCell::new((0..SLOTS).rev().collect()) }
            }

            #[mstx::region(heap = self.slab, size = bytes)]
            #[track_caller]
            fn alloc(&self, bytes: usize) -> *mut u8 {
                assert!(bytes <= SLOT);
                self.take()
            }

            #[mstx::region_unregister(heap = self.slab, ptr = block)]
            #[track_caller]
            fn free(&self, block: *mut u8) {
                self.give(block);
            }

            #[mstx::region_resize(heap = self.slab, ptr = block, size = new)]
            #[track_caller]
            fn resize(&self, block: *mut u8, old: usize, new: usize) -> *mut u8 {
                assert!(new <= SLOT);
                let to = self.take();
                unsafe { to.copy_from_nonoverlapping(block, old) };
                self.give(block);
                to
            }

            #[mstx::heap_reset(heap = self.slab)]
            fn reset(&self) {
                *self.free.borrow_mut() = (0..SLOTS).rev().collect();
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

        impl Drop for $pool {
            #[mstx::heap_unregister(heap = self.slab)]
            fn drop(&mut self) {
                Source::$source.give_back(self.slab, BYTES);
            }
        }
    };
}

slots!(OfMalloc, OF_MALLOC, Malloc);
slots!(OfMmap, OF_MMAP, Mmap);
