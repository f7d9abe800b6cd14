// shape: expectations of lints that the rewritten body does not show any more
// edition: 2024
// expect: 4 0
#[mstx::region(ptr = 4096_usize, size = 1)]
#[expect(clippy::needless_return)]
pub fn a() -> usize { return 1; }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn b(n: usize) -> usize { #![expect(clippy::needless_return, reason = "style")] if n == 0 { return 2; } return 1; }
#[expect(unused_variables, clippy::unnecessary_wraps, clippy::question_mark, reason = "as above")]
#[mstx::region(ptr = 4096_usize, size = 1)]
fn c(x: Option<usize>) -> Option<usize> { let unused = 1; if x.is_none() { return None; } Some(1) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn d(n: usize) -> usize { if n == 0 { return 1; } #[expect(clippy::needless_return, unused_parens)] return (1); }
pub fn main() { println!("{} {} {:?} {}", a(), b(1), c(Some(1)), d(1)); }
