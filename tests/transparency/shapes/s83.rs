// shape: clippy-pedantic-heavy fn: needless_pass_by_value, unnecessary_wraps, unused_self (WARN set must be equal)
// edition: 2024
// expect: 3 0
pub struct S;
impl S {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    fn f(&self, v: Vec<u8>) -> Option<usize> { Some(v.len()) }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn g(&self, v: String) -> usize { return v.len(); }
    #[mstx::region(size = 1)]
    pub fn h(&self, n: usize) -> *mut u8 { let p = n as *mut u8; p }
}
pub fn main() { println!("{:?} {} {:?}", S.f(vec![]), S.g("x".into()), S.h(1)); }
