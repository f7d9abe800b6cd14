// shape: several words on one function, in any order
// edition: 2024
// expect: 7 8
use mstx::{flush, heap, range, region, region_unregister};
pub struct P(*mut u8);
impl P {
    #[mstx::region(size = n)]
    #[mstx::heap(ptr = self.0, size = 64)]
    #[must_use]
    #[mstx::region_unregister(ptr = p)]
    /// doc
    pub fn a(&self, p: *mut u8, n: usize) -> Option<*mut u8> { if n == 0 { return None; } Some(p.wrapping_add(n)) }
    #[region(size = n)]
    #[range(name = "b")]
    #[heap(ptr = self.0, size = 64)]
    #[flush]
    #[mstx::heap_unregister(heap = self.0)]
    #[mstx::region_unregister(ptr = p)]
    #[inline]
    #[allow(clippy::missing_errors_doc)]
    pub fn b(&self, p: *mut u8, n: usize) -> Result<Option<*mut u8>, String> { if n == 0 { return Err("zero".into()); } Ok(Some(p.wrapping_add(n))) }
    #[mstx::heap_unregister(heap = self.0)]
    #[region_unregister(ptr = self.0)]
    #[mstx::allocator_internal]
    pub fn c(self) {}
    #[mstx::heap_reset(heap = self.0)]
    #[mstx::heap_resize(heap = self.0, size = 3)]
    #[mstx::region(size = 1)]
    #[track_caller]
    pub fn d(&mut self) -> *mut u8 { self.0 }
}
pub fn main() {
    let mut p = P(std::ptr::null_mut());
    println!("{:?} {:?}", p.a(p.0, 1), p.a(p.0, 0));
    println!("{:?}", p.b(p.0, 1));
    println!("{:?}", p.d());
    p.c();
}
