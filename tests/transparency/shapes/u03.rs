// shape: words before the body: items first, items named like the arguments, inner attributes, unit tails, blocks as bodies
// edition: 2024
// expect: 0 7
#[mstx::region_unregister(ptr = n)]
pub fn a(n: usize) -> usize { use std::cmp::max as bigger; const K: usize = 3; fn n2() -> usize { 2 } bigger(n, K) + n2() }
pub mod m { pub const SIZE: usize = 1; }
use m::SIZE;
#[mstx::region_unregister(ptr = 4096_usize, size = SIZE)]
pub fn b() -> &'static str { const SIZE: &str = "x"; SIZE }
#[mstx::region_unregister(ptr = 4096_usize)]
pub fn c() { #![allow(clippy::let_unit_value)] let unit = (); unit }
#[mstx::region_unregister(ptr = p)]
pub fn d(p: *mut u8) -> bool { { p.is_null() } }
#[mstx::region_unregister(ptr = p)]
pub fn e(p: *mut u8) { if p.is_null() { return } println!("not null"); }
#[mstx::region_unregister(ptr = p)]
#[expect(clippy::needless_return, clippy::unnecessary_wraps)]
fn f(p: *mut u8) -> Option<bool> { return Some(p.is_null()); }
#[mstx::region_unregister(ptr = p)]
#[allow(clippy::missing_errors_doc)]
pub fn g(p: *mut u8) -> std::io::Result<()> { if p.is_null() { return Ok(()); } Err(std::io::Error::other("x")) }
pub fn main() { println!("{} {}", a(1), b()); c(); println!("{}", d(std::ptr::null_mut())); e(std::ptr::null_mut()); println!("{:?} {:?}", f(std::ptr::null_mut()), g(std::ptr::null_mut()).is_ok()); }
