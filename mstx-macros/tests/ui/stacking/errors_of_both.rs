//! Two words with an error in each: both are told, whichever has to be expanded first.

#[mstx::region(sise = n)]
#[mstx::heap(size = n, hots)]
fn both(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}

#[mstx::region(size = n as i32)]
#[mstx::heap(size = "n")]
fn types(n: usize) -> *mut u8 {
    both(n)
}

#[mstx::heap]
#[mstx::region]
fn no_size(n: usize) -> *mut u8 {
    types(n)
}

fn main() {
    no_size(1);
}
