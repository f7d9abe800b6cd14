//! A library with an annotated pool.

#[mstx::region(size = n)]
#[inline(never)]
pub fn take(n: usize) -> *mut u8 {
    (0x10000 + n) as *mut u8
}

#[mstx::region_unregister(ptr = p)]
#[inline(never)]
pub fn put(p: *mut u8) {
    std::hint::black_box(p);
}
