// shape: `crate = path`, also with a macro that wraps the attribute
// edition: 2021
// expect: 3 1
pub mod facade { pub use mstx::{heap, region, region_unregister, __private}; }
#[facade::region(crate = crate::facade, size = n)]
pub fn a(n: usize) -> *mut u8 { if n == 0 { return std::ptr::null_mut(); } n as *mut u8 }
macro_rules! alloc { ($($item:tt)*) => { #[$crate::facade::region(crate = $crate::facade, size = 4)] $($item)* }; }
alloc! { #[must_use] pub fn b(n: usize) -> *mut u8 { n as *mut u8 } }
use facade as f;
#[f::region_unregister(crate = crate::facade, ptr = p)]
#[facade::region(crate = crate::facade, size = 1)]
pub fn c(p: *mut u8) -> *mut u8 { p }
pub fn main() { println!("{:?} {:?} {:?}", a(1), b(2), c(std::ptr::null_mut())); }
