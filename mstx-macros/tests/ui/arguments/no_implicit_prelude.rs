//! The messages are the same where no name of the standard library is in scope.
#![no_implicit_prelude]

mod core_less {
    #[::mstx::region(sise = n)]
    pub fn alloc(n: usize) -> *mut u8 {
        ::std::ptr::without_provenance_mut(n)
    }
}

#[::mstx::heap_reset]
fn reset() {}

fn main() {
    core_less::alloc(1);
    reset();
}
