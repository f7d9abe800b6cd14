// shape: edition 2015 (`extern crate mstx;`, macro path)
// edition: 2015
// expect: 1 0
extern crate mstx;
#[mstx::region(size = 1)]
pub fn f(n: usize) -> *mut u8 { if n == 0 { return std::ptr::null_mut(); } n as *mut u8 }
pub fn main() { println!("{:?}", f(1)); }
