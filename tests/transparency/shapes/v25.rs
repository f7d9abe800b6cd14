// shape: edition 2015: parameters named like keywords of later editions
// edition: 2015
// limit: functions are read as in the current edition
// expect: fail does not know this syntax of a function
extern crate mstx;
#[mstx::region(size = 1)]
pub fn f(async: usize, dyn: usize) -> *mut u8 { (async + dyn) as *mut u8 }
pub fn main() { println!("{:?}", f(1, 2)); }
