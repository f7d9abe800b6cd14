// shape: the facade is reached through another crate only, and through that crate's macros
// edition: 2024
// facade: none
// expect: 3 2
pub use reexporting::mstx as tracker;
use reexporting::mstx::region;
#[reexporting::mstx::region(crate = reexporting::mstx, size = n)]
pub fn a(n: usize) -> *mut u8 { if n == 0 { return std::ptr::null_mut(); } std::ptr::without_provenance_mut(n) }
#[region(crate = crate::tracker, size = n)]
#[tracker::region_unregister(crate = crate::tracker, ptr = 4096_usize)]
pub fn b(n: usize) -> *mut u8 { std::ptr::without_provenance_mut(n) }
reexporting::allocates! { #[must_use] pub fn c(n: usize) -> *mut u8 { if n == 1 { return std::ptr::null_mut(); } std::ptr::without_provenance_mut(n) } }
reexporting::release!(d(p), { p.is_null() });
pub fn main() { println!("{:?} {:?} {:?} {}", a(1), b(2), c(3), d(std::ptr::null_mut())); }
