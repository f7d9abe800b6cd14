//! `impl Trait`: what cannot be named must be able to say where the region is.

#[mstx::region(size = 3)]
fn iterator() -> impl Iterator<Item = *mut u8> {
    std::iter::empty()
}

#[mstx::region]
fn pointer() -> impl std::fmt::Pointer {
    std::ptr::null::<u8>()
}

fn main() {
    iterator().count();
    pointer();
}
