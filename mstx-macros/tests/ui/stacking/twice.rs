#[mstx::region(size = n)]
#[mstx::region(size = n * 2)]
fn alloc(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}

#[mstx::flush]
#[inline]
#[mstx::flush]
#[mstx::flush]
fn launch() {}

use mstx::range;

#[mstx::range]
#[range]
fn step() {}

#[mstx::range(name = "a", crate = renamed)]
#[renamed::range(name = "b")]
fn renamed_step() {}

use mstx as renamed;

fn main() {
    alloc(1);
    launch();
    step();
    renamed_step();
}
