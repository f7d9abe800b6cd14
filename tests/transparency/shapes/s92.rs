// shape: self by value of which the body uses one field: drop order of the others
// edition: 2024
// expect: 2 0
use helpers::Noisy;
pub struct S { a: Noisy, b: Noisy, c: Box<(Noisy, Noisy)> }
impl S {
    #[mstx::region(size = 1)]
    pub fn f(self, _p: Noisy) -> *mut u8 { self.b.ptr() }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn g(self) -> Noisy { self.c.1.ptr(); self.c.1 }
}
pub fn main() {
    let s = || S { a: Noisy("a"), b: Noisy("b"), c: Box::new((Noisy("c0"), Noisy("c1"))) };
    s().f(Noisy("p")); println!("--"); println!("{}", s().g().0); let _ = s().a.0;
}
