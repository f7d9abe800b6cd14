// shape: size expressions that would move: by-value method on a non-Copy param, Box param, field
// edition: 2024
// expect: 1 0
pub struct L { pub n: Vec<u8> }
#[mstx::region(ptr = 4096_usize, size = l.n.len() + b.len() + *c)]
pub fn f(l: L, b: Box<[u8]>, c: Box<usize>) -> Box<[u8]> { drop(l); drop(c); b }
pub fn main() { println!("{}", f(L { n: vec![1] }, Box::new([1]), Box::new(3)).len()); }
