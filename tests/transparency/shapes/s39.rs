// shape: other attributes: inline(always), must_use, cold, doc, allow, expect, deprecated, inner attribute
// edition: 2024
// expect: 3 0
/// Doc.
#[inline(always)]
#[must_use = "leaks"]
#[mstx::region(size = 1)]
#[allow(clippy::inline_always, unused_variables)]
pub fn f(n: usize) -> *mut u8 { let unused = 1; std::ptr::null_mut() }
#[cold]
#[inline(never)]
#[mstx::region(size = 1)]
#[expect(unused_variables, clippy::unnecessary_wraps, reason = "corpus")]
fn g(a: u8) -> Option<*mut u8> { #![allow(unused_mut)] let mut k = 1; let _ = k; Some(std::ptr::null_mut()) }
#[deprecated]
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn h(a: usize) -> usize { a }
#[allow(deprecated)]
pub fn main() { println!("{:?} {:?} {}", f(1), g(1), h(2)); }
