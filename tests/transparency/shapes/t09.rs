// shape: Drop-implementing return value with early return and panic later: dropped exactly once
// edition: 2024
// expect: 2 0
use helpers::Noisy;
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(e: bool) -> Result<Noisy, Noisy> { let a = Noisy("a"); if e { return Err(a); } let b = Noisy("b"); Ok(b) }
pub fn main() { println!("{}", f(true).is_err()); println!("{}", f(false).is_ok()); }
