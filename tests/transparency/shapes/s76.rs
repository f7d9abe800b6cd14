// shape: large by-value returns (RVO), MaybeUninit, arrays
// edition: 2024
// expect: 2 0
use std::mem::MaybeUninit;
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(n: u8) -> [u8; 4096] { let mut a = [n; 4096]; if n == 0 { return a; } a[1] = 9; a }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn g() -> MaybeUninit<[u64; 512]> { MaybeUninit::uninit() }
pub fn main() { println!("{}", f(1)[1]); let _ = g(); }
