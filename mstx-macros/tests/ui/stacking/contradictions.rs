//! What two words say of one call that cannot both be true: whichever is written first.

#[mstx::region(size = n)]
#[mstx::region_resize(ptr = block, size = n)]
fn resize_registers(block: *mut u8, n: usize) -> *mut u8 {
    block.wrapping_add(n)
}

#[mstx::region_resize(ptr = block, size = n)]
#[mstx::region_unregister(ptr = block)]
fn resize_releases(block: *mut u8, n: usize) -> *mut u8 {
    block.wrapping_add(n)
}

#[mstx::heap_resize(heap = base, size = n)]
#[mstx::heap(size = n)]
fn new_grows(base: *mut u8, n: usize) -> *mut u8 {
    base.wrapping_add(n)
}

#[mstx::heap(size = n)]
#[mstx::heap_reset(heap = base)]
fn new_resets(base: *mut u8, n: usize) -> *mut u8 {
    base.wrapping_add(n)
}

#[mstx::heap_unregister(heap = base)]
#[mstx::heap_resize(heap = base, size = n)]
#[mstx::heap_reset(heap = base)]
fn end_grows(base: *mut u8, n: usize) {
    let _ = base.wrapping_add(n);
}

fn main() {
    let block = std::ptr::null_mut();
    resize_registers(block, 1);
    resize_releases(block, 1);
    new_grows(block, 1);
    new_resets(block, 1);
    end_grows(block, 1);
}
