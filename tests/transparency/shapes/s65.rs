// shape: uninhabited pieces: Result<Infallible, E>, -> Infallible
// edition: 2024
// expect: 1 0
use std::convert::Infallible;
/// # Errors
/// e
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn a(n: u8) -> Result<Infallible, u8> { if n == 0 { return Err(1); } Err(n) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn b() -> Infallible { std::process::exit(0) }
pub fn main() { println!("{:?}", a(3)); b(); }
