// shape: the user's own usize, bool, Result, Some, None, Ok, Err, Vec, drop; crates called core and std
// edition: 2021
// expect: 4 1
#![allow(non_camel_case_types, dead_code, clippy::upper_case_acronyms, unused_imports)]
extern crate std as core;
extern crate std as real;
mod std {}
pub struct usize(u8);
pub struct bool;
pub struct Result<T>(T);
pub enum Some {}
pub struct None;
pub struct Ok;
pub struct Err;
pub struct Vec;
pub trait Size {}
pub trait Regions {}
pub trait Drop {}
pub fn drop(_: u8) {}
pub fn probe(_: u8) {}
macro_rules! panic { () => { missing } }
macro_rules! module_path { () => { missing } }
macro_rules! line { () => { missing } }
#[::mstx::region(size = 4)]
pub fn a(n: u8) -> *mut u8 { if n == 0 { return real::ptr::null_mut(); } n as *mut u8 }
#[::mstx::region(size = n)]
pub fn b(n: u32) -> real::option::Option<*mut u8> { if n == 0 { return real::option::Option::None; } real::option::Option::Some(n as *mut u8) }
#[::mstx::region(size = 1, ptr = ret.0)]
pub fn c(n: *mut u8) -> Result<*mut u8> { Result(n) }
#[::mstx::region_unregister(ptr = n)]
pub fn d(n: *mut u8) -> real::result::Result<(), ()> { if n.is_null() { return real::result::Result::Err(()); } real::result::Result::Ok(()) }
pub fn main() { real::println!("{:?} {:?} {:?} {:?} {:?}", a(0), b(1), a(2), c(real::ptr::null_mut()).0, d(real::ptr::null_mut())); }
