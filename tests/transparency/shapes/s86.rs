// shape: impl Drop / operator trait / Deref / Index / Iterator::next impls
// edition: 2024
// expect: 7 0
use std::ops::{Deref, DerefMut, Index, IndexMut, Add};
pub struct A(Vec<u8>);
impl Deref for A { type Target = [u8];
    #[mstx::region]
    fn deref(&self) -> &[u8] { &self.0 } }
impl DerefMut for A {
    #[mstx::region]
    fn deref_mut(&mut self) -> &mut Self::Target { &mut self.0 } }
impl Index<usize> for A { type Output = u8;
    #[mstx::region]
    fn index(&self, i: usize) -> &u8 { &self.0[i] } }
impl IndexMut<usize> for A {
    #[mstx::region]
    #[track_caller]
    fn index_mut(&mut self, i: usize) -> &mut Self::Output { &mut self.0[i] } }
impl Iterator for A { type Item = u8;
    #[mstx::region(ptr = 4096_usize, size = 1)]
    fn next(&mut self) -> Option<<Self as Iterator>::Item> { self.0.pop() } }
impl Add for A { type Output = Self;
    #[mstx::region(ptr = 4096_usize, size = 1)]
    fn add(mut self, mut o: A) -> A { self.0.append(&mut o.0); self } }
pub fn main() { let mut a = A(vec![1]) + A(vec![2]); a[0] = 3; println!("{} {}", a[0], a.len()); println!("{:?}", a.next()); println!("{}", a.first().is_some()); a.reverse(); }
