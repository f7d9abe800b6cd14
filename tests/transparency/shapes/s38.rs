// shape: #[track_caller]: Location::caller() is the caller's; panics too
// edition: 2024
// expect: 4 0
use std::panic::Location;
#[track_caller]
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f() -> (u32, u32) { let l = Location::caller(); (l.line(), l.column()) }
pub struct S;
impl S {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    #[track_caller]
    pub fn m(&self, n: Option<u8>) -> u32 { if n.is_none() { return Location::caller().line(); } n.unwrap(); Location::caller().column() }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    #[track_caller]
    pub fn p(&self, n: Option<u8>) -> u8 { n.unwrap() }
}
pub fn main() {
    println!("{:?}", f());
    println!("{} {}", S.m(None), S.m(Some(1)));
    println!("{:?}", helpers::catch(|| S.p(None)));
    println!("{:?}", helpers::catch(|| S.p(Some(2))));
}
