// shape: parameters and results that are not Send/Sync/Debug/Clone/'static, raw slices, fat pointers
// edition: 2024
// expect: 2 1
pub struct N<'a>(std::cell::Cell<&'a u8>, *mut dyn Fn(&'a u8));
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f<'a>(n: N<'a>, o: &N<'a>) -> Option<N<'a>> { n.0.set(o.0.get()); if n.1.is_null() { return None; } Some(n) }
#[mstx::region]
pub fn g(p: *mut u8, n: usize) -> *mut [u8] { std::ptr::slice_from_raw_parts_mut(p, n) }
#[mstx::region_unregister(ptr = p)]
pub fn h(p: *mut [u8]) -> usize { p.len() }
pub fn main() { let x = 1; let fun = |_: &u8| {}; let d: *mut dyn Fn(&u8) = &raw const fun as *const dyn Fn(&u8) as *mut _; let o = N(std::cell::Cell::new(&x), d); println!("{}", f(N(std::cell::Cell::new(&x), d), &o).is_some()); println!("{}", h(g(std::ptr::null_mut(), 3))); }
