// shape: edition 2021 tail temporaries under #[release], under an opaque return, and with a `return`
// edition: 2021
// expect: 3 2
use helpers::Noisy;
#[mstx::region_unregister(ptr = p)]
pub fn f(p: *mut u8) -> *mut u8 { let _ = p; let _l = Noisy("local"); Noisy("temp").ptr() }
#[mstx::region_unregister(ptr = p)]
pub fn g(p: *mut u8) -> bool { Noisy("temp").ptr() == p }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn h(k: u8) -> impl Iterator<Item = *mut u8> { let _l = Noisy("local"); std::iter::once({ let _ = k; Noisy("temp").ptr() }) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn i(k: u8) -> impl Iterator<Item = *mut u8> { let _l = Noisy("local"); if k == 0 { return std::iter::once(Noisy("temp0").ptr()); } std::iter::once(Noisy("temp").ptr()) }
pub fn main() { f(std::ptr::null_mut()); g(std::ptr::null_mut()); println!("{}", h(1).count()); println!("{}", i(0).count()); println!("{}", i(1).count()); }
