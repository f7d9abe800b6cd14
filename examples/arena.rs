//! Arenas that grow in place and are reset; and arenas on the blocks of another pool.
//!
//! A heap may lie inside a live region of another heap. Tools know no such thing, so while it does, they are told the parts
//! of the outer region beside the inner heap, and the regions inside.

use std::ptr::NonNull;

#[path = "support/mod.rs"]
mod support;

// An arena that fills its block starts where the block starts, and the first block starts where the pool does. `heap =` with
// that address could mean either: a heap is known by its start and its domain, so each kind of pool has a domain of its own.
mstx::domain! {
    static BLOCKS = "blocks";
    static ARENAS = "arenas"
}

const BLOCK: usize = 8192;
const PAGE: usize = 1024;

/// Blocks of one size from one slab, in a free list.
struct Blocks {
    slab: NonNull<[u8]>,
    free: Vec<NonNull<u8>>,
}

impl Blocks {
    #[mstx::heap(domain = BLOCKS, ptr = ret.slab)]
    fn new(count: usize) -> Self {
        let slab = NonNull::from(Box::leak(vec![0_u8; count * BLOCK].into_boxed_slice()));
        // SAFETY: every block lies inside the slab.
        let free = (0..count).rev().map(|index| unsafe { slab.cast::<u8>().add(index * BLOCK) }).collect();
        Self { slab, free }
    }

    #[mstx::region(heap = self.slab, domain = BLOCKS)]
    #[track_caller]
    fn take(&mut self) -> Option<NonNull<[u8]>> {
        Some(NonNull::slice_from_raw_parts(self.free.pop()?, BLOCK))
    }

    #[mstx::region_unregister(heap = self.slab, domain = BLOCKS, ptr = block)]
    #[track_caller]
    fn give_back(&mut self, block: NonNull<[u8]>) {
        self.free.push(block.cast());
    }
}

impl Drop for Blocks {
    #[mstx::heap_unregister(heap = self.slab, domain = BLOCKS)]
    fn drop(&mut self) {
        // SAFETY: `new` leaked it, and all blocks are back.
        drop(unsafe { Box::from_raw(self.slab.as_ptr()) });
    }
}

/// The arena has no more room, and cannot grow.
#[derive(Debug)]
struct Full;

/// A bump allocator on memory that somebody else owns. It begins with one page of it and takes more as it needs more.
struct Arena {
    reserved: NonNull<[u8]>,
    committed: usize,
    used: usize,
    /// For the checks only: the arena's own list of what is live.
    live: Vec<(usize, usize)>,
}

impl Arena {
    #[mstx::heap(domain = ARENAS, ptr = memory.cast::<u8>(), size = PAGE)]
    fn on(memory: NonNull<[u8]>) -> Self {
        Self { reserved: memory, committed: PAGE, used: 0, live: Vec::new() }
    }

    #[mstx::region(heap = self, domain = ARENAS, size = bytes)]
    #[track_caller]
    fn alloc(&mut self, bytes: usize) -> Result<NonNull<u8>, Full> {
        let start = self.used.next_multiple_of(16);
        let end = start.checked_add(bytes).ok_or(Full)?;
        if end > self.committed {
            self.resize(end.checked_next_multiple_of(PAGE).ok_or(Full)?)?;
        }
        // SAFETY: the end is inside what is committed, which is inside what is reserved.
        let pointer = unsafe { self.reserved.cast::<u8>().add(start) };
        self.used = end;
        self.live.push((pointer.addr().get(), bytes));
        Ok(pointer)
    }

    /// Takes more of the memory, or gives some of it back. A growth is reported after the body and a shrink before it.
    #[mstx::heap_resize(heap = self, domain = ARENAS, size = committed)]
    fn resize(&mut self, committed: usize) -> Result<(), Full> {
        if committed > self.reserved.len() || committed < self.used {
            return Err(Full);
        }
        self.committed = committed; // with pages of an operating system, this is where `mprotect` or `madvise` would be
        Ok(())
    }

    /// Takes everything back at once.
    #[mstx::heap_reset(heap = self, domain = ARENAS)]
    fn reset(&mut self) {
        self.used = 0;
        self.live.clear();
    }

    /// Ends the arena, with all that is in it, and returns the memory that it was on.
    #[mstx::heap_unregister(heap = self, domain = ARENAS)]
    fn end(self) -> NonNull<[u8]> {
        self.reserved
    }

    /// What a tool sees of a region that this arena lies on: the part behind the arena, and what is live in it.
    fn told(&self) -> Vec<(usize, usize)> {
        let rest = (self.reserved.cast::<u8>().addr().get() + self.committed, self.reserved.len() - self.committed);
        self.live.iter().copied().chain((rest.1 > 0).then_some(rest)).collect()
    }
}

impl mstx::AsHeap for Arena {
    fn as_heap(&self) -> mstx::HeapKey {
        self.reserved.into()
    }
}

fn main() {
    on_its_own();
    on_blocks();
    support::finish();
}

/// The memory below the arena belongs to no heap.
fn on_its_own() {
    let mut memory = vec![0_u8; BLOCK];
    let mut arena = Arena::on(NonNull::from(memory.as_mut_slice()));
    for round in 1..=3 {
        for size in 1..=round * 40 {
            let pointer = arena.alloc(size).expect("there is room");
            // SAFETY: the memory is ours, and this part of it was just handed out.
            unsafe { pointer.write_bytes(0xaa, size) };
        }
        assert!(arena.alloc(BLOCK).is_err(), "refused: nothing is reported");
        support::checkpoint(&arena.live);
        arena.reset();
        support::checkpoint(&[]);
        arena.resize(PAGE).expect("it is empty");
    }
    arena.alloc(10).expect("there is room");
    arena.reset(); // or the end of the heap would be a fault, since a region is live
    arena.end();
}

/// The memory below each arena is a region of another heap.
fn on_blocks() {
    let mut blocks = Blocks::new(4);
    let [first, second, third] = [blocks.take(), blocks.take(), blocks.take()].map(|block| block.expect("there are four"));
    let plain = (second.cast::<u8>().addr().get(), BLOCK);

    let mut arenas = [first, third].map(Arena::on);
    for size in [100, 600, 2000, 5000] {
        for arena in &mut arenas {
            arena.alloc(size).expect("there is room");
        }
        let [one, other] = arenas.each_ref().map(Arena::told);
        support::checkpoint(&[&[plain][..], &one, &other].concat());
    }

    let [mut one, other] = arenas;
    one.resize(BLOCK).expect("as much as there is"); // now nothing of the block is beside the arena
    support::checkpoint(&[&[plain][..], &one.live, &other.told()].concat());

    // When an arena ends, the block that it was on is a region like any other again, and can be given back.
    for mut arena in [one, other] {
        arena.reset();
        let block = arena.end();
        blocks.give_back(block);
    }
    support::checkpoint(&[plain]);
    blocks.give_back(second);
}
