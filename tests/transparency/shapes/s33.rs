// shape: const fn: clear compile error (tracing #2414)
// edition: 2024
// expect: fail `#[mstx::region]` cannot instrument a `const fn`
#[mstx::region(size = 1)]
pub const fn f(n: usize) -> *mut u8 { std::ptr::without_provenance_mut(n) }
pub fn main() { println!("{:?}", f(1)); }
