//! An allocator from a crate (`buddy_system_allocator`) on a slab of our own: the attributes go on a thin wrapper.

use buddy_system_allocator::Heap;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

#[path = "support/mod.rs"]
mod support;

/// One slab, cut into blocks whose sizes are powers of two.
struct BuddyPool {
    slab: NonNull<u8>,
    layout: Layout,
    heap: Heap<32>,
}

impl BuddyPool {
    // Without `domain`, it is the one named after the module: `buddy_pool`.
    #[mstx::heap(ptr = ret.slab, size = layout.size())]
    fn new(layout: Layout) -> Self {
        assert_ne!(layout.size(), 0);
        // SAFETY: the size is not zero.
        let slab = NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout));
        let mut heap = Heap::empty();
        // SAFETY: the slab is ours, and stays until the pool goes.
        unsafe { heap.init(slab.addr().get(), layout.size()) };
        Self { slab, layout, heap }
    }

    // The size asked for: what the power of two adds may not be accessed.
    #[mstx::region(heap = self.slab, size = layout.size())]
    #[track_caller]
    fn alloc(&mut self, layout: Layout) -> Option<NonNull<u8>> {
        self.heap.alloc(block(layout)?).ok()
    }

    /// # Safety
    /// The pointer came from this pool with this layout, and is not used any more.
    #[mstx::region_unregister(heap = self.slab, ptr = pointer)]
    #[track_caller]
    unsafe fn dealloc(&mut self, pointer: NonNull<u8>, layout: Layout) {
        let block = block(layout).expect("it was allocated");
        // SAFETY: the caller promises it.
        unsafe { self.heap.dealloc(pointer, block) };
    }

    /// The old region leaves and the new one comes, at the same place or another; if it is refused, nothing has changed.
    ///
    /// # Safety
    /// The pointer came from this pool with this layout. If this returns another, it is not used any more.
    #[mstx::region_resize(heap = self.slab, ptr = pointer, size = bytes)]
    #[track_caller]
    unsafe fn realloc(&mut self, pointer: NonNull<u8>, layout: Layout, bytes: usize) -> Option<NonNull<u8>> {
        let (old, new) = (block(layout)?, block(Layout::from_size_align(bytes, layout.align()).ok()?)?);
        if old == new {
            return Some(pointer);
        }
        let moved = self.heap.alloc(new).ok()?;
        // SAFETY: two blocks that are in use, both of at least so many bytes.
        unsafe { moved.copy_from_nonoverlapping(pointer, layout.size().min(bytes)) };
        // SAFETY: the caller promises it.
        unsafe { self.heap.dealloc(pointer, old) };
        Some(moved)
    }
}

impl Drop for BuddyPool {
    #[mstx::heap_unregister(heap = self.slab)]
    fn drop(&mut self) {
        assert_eq!(self.heap.stats_alloc_actual(), 0, "all blocks are back");
        // SAFETY: `new` allocated it so.
        unsafe { dealloc(self.slab.as_ptr(), self.layout) };
    }
}

/// The block that a layout takes.
fn block(layout: Layout) -> Option<Layout> {
    let size = layout.size().max(layout.align()).max(size_of::<usize>()).checked_next_power_of_two()?;
    Layout::from_size_align(size, layout.align()).ok()
}

/// What the program holds: a pointer, its layout, and the byte that it has filled it with.
struct Held {
    pointer: NonNull<u8>,
    layout: Layout,
    byte: u8,
}

impl Held {
    fn fill(&mut self, byte: u8) {
        self.byte = byte;
        // SAFETY: it is ours, and so long.
        unsafe { self.pointer.write_bytes(byte, self.layout.size()) };
    }

    fn check(&self, bytes: usize) {
        // SAFETY: it is ours, at least so long, and filled.
        let contents = unsafe { NonNull::slice_from_raw_parts(self.pointer, bytes).as_ref() };
        assert!(contents.iter().all(|byte| *byte == self.byte), "nobody else has written here");
    }
}

fn main() {
    let mut pool = BuddyPool::new(Layout::from_size_align(64 << 10, 4096).expect("a layout"));
    let mut held: Vec<Held> = Vec::new();
    let (mut refused, mut in_place, mut moved) = (0, 0, 0);

    let mut random = 1_u32;
    for step in 0..600 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let number = (random >> 8) as usize;
        let layout = Layout::from_size_align(1 + number % 3000, 1 << (number % 9)).expect("a layout");
        let index = number % held.len().max(1);
        match random >> 30 {
            0 if !held.is_empty() => {
                let Held { pointer, layout, .. } = held.swap_remove(index);
                // SAFETY: it came from there, with this layout.
                unsafe { pool.dealloc(pointer, layout) };
            }
            1 if !held.is_empty() => {
                let it = &mut held[index];
                // SAFETY: it came from there, with this layout.
                match unsafe { pool.realloc(it.pointer, it.layout, layout.size()) } {
                    Some(pointer) => {
                        *(if pointer == it.pointer { &mut in_place } else { &mut moved }) += 1;
                        let kept = it.layout.size().min(layout.size());
                        it.pointer = pointer;
                        it.layout = Layout::from_size_align(layout.size(), it.layout.align()).expect("a layout");
                        it.check(kept);
                        it.fill(number as u8);
                    }
                    None => refused += 1,
                }
            }
            _ => match pool.alloc(layout) {
                Some(pointer) => {
                    held.push(Held { pointer, layout, byte: 0 });
                    held.last_mut().expect("it was pushed").fill(number as u8);
                }
                None => refused += 1,
            },
        }
        if step % 20 == 0 {
            held.iter().for_each(|it| it.check(it.layout.size()));
            support::checkpoint(&held.iter().map(|it| (it.pointer.addr().get(), it.layout.size())).collect::<Vec<_>>());
        }
    }
    assert!(refused > 0 && in_place > 0 && moved > 0, "all three happened: {refused}, {in_place}, {moved}");

    for Held { pointer, layout, .. } in held {
        // SAFETY: it came from there, with this layout.
        unsafe { pool.dealloc(pointer, layout) };
    }
    drop(pool);
    support::finish();
}
