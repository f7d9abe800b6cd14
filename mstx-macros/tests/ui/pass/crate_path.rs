//! Under another name, and through another crate.

use mstx as renamed;

mod facade {
    pub mod inner {
        pub use mstx;
    }
}

#[renamed::region(crate = renamed, size = n, domain = "renamed")]
fn by_another_name(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}

#[facade::inner::mstx::heap(size = n, crate = facade::inner::mstx)]
#[facade::inner::mstx::region(crate = self::facade::inner::mstx, size = n)]
fn reexported(n: usize) -> *mut u8 {
    by_another_name(n)
}

mod deeper {
    #[crate::facade::inner::mstx::region_resize(crate = crate::facade::inner::mstx, ptr = block, size = 1)]
    pub fn realloc(block: *mut u8) -> *mut u8 {
        super::reexported(block.addr())
    }

    #[super::renamed::range(crate = super::renamed)]
    pub async fn step() {}

    #[::mstx::flush(crate = ::mstx)]
    pub fn launch() {}
}

fn main() {
    deeper::realloc(std::ptr::null_mut());
    deeper::launch();
    drop(deeper::step());
}
