//! A path that leads to no crate, or to another one.

#[mstx::region(size = n, crate = mstxx)]
fn unknown(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}

#[mstx::flush(crate = std)]
fn another() {}

fn main() {
    unknown(1);
    another();
}
