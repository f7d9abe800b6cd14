// shape: every return type of which a region is read without `ptr`
// edition: 2024
// expect: 19 0
use std::pin::Pin;
use std::ptr::{NonNull, null_mut, slice_from_raw_parts_mut};
type Outcome<T> = Result<T, Failed>;
#[derive(Debug)]
pub struct Failed;
#[mstx::region(size = 1)] pub fn a() -> *const u8 { std::ptr::null() }
#[mstx::region(size = 1)] pub fn b() -> NonNull<u8> { NonNull::dangling() }
#[mstx::region] pub fn c() -> *mut [u8] { slice_from_raw_parts_mut(null_mut(), 2) }
#[mstx::region] pub fn d() -> NonNull<[u16]> { NonNull::slice_from_raw_parts(NonNull::dangling(), 3) }
#[mstx::region] pub fn e(x: &u8) -> &u8 { x }
#[mstx::region] pub fn f(x: &mut [u8]) -> &mut [u8] { x }
#[mstx::region] pub fn g(x: &str) -> &str { x }
#[mstx::region] pub fn h() -> (*mut u8, usize) { (null_mut(), 4) }
#[mstx::region] pub fn i(x: &mut u8) -> Pin<&mut u8> { Pin::new(x) }
#[mstx::region(size = 1)] pub fn j<const N: usize>() -> [NonNull<u8>; N] { [NonNull::dangling(); N] }
#[mstx::region] pub fn k() -> Vec<(NonNull<u8>, usize)> { vec![(NonNull::dangling(), 5)] }
#[mstx::region(size = 1)] pub fn l() -> Box<[*mut u8]> { vec![null_mut(); 2].into() }
#[mstx::region] pub fn m(n: u8) -> Result<Option<NonNull<[u8]>>, Failed> {
    if n == 0 { return Err(Failed); }
    if n == 1 { return Ok(None); }
    Ok(Some(NonNull::slice_from_raw_parts(NonNull::dangling(), 3)))
}
#[mstx::region(size = 2)] pub fn n(n: u8) -> Outcome<*mut u8> { if n == 0 { return Err(Failed); } Ok(null_mut()) }
#[mstx::region] pub fn o<'a>(x: Pin<&'a mut [u8]>) -> Option<Pin<&'a mut [u8]>> { Some(x) }
#[mstx::region(size = 1)] pub fn p() -> Option<Vec<Option<NonNull<u8>>>> { Some(vec![None, Some(NonNull::dangling())]) }
pub fn main() {
    println!("{} {} {}", a().is_null(), b() == NonNull::dangling(), c().is_null());
    println!("{} {} {:?} {}", d().len(), e(&1), f(&mut [2]), g("x"));
    println!("{} {} {} {}", h().1, i(&mut 3), j::<2>().len(), k().len());
    println!("{} {:?} {:?} {}", l().len(), m(0), m(1), m(2).is_ok());
    println!("{:?} {:?} {:?} {}", n(0).is_err(), n(1).is_ok(), o(Pin::new(&mut [4])), p().is_some());
}
