//! The classic: the free list lives inside the freed blocks.

use std::alloc::{Layout, alloc};
use std::cell::Cell;
use std::ptr::null_mut;

struct Pool {
    base: *mut u8,
    head: Cell<*mut u8>,
}

impl Pool {
    fn new() -> Pool {
        let layout = Layout::from_size_align(4096, 16).expect("a good layout");
        // SAFETY: the layout is not empty.
        Pool { base: unsafe { alloc(layout) }, head: Cell::new(null_mut()) }
    }

    fn block(&self, index: usize) -> *mut u8 {
        self.base.wrapping_add(32 * index)
    }

    /// Writes the link into the block: after "released", before the annotated function returns.
    fn link(&self, p: *mut u8) {
        // SAFETY: the block is one of the pool's, and free.
        unsafe { p.cast::<*mut u8>().write_unaligned(self.head.get()) };
        self.head.set(p);
    }
}

#[mstx::region_unregister(ptr = p)]
fn put(pool: &Pool, p: *mut u8) {
    pool.link(p);
}

#[mstx::region(size = 32)]
fn take(pool: &Pool) -> *mut u8 {
    let p = pool.head.get();
    // SAFETY: the block is free, so it holds a link: read before "registered".
    pool.head.set(unsafe { p.cast::<*mut u8>().read_unaligned() });
    p
}

fn use_it(pool: &Pool) {
    let (a, b) = (take(pool), take(pool));
    // SAFETY: the block is ours and has 32 bytes.
    unsafe { a.write_bytes(1, 32) };
    // SAFETY: the block is ours and has 32 bytes.
    unsafe { b.write_bytes(2, 32) };
    put(pool, a);
    put(pool, b);
    crate::report::faults();
}

/// Seeded through the inner function, which is not annotated.
pub(super) fn c45() {
    let pool = Pool::new();
    (0..8).for_each(|i| pool.link(pool.block(i)));
    use_it(&pool);
}

/// Seeded by releases of what nobody has registered.
pub(super) fn c45_annotated_seeding() {
    let pool = Pool::new();
    (0..8).for_each(|i| put(&pool, pool.block(i)));
    use_it(&pool);
}
