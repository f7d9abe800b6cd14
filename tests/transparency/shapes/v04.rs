// shape: attributes of the language above and below, one per line and several, cfg_attr that writes the word itself
// edition: 2024
// expect: 8 1
#[cfg(all())]
#[mstx::region(size = n)]
#[inline]
#[must_use = "or it leaks"]
pub fn a(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}
#[must_use]
#[inline(never)]
#[cold]
#[doc(hidden)]
#[mstx::region(size = n)]
#[cfg(all())]
#[deprecated(note = "old")]
pub fn b(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}
#[mstx::region(size = n)]
#[cfg(any())]
pub fn gone(n: usize) -> Missing {
    missing(n)
}
#[cfg_attr(all(), mstx::region(size = n))]
#[cfg_attr(any(), mstx::region(size = missing))]
pub fn c(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}
#[cfg_attr(all(), must_use, inline)]
#[mstx::region(size = n)]
#[cfg_attr(all(), doc = "Text.", allow(clippy::needless_return))]
#[rustfmt::skip]
pub fn d(n: usize) -> *mut u8 {
    //! Text inside.
    #![allow(unused_variables)]
    let unused = 1;
    return std::ptr::without_provenance_mut(n);
}
#[mstx::region_unregister(ptr = p)]
#[warn(clippy::shadow_unrelated)]
#[allow(clippy::not_unsafe_ptr_arg_deref)]
#[expect(unused_mut)]
#[mstx::region(size = 1)]
pub fn e(p: *mut u8) -> *mut u8 {
    let mut q = p;
    q
}
pub struct S;
impl S {
    #![allow(dead_code)]
    #[mstx::region(size = n)]
    #[inline(always)]
    #[allow(clippy::inline_always)]
    #[track_caller]
    pub fn f(&self, n: usize) -> *mut u8 {
        std::ptr::without_provenance_mut(n)
    }
}
#[allow(deprecated)]
pub fn main() {
    a(1);
    b(2);
    println!("{:?} {:?} {:?} {:?} {:?}", a(3), c(4), d(5), e(d(6)), S.f(7));
}
