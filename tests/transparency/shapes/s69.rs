// shape: instrumented fn nested inside an instrumented fn
// edition: 2024
// expect: 2 0
#[mstx::region(size = 1)]
pub fn f(n: usize) -> *mut u8 {
    #[mstx::region(size = k)]
    fn g(k: usize) -> *mut u8 { if k == 1 { return std::ptr::null_mut(); } std::ptr::without_provenance_mut(k) }
    if n == 0 { return std::ptr::null_mut(); }
    g(n)
}
pub fn main() { println!("{:?}", f(1)); }
