//! A buddy allocator: free blocks of each order are linked through the blocks themselves, in both directions.

use std::cell::RefCell;
use std::ptr::null_mut;

use super::Pool;
use crate::memory::Source;

mstx::domain!(static BUDDY = "buddy");

const SMALLEST: usize = 64;
const ORDERS: usize = 8;
const BYTES: usize = SMALLEST << (ORDERS - 1);

/// What lies in a free block.
#[repr(C)]
struct Free {
    next: *mut Free,
    before: *mut Free,
    order: usize,
}

struct Lists {
    first: [*mut Free; ORDERS],
    /// The order of the block that begins at each smallest one, and whether it is free.
    blocks: [Option<(usize, bool)>; BYTES / SMALLEST],
}

pub(crate) struct Buddy {
    slab: *mut u8,
    lists: RefCell<Lists>,
}

impl Lists {
    fn new(slab: *mut u8) -> Self {
        let mut lists = Self { first: [null_mut(); ORDERS], blocks: [None; BYTES / SMALLEST] };
        lists.push(slab, 0, ORDERS - 1);
        lists
    }

    fn push(&mut self, slab: *mut u8, at: usize, order: usize) {
        let free = slab.wrapping_add(at).cast::<Free>();
        unsafe {
            free.write(Free { next: self.first[order], before: null_mut(), order });
            if let Some(next) = self.first[order].as_mut() {
                next.before = free;
            }
        }
        self.first[order] = free;
        self.blocks[at / SMALLEST] = Some((order, true));
    }

    fn pull(&mut self, slab: *mut u8, free: *mut Free) -> usize {
        let Free { next, before, order } = unsafe { free.read() };
        unsafe {
            if let Some(next) = next.as_mut() {
                next.before = before;
            }
            match before.as_mut() {
                Some(before) => before.next = next,
                None => self.first[order] = next,
            }
        }
        free.addr() - slab.addr()
    }

    fn take(&mut self, slab: *mut u8, bytes: usize) -> *mut u8 {
        let order = (bytes.next_power_of_two().max(SMALLEST) / SMALLEST).trailing_zeros() as usize;
        let from = (order..ORDERS).find(|&order| !self.first[order].is_null()).expect("there is room");
        let at = self.pull(slab, self.first[from]);
        for half in (order..from).rev() {
            self.push(slab, at + (SMALLEST << half), half);
        }
        self.blocks[at / SMALLEST] = Some((order, false));
        slab.wrapping_add(at)
    }

    fn give(&mut self, slab: *mut u8, block: *mut u8) {
        let mut at = block.addr() - slab.addr();
        let Some((mut order, _)) = self.blocks[at / SMALLEST] else { return };
        while order < ORDERS - 1 {
            let buddy = at ^ (SMALLEST << order);
            if self.blocks[buddy / SMALLEST] != Some((order, true)) {
                break;
            }
            self.pull(slab, slab.wrapping_add(buddy).cast());
            self.blocks[at.max(buddy) / SMALLEST] = None;
            at = at.min(buddy);
            order += 1;
        }
        self.push(slab, at, order);
    }
}

impl Pool for Buddy {
    const FULL: usize = 128;

    #[mstx::heap(domain = BUDDY, ptr = ret.slab, size = BYTES)]
    fn new() -> Self {
        let slab = Source::Mmap.get(BYTES);
        Self { slab, lists: RefCell::new(Lists::new(slab)) }
    }

    #[mstx::region(heap = self.slab, size = bytes)]
    #[track_caller]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        self.lists.borrow_mut().take(self.slab, bytes)
    }

    #[mstx::region_unregister(heap = self.slab, ptr = block)]
    #[track_caller]
    fn free(&self, block: *mut u8) {
        self.lists.borrow_mut().give(self.slab, block);
    }

    #[mstx::region_resize(heap = self.slab, ptr = block, size = new)]
    #[track_caller]
    fn resize(&self, block: *mut u8, old: usize, new: usize) -> *mut u8 {
        let mut lists = self.lists.borrow_mut();
        let to = lists.take(self.slab, new);
        unsafe { to.copy_from_nonoverlapping(block, old) };
        lists.give(self.slab, block);
        to
    }

    #[mstx::heap_reset(heap = self.slab)]
    fn reset(&self) {
        *self.lists.borrow_mut() = Lists::new(self.slab);
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

impl Drop for Buddy {
    #[mstx::heap_unregister(heap = self.slab)]
    fn drop(&mut self) {
        Source::Mmap.give_back(self.slab, BYTES);
    }
}
