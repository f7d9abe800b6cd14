// shape: `let _ = self;`, `_ = n;`, unused self returned later
// edition: 2024
// expect: 3 0
use helpers::Noisy;
pub struct S(Noisy);
impl S {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    #[allow(clippy::needless_pass_by_value)]
    pub fn a(self, n: Noisy) -> u8 { let _ = self; _ = n; println!("body"); 1 }
    #[mstx::region]
    pub fn b(&mut self) -> &mut Noisy { let _ = self; &mut self.0 }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn c(self) -> u8 { let Self(ref n) = self; println!("{}", n.0); let _ = self.0; 2 }
}
pub fn main() { S(Noisy("s")).a(Noisy("n")); println!("{}", S(Noisy("t")).b().0); S(Noisy("v")).c(); }
