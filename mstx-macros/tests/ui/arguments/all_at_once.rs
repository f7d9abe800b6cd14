//! One attribute with everything wrong, and one with what the compiler finds out besides.

#[mstx::region(sise = n, heap, size = n?, size = 2, ptr = , domain = "a::b", "x", device: 3, crate = 3 + 4)]
fn alloc(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}

#[mstx::region(sise = n)]
fn alloc_wrong(n: usize) -> *mut u8 {
    let text: &str = n;
    nothing_of_this_name(text)
}

#[mstx::region_resize(device = 3)]
const fn realloc(block: *mut u8) -> *mut u8 {
    block
}

fn main() {
    realloc(alloc(1));
    alloc_wrong(1);
}
