// shape: edition 2018: `gen` as a name, bare trait objects, closures that capture whole variables, anonymous lifetimes
// edition: 2018
// expect: 4 2
use helpers::Noisy;
pub struct Pair { a: Vec<u8>, b: Noisy }
impl Pair {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn capture(self) -> usize { let len = || self.a.len(); let n = len(); if n == 0 { return 0; } n }
    #[mstx::region_unregister(ptr = 4096_usize)]
    pub fn keep(mut self) -> Noisy { let mut grow = || self.a.push(1); grow(); self.b }
}
#[mstx::region(size = gen)]
pub fn r#gen(gen: usize) -> *mut u8 { let gen = gen + 1; gen as *mut u8 }
#[mstx::region]
pub fn bare(x: &std::fmt::Display) -> Box<[&str]> { println!("{}", x); if x.to_string().is_empty() { return Box::new([]); } Box::new(["x"]) }
#[mstx::region_unregister(ptr = &*x)]
#[mstx::region(ptr = 4096_usize, size = ret.len())]
pub fn hidden(x: &mut [u8]) -> std::slice::IterMut<u8> { x.iter_mut() }
pub fn main() {
    println!("{}", Pair { a: vec![1], b: Noisy("b") }.capture());
    println!("{}", Pair { a: vec![1], b: Noisy("b") }.keep().0);
    println!("{:?} {:?} {}", r#gen(1), bare(&2), hidden(&mut [3, 4]).count());
}
