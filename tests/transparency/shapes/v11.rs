// shape: the crate knows the facade by another name
// edition: 2024
// facade: tracker
// expect: 3 1
mod words { pub use tracker::{region, region_unregister}; }
#[tracker::region(crate = tracker, size = n)]
pub fn a(n: usize) -> *mut u8 { if n == 0 { return std::ptr::null_mut(); } std::ptr::without_provenance_mut(n) }
#[words::region_unregister(crate = ::tracker, ptr = p)]
#[words::region(crate = tracker, size = 4)]
pub fn b(p: *mut u8) -> *mut u8 { p }
use tracker::region as track;
#[track(crate = tracker, size = ret.len(), ptr = ret.as_ptr())]
pub fn c(n: u8) -> Vec<u8> { vec![n] }
pub fn main() { println!("{:?} {:?} {:?}", a(1), b(std::ptr::null_mut()), c(3)); }
