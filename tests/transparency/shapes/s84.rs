// shape: `?` on ControlFlow/Poll/Option<Result>; try inside macro args; nested `?` in closure
// edition: 2024
// expect: 3 0,6 0
use std::{ops::ControlFlow, task::Poll};
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn a(n: u8) -> ControlFlow<u8, *mut u8> { let f = |n| -> ControlFlow<u8> { if n == 0 { return ControlFlow::Break(1); } ControlFlow::Continue(()) }; f(n)?; ControlFlow::Continue(std::ptr::null_mut()) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn b(p: Poll<Result<u8, u8>>) -> Poll<Result<u8, u8>> { let x = p?; if x.is_pending() { return Poll::Pending; } x.map(Ok) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn c(p: Option<u8>) -> Option<String> { let s = format!("{}", p?); Some(s) }
pub fn main() { println!("{:?} {:?} {:?} {:?}", a(0), a(1), b(Poll::Ready(Ok(1))), c(Some(1))); println!("{:?} {:?}", b(Poll::Ready(Err(1))), c(None)); }
