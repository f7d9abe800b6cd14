// shape: items of the user that are named like ours, or like what an expansion goes through
// edition: 2024
// expect: 3 1
#![allow(non_upper_case_globals, dead_code, non_camel_case_types)]
pub mod mstx { pub mod __private {} pub struct Call; }
pub mod core {}
pub mod std {}
pub static call: u8 = 1;
pub static result: u8 = 2;
pub const ok: u8 = 3;
pub const release: u8 = 4;
pub struct body;
pub struct Some;
pub struct None;
pub struct Option;
pub fn never<T>() -> T { loop {} }
pub fn listening() -> bool { false }
pub fn drop() {}
macro_rules! site { () => {}; }
macro_rules! domain { () => {}; }
#[::mstx::region(heap = p, size = 2, domain = "d")]
pub fn a(p: *mut u8) -> *mut u8 { if p.is_null() { return p; } p }
#[::mstx::heap(ptr = ret.0, size = ret.1)]
pub fn b(p: *mut u8) -> ::std::option::Option<(*mut u8, usize)> { let called = p; ::std::option::Option::Some((called, 2)) }
#[::mstx::region_unregister(ptr = p)]
pub fn c(p: *mut u8) -> ::std::result::Result<(), ()> { if p.is_null() { return ::std::result::Result::Err(()); } ::std::result::Result::Ok(()) }
#[::mstx::region(size = ret.len())]
pub fn d(ret: &[u8]) -> &[u8] { if ret.is_empty() { return ret; } &ret[1..] }
pub fn main() { let p = ::std::ptr::dangling_mut(); ::std::println!("{:?} {:?} {:?}", a(p), b(p), c(p)); ::std::println!("{:?} {:?}", d(&[1, 2]), call); }
