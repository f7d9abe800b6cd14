//! `ret` is there after the body only.

#[mstx::region_unregister(ptr = ret)]
fn free(block: *mut u8) -> *mut u8 {
    block
}

#[mstx::region_resize(ptr = block, size = ret.len())]
fn realloc(block: *mut u8) -> *mut [u8] {
    std::ptr::slice_from_raw_parts_mut(block, 3)
}

#[mstx::heap_unregister(heap = { let base = ret; base })]
fn end(pool: *mut u8) -> *mut u8 {
    pool
}

#[mstx::range(name = format!("{ret}"))]
fn step() -> u8 {
    3
}

#[mstx::region(heap = ret.pool, domain = ret.domain, size = 3)]
fn alloc(pool: *mut u8) -> *mut u8 {
    pool
}

#[mstx::heap(domain = ret.domain, size = 3)]
fn new(pool: *mut u8) -> *mut u8 {
    pool
}

fn main() {
    step();
    free(end(realloc(alloc(new(std::ptr::null_mut()))).cast()));
}
