//! Header in front, rounding behind: the tool must hear about the caller's bytes only.

use std::cell::Cell;

struct Pool {
    base: *mut u8,
    top: Cell<usize>,
}

const HDR: usize = 16;

#[mstx::region(size = n)]
fn take(pool: &Pool, n: usize, align: usize) -> *mut u8 {
    let start = (pool.top.get() + HDR).next_multiple_of(align);
    let n = n.next_multiple_of(align); // shadows the name used in the attribute
    pool.top.set(start + n);
    let header = pool.base.wrapping_add(start - HDR).cast::<usize>();
    // SAFETY: the pool's memory is large enough for what is taken here.
    unsafe { header.write_unaligned(n) };
    pool.base.wrapping_add(start)
}

pub(super) fn c11() {
    let mut mem = vec![0_u64; 512];
    let pool = Pool { base: mem.as_mut_ptr().cast(), top: Cell::new(0) };
    let (a, b) = (take(&pool, 5, 32), take(&pool, 33, 32));
    assert!(b as usize - a as usize >= 5 + HDR);
    println!("{a:p}\n{b:p}");
    crate::report::faults();
}
