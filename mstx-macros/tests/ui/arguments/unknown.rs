//! The message lists what the word takes, and names the one that was probably meant.

#[mstx::heap(size = len, devise = 1)]
fn new(len: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(len)
}

#[mstx::region(sise = n)]
fn alloc(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}

#[mstx::region_unregister(p = block, hep = pool)]
fn free(pool: *mut u8, block: *mut u8) {
    let _ = (pool, block);
}

#[mstx::flush(all)]
fn launch() {}

fn main() {
    new(1);
    launch();
    free(alloc(2), alloc(3));
}
