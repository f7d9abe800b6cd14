//! The same for lints.

#![deny(warnings)]

use std::ptr::NonNull;

// #[mstx::region(size = n)]
fn alloc(n: usize, unused: usize) -> Option<NonNull<u8>> {
    let mut at = n;
    let never_read;
    never_read = 3;
    NonNull::new(at as *mut u8);
    if n == 3 {
        return None;
        println!("unreachable");
    }
    (NonNull::new(n as *mut u8))
}

// #[mstx::region_unregister(ptr = block)]
fn free(block: NonNull<u8>, unused: usize) -> Result<(), ()> {
    free_all(3);
    let Block = block;
    return Ok(());
    Err(())
}

// #[mstx::heap_reset(heap = base)]
fn reset(base: NonNull<u8>) {
    let mut count = 3;
    while true {}
    while base.as_ptr().is_null() {
        return;
        drop(base);
    }
}

#[must_use]
fn free_all(n: usize) -> usize {
    n
}

// #[mstx::range]
fn dead() {}

// #[mstx::region(size = 1)]
fn dead_region() -> *mut u8 {
    todo!()
}

fn main() {
    free(alloc(1, 2).unwrap(), 3).unwrap();
    reset(NonNull::dangling());
}
