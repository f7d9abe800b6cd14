// shape: edition 2018
// edition: 2018
// expect: 2 0
use std::convert::TryFrom;
pub struct S { a: Box<u8>, b: helpers::Noisy }
impl S {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn f(self) -> Box<u8> { if u8::try_from(3u32).is_err() { return Box::new(0); } self.a }
    #[mstx::region]
    pub fn g(&mut self, n: &mut Vec<u8>) -> Result<&mut u8, ()> { let x = n.pop().ok_or(())?; *self.a += x; Ok(&mut self.a) }
}
pub fn main() { let mut s = S { a: Box::new(1), b: helpers::Noisy("b") }; println!("{:?}", s.g(&mut vec![2])); println!("{} {}", s.b.0, 1); println!("{}", s.f()); }
