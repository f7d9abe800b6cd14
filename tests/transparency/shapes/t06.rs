// shape: const expressions in the return type
// edition: 2024
// expect: 2 0
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn a() -> [u8; size_of::<u32>() * 2] { [1; 8] }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn b(k: bool) -> [u8; { const K: usize = 3; K }] { if k { return [1, 2, 3]; } [0; 3] }
pub fn main() { println!("{:?} {:?}", a(), b(true)); }
