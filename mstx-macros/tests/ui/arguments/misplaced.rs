//! Names that are known, but not to this word, or not beside that one.

#[mstx::heap(heap = outer, size = n)]
fn arena(outer: *mut u8, n: usize) -> *mut u8 {
    outer.wrapping_add(n)
}

#[mstx::heap(size = n, host, device = 1)]
fn pinned(n: usize) -> *mut u8 {
    arena(std::ptr::null_mut(), n)
}

#[mstx::region(heap = pool, size = n, device = 1)]
fn alloc(pool: *mut u8, n: usize) -> *mut u8 {
    pool.wrapping_add(n)
}

#[mstx::region(size = n, host, deferred, name = "block")]
fn alloc_host(n: usize) -> *mut u8 {
    alloc(std::ptr::null_mut(), n)
}

#[mstx::region_unregister(ptr = block, device = 1)]
fn free(block: *mut u8) {
    let _ = block;
}

#[mstx::heap_unregister(heap = pool, size = 3)]
fn end(pool: *mut u8) {
    let _ = pool;
}

#[mstx::flush(domain = "pool", returns_in_macros)]
fn launch() {}

#[mstx::range(size = 3)]
fn step() {}

#[mstx::allocator_internal(ptr = block)]
fn link(block: *mut u8) {
    let _ = block;
}

fn main() {
    let pool = pinned(1);
    free(alloc_host(2));
    launch();
    step();
    link(pool);
    end(pool);
}
