// shape: types that are deduced from an opaque return type: Future, Iterator, nested; under a word before and a word after
// edition: 2024
// expect: 3 4
use helpers::block_on;
#[derive(Debug)]
pub struct E;
impl From<std::num::ParseIntError> for E { fn from(_: std::num::ParseIntError) -> Self { E } }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn a(s: &str) -> impl Future<Output = Result<u8, E>> { async move { let n = s.parse::<u8>()?; if n == 0 { return Err(E); } Ok(n) } }
#[mstx::region_unregister(ptr = 4096_usize)]
pub fn b(s: &str) -> impl Future<Output = Result<u8, E>> { async move { let n = s.parse::<u8>()?; if n == 0 { return Err(E); } Ok(n) } }
#[mstx::region_unregister(ptr = 4096_usize)]
pub fn c(k: u8) -> impl Iterator<Item = u8> { (0..k).map(|x| x + 1) }
#[mstx::region_unregister(ptr = 4096_usize)]
pub fn d(k: u8) -> Option<impl Fn(&u8) -> u8> { if k == 0 { return None; } Some(move |x: &u8| *x + k) }
#[mstx::region_unregister(ptr = 4096_usize)]
pub fn e(k: u8) -> Result<impl Iterator<Item = u8>, E> { if k == 0 { return Err(E); } Ok((0..k).map(|x| x.wrapping_mul(2))) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(k: u8) -> Result<Option<impl Iterator<Item = u8> + Clone>, E> { if k == 0 { return Err(E); } if k == 1 { return Ok(None); } Ok(Some((0..k).map(|x| x.wrapping_mul(2)))) }
pub fn main() {
    println!("{:?} {:?} {}", block_on(a("3")), block_on(b("x")), c(3).count());
    println!("{:?} {} {}", d(1).map(|f| f(&3)), e(2).map_or(0, Iterator::count), f(3).ok().flatten().map_or(0, Iterator::count));
    println!("{}", f(1).is_ok());
}
