//! A bump pool answers `take(0)` with the address the next real block will get.

use std::cell::Cell;

struct Pool {
    base: usize,
    top: Cell<usize>,
}

#[mstx::region(size = n)]
fn take(pool: &Pool, n: usize) -> *mut u8 {
    (pool.base + pool.top.replace(pool.top.get() + n)) as *mut u8
}

#[mstx::region_unregister(ptr = p, size = n)]
fn put(pool: &Pool, p: *mut u8, n: usize) {
    let _ = (pool, p, n);
}

pub(super) fn c13() {
    let pool = Pool { base: 0x10000, top: Cell::new(0) };
    let none = take(&pool, 0);
    let real = take(&pool, 16);
    assert_eq!(none, real);
    put(&pool, none, 0); // must not take the 16-byte region with it
    put(&pool, real, 16);
    crate::report::faults();
}
