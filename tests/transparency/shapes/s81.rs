// shape: dyn params and returns: &mut dyn, Box<dyn Trait + 'a>, &dyn object-lifetime defaults
// edition: 2024
// expect: 2 0
pub trait T { fn n(&self) -> usize; }
impl T for &[u8] { fn n(&self) -> usize { self.len() } }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn a<'x>(v: &'x [u8], e: bool) -> Box<dyn T + 'x> { if e { return Box::new(&v[1..]); } Box::new(v) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn b<'x>(d: &'x mut dyn T, _s: &str) -> &'x dyn T { d }
pub fn main() { println!("{} {}", a(&[1, 2], true).n(), b(&mut &[1u8][..], "").n()); }
