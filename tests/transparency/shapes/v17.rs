// shape: edition 2015: bare trait objects, `try!`, parameters without a name, paths from the root
// edition: 2015
// expect: 5 1
extern crate mstx;
pub mod pool {
    pub struct Pool;
    #[mstx::region(size = 1)]
    pub fn debug(n: &::std::fmt::Debug, n2: usize) -> *mut u8 { println!("{:?}", n); n2 as *mut u8 }
}
use pool::Pool;
pub trait Named { fn name(&self) -> String; }
impl Named for Pool {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    fn name(&self) -> String { if false { return String::new(); } "pool".to_string() }
}
#[mstx::region(ptr = 4096_usize, size = n)]
pub fn boxed(n: usize) -> Box<Named> { if n == 0 { return Box::new(Pool); } Box::new(::pool::Pool) }
#[mstx::region(size = 1)]
pub fn tried(n: Result<usize, String>) -> Result<*mut u8, String> { let n = try!(n); if n == 0 { return Ok(::std::ptr::null_mut()); } Ok(n as *mut u8) }
#[mstx::region_unregister(ptr = n)]
pub fn freed(n: usize) -> bool { n == 0 }
pub fn main() {
    println!("{:?} {}", pool::debug(&1, 2), Pool.name());
    println!("{}", boxed(1).name());
    println!("{:?} {}", tried(Ok(1)), freed(1));
}
