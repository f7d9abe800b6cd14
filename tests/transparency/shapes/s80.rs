// shape: opaque return with a `ret` size expression
// edition: 2024
// expect: 1 0
#[mstx::region(ptr = 4096_usize, size = ret.len())]
pub fn f(v: &[u8]) -> impl ExactSizeIterator<Item = &u8> { v.iter() }
pub fn main() { println!("{}", f(&[1, 2]).len()); }
