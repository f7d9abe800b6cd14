//! The same for a body that does not parse.

// #[mstx::region(size = n)]
fn alloc(n: usize) -> *mut u8 {
    let = n;
    if n == 3 {
        return;
    }
    n as
}

// #[mstx::region_unregister(ptr = block)]
fn free(block: *mut u8) {
    block.;
}

fn main() {
    free(alloc(1));
}
