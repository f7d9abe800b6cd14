// shape: body closures capture disjoint fields of self while another is borrowed
// edition: 2024
// expect: 2 0
pub struct S { a: Vec<u8>, b: usize, c: String }
impl S {
    #[mstx::region]
    pub fn f(&mut self) -> Option<&mut u8> { let b = &mut self.b; let it = self.a.iter_mut().find(|x| { *b += 1; usize::from(**x) == *b }); it }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn g(self) -> String { let c = move || self.c; c() }
}
pub fn main() { let mut s = S { a: vec![5, 2], b: 0, c: "c".into() }; println!("{:?}", s.f()); println!("{}", s.g()); }
