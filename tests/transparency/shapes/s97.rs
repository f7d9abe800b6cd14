// shape: cfg'd tails and statements: #[cfg] { a } #[cfg] { b }, cfg_attr, #[cfg] return
// edition: 2024
// expect: 3 0
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(n: usize) -> usize { #[cfg(all())] { n } #[cfg(any())] { Missing } }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn g(n: usize) -> usize { #[cfg(any())] { return Missing; } #[cfg(all())] if n == 3 { return 4; } n + 1 }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn h(n: usize) -> usize { match n { #[cfg(any())] 0 => return Missing, #[cfg(all())] 0 => return 7, _ => n } }
pub fn main() { println!("{} {} {}", f(1), g(3), h(0)); }
