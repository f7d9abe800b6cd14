// shape: async fn in traits and return-position impl Trait in traits (default and impl)
// edition: 2024
// expect: 5 0
#[allow(async_fn_in_trait)]
pub trait A {
    fn n(&self) -> usize;
    #[mstx::region(size = n)]
    async fn get(&mut self, n: usize) -> Option<&mut u8> { if n == 0 { return None; } helpers::pause().await; None }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    fn it(&self) -> impl Iterator<Item = usize> + '_ { (0..self.n()).map(|x| x + self.n()) }
}
pub struct S(u8);
impl A for S {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    fn n(&self) -> usize { 2 }
    #[mstx::region(size = n)]
    async fn get(&mut self, n: usize) -> Option<&mut u8> { helpers::pause().await; self.0 += u8::try_from(n).ok()?; Some(&mut self.0) }
}
pub fn main() { let mut s = S(1); println!("{:?}", helpers::block_on(s.get(2))); println!("{}", s.it().sum::<usize>()); }
