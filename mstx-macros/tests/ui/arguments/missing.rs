#[mstx::heap_unregister]
fn end() {}

#[mstx::heap_reset(domain = "pool")]
fn reset() {}

#[mstx::heap_resize(heap = base)]
fn grow(base: *mut u8, more: usize) {
    let _ = (base, more);
}

#[mstx::heap_resize()]
fn grow_somehow() {}

#[mstx::region_unregister(size = n)]
fn free(block: *mut u8, n: usize) {
    let _ = (block, n);
}

#[mstx::region_resize]
fn realloc(block: *mut u8, n: usize) -> *mut u8 {
    let _ = n;
    block
}

#[mstx::region_resize(ptr = block)]
fn realloc_to(block: *mut u8, n: usize) -> *mut u8 {
    realloc(block, n)
}

fn main() {
    let block = std::ptr::null_mut();
    end();
    reset();
    grow(block, 1);
    grow_somehow();
    free(realloc_to(block, 1), 1);
}
