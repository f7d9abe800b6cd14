// shape: sizes: u32, u64, usize, the NonZero forms, Option of these, arithmetic, literals, constants, blocks, generic constants
// edition: 2024
// expect: 14 1
use std::mem::size_of;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::ptr::without_provenance_mut;
const BLOCK: usize = 64;
pub struct Layout {
    size: Option<u64>,
}
impl Layout {
    fn size(&self) -> Option<u64> {
        self.size
    }
}
#[mstx::region(size = n)]
pub fn a(n: u32) -> *mut u8 {
    without_provenance_mut(n as usize)
}
#[mstx::region(size = n)]
pub fn b(n: u64) -> *mut u8 {
    without_provenance_mut(usize::try_from(n).unwrap_or(0))
}
#[mstx::region(size = n)]
pub fn c(n: NonZeroUsize) -> *mut u8 {
    without_provenance_mut(n.get())
}
#[mstx::region(size = n)]
pub fn d(n: Option<NonZeroU32>) -> *mut u8 {
    without_provenance_mut(n.map_or(0, |n| n.get() as usize))
}
#[mstx::region(size = NonZeroU64::new(n))]
pub fn e(n: u64) -> *mut u8 {
    without_provenance_mut(usize::try_from(n).unwrap_or(0))
}
#[mstx::region(size = layout.size())]
pub fn f(layout: &Layout) -> *mut u8 {
    without_provenance_mut(layout.size.is_some().into())
}
#[mstx::region(size = 1 << 33)]
pub fn g() -> *mut u8 {
    without_provenance_mut(8)
}
#[mstx::region(size = 2 * BLOCK)]
pub fn h() -> *mut u8 {
    without_provenance_mut(BLOCK)
}
#[mstx::region(size = { let pages = n.div_ceil(BLOCK); pages * BLOCK })]
pub fn i(n: usize) -> *mut u8 {
    without_provenance_mut(n)
}
#[mstx::region(size = N * size_of::<T>())]
pub fn j<T, const N: usize>() -> *mut [T; N] {
    without_provenance_mut(N)
}
#[mstx::region(size = n.checked_mul(2))]
pub fn k(n: usize) -> *mut u8 {
    let n = n.wrapping_mul(2);
    without_provenance_mut(n)
}
#[mstx::region(size = if ret.is_null() { None } else { Some(4_u64) })]
pub fn l(n: usize) -> *mut u8 {
    without_provenance_mut(n)
}
#[mstx::region(size = if n > 3 { u64::from(n) } else { 3 })]
pub fn m(n: u8) -> *mut u8 {
    without_provenance_mut(n.into())
}
#[mstx::region(ptr = ret, size = [1_usize, 2, 3][usize::from(n)])]
pub fn n(n: u8) -> u64 {
    u64::from(n)
}
#[mstx::heap_resize(heap = 4096_usize, size = 0x1000_u32)]
pub fn o() -> bool {
    true
}
pub fn main() {
    println!("{:?} {:?} {:?}", a(1), b(2), c(NonZeroUsize::MIN));
    println!("{:?} {:?} {:?}", d(NonZeroU32::new(3)), e(0), f(&Layout { size: None }));
    println!("{:?} {:?} {:?} {:?}", g(), h(), i(65), j::<u16, 5>());
    println!("{:?} {:?} {:?} {} {}", k(usize::MAX), l(0), m(9), n(2), o());
}
