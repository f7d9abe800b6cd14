// shape: 2024: a local borrowed by a tail temporary (only compiles with 2024 scoping) under #[release] and under an opaque return
// edition: 2024
// expect: 1 1
use std::cell::RefCell;
#[mstx::region_unregister(ptr = p)]
pub fn f(p: *mut u8) -> usize { let _ = p; let c = RefCell::new(1usize); *c.borrow() }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn g() -> impl Iterator<Item = usize> { let c = RefCell::new(1usize); std::iter::once(*c.borrow()) }
pub fn main() { println!("{} {}", f(std::ptr::null_mut()), g().count()); }
