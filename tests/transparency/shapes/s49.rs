// shape: unit return: empty body, trailing expr, trailing return; release
// edition: 2024
// expect: 2 1
pub struct S(u8);
impl S {
    #[mstx::region_unregister(ptr = p)]
    pub fn free(&mut self, p: *mut u8) { if p.is_null() { return; } self.0 += 1; }
}
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(out: &mut *mut u8, n: usize) { if n == 0 { return; } *out = std::ptr::without_provenance_mut(n); }
pub fn main() { let mut p = std::ptr::null_mut(); f(&mut p, 2); println!("{p:?}"); f(&mut p, 0); let mut s = S(0); s.free(p); println!("{}", s.0); }
