// shape: unsafe fn, edition 2021: implicit unsafe context in the body
// edition: 2021
// expect: 2 0
/// # Safety
/// p valid
#[mstx::region(size = 1)]
pub unsafe fn f(p: *mut u8) -> *mut u8 { *p += 1; if *p == 0 { return std::ptr::null_mut(); } p.add(0) }
pub struct S(*mut u8);
impl S {
    /// # Safety
    /// valid
    #[mstx::region]
    pub unsafe fn m(&self) -> &mut u8 { &mut *self.0 }
}
pub fn main() { let mut x = 1u8; unsafe { println!("{}", *f(&mut x)); println!("{}", S(&raw mut x).m()); } }
