// shape: parameters used after partial move / reborrow conflict with entry-evaluated ptr expression
// edition: 2024
// expect: 1 0
pub struct Blk { p: Box<[u8]>, tag: String }
#[mstx::region(ptr = 4096_usize, size = b.p.len())]
pub fn f(b: Blk, log: &mut Vec<String>) -> Box<[u8]> { log.push(b.tag); b.p }
pub fn main() { let mut l = vec![]; println!("{:?} {:?}", f(Blk { p: Box::new([1]), tag: "t".into() }, &mut l), l.len()); }
