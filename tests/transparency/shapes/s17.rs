// shape: impl Fn return: closure parameter types deduced from the opaque type; recursion-free dispatch
// edition: 2024
// limit: the parameter types of the closures come from the return type
// expect: fail a closure is not memory
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(k: usize) -> impl Fn(&[u8]) -> usize { move |s| s.len() + k }
#[mstx::region]
pub fn g() -> impl for<'a> Fn(&'a [u8]) -> &'a u8 { |s| &s[0] }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn h(k: usize) -> impl Fn(&[u8]) -> usize { if k == 0 { return 1usize.pow(2).fix(); } 0usize.fix() }
trait Fix { fn fix(self) -> fn(&[u8]) -> usize; }
impl Fix for usize { fn fix(self) -> fn(&[u8]) -> usize { if self == 0 { |s| s.len() } else { |_| 0 } } }
pub fn main() { println!("{} {} {}", f(1)(&[1, 2]), g()(&[5]), h(0)(&[])); }
