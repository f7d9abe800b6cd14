#[mstx::region(heap = pool, size = n, size = n * 2, heap = pool)]
fn alloc(pool: *mut u8, n: usize) -> *mut u8 {
    pool.wrapping_add(n)
}

#[mstx::heap(size = n, host, host, crate = mstx, crate = mstx)]
fn new(n: usize) -> *mut u8 {
    alloc(std::ptr::null_mut(), n)
}

fn main() {
    new(1);
}
