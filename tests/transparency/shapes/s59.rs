// shape: builder: self -> Self, &mut self -> &mut Self, Self { .. } literal, Self::CONST
// edition: 2024
// expect: 3 0
#[derive(Debug, Clone, Copy)]
pub struct S { n: usize }
impl S {
    pub const Z: Self = S { n: 0 };
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn with(self, n: usize) -> Self { Self { n, ..self } }
    #[mstx::region]
    pub fn set(&mut self, n: usize) -> &mut Self { if n == 0 { *self = Self::Z; return self; } self.n = n; self }
    #[mstx::region(ptr = 4096_usize, size = Self::Z.n + 1)]
    pub fn wrap(self) -> (Self, [Self; 1]) { (self, [self]) }
}
pub fn main() { let mut s = S::Z.with(3); s.set(0).n += 1; println!("{:?}", s.wrap()); }
