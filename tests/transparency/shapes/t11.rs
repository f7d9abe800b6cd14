// shape: edition 2021: async fn, closures capturing self.x, let-else, format args capture
// edition: 2021
// expect: 2 0
pub struct S { a: String, b: usize }
impl S {
    #[mstx::region(size = self.b)]
    pub async fn f(&mut self, k: usize) -> Result<&mut String, String> { let Some(n) = k.checked_sub(1) else { return Err(format!("{k}")); }; let add = |x: &mut String| x.push('y'); add(&mut self.a); helpers::pause().await; self.b += n; Ok(&mut self.a) }
}
pub fn main() { let mut s = S { a: String::new(), b: 0 }; println!("{:?}", helpers::block_on(s.f(0))); println!("{:?}", helpers::block_on(s.f(2))); }
