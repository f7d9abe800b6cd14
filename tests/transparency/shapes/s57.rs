// shape: coercions at every return site: array -> slice, Box<T> -> Box<dyn>, &mut -> &, closure -> fn ptr, fn items in match arms
// edition: 2024
// expect: 5 0
use std::fmt::Debug;
#[mstx::region]
pub fn a(x: &mut [u8; 4], e: bool) -> &mut [u8] { if e { return &mut []; } x }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn b(e: u8) -> Box<dyn Debug> { if e == 0 { return Box::new(1u8); } match e { 1 => Box::new("s"), _ => Box::new(Some(2)) } }
#[mstx::region]
pub fn c(x: &mut u8) -> &u8 { if *x == 0 { return x; } x }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn d(e: bool) -> fn(u8) -> u8 { fn inc(x: u8) -> u8 { x + 1 } if e { return inc; } |x| x }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn g(e: u8) -> fn(u8) -> u8 { fn i(x: u8) -> u8 { x + 1 } fn j(x: u8) -> u8 { x } match e { 0 => i, _ => j } }
pub fn main() { println!("{:?} {:?} {} {} {}", a(&mut [1, 2, 3, 4], false), b(1), c(&mut 1), d(false)(1), g(0)(1)); }
