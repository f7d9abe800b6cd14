// shape: #[release] on every kind of function (prologue only: hidden return, `?`, -> !, impl Fn, async, track_caller, items first, recursion)
// edition: 2024
// expect: 0 9
// code: core::convert: a conversion that `?` needs in an async function is inlined where it was not
macro_rules! hit { ($p:expr, $c:expr) => { if $c { return $p; } }; }
#[mstx::region_unregister(ptr = p)]
pub fn a(p: *mut u8, n: usize) -> usize { use std::mem::size_of as so; const K: usize = 1; hit!(K, n == 1); n + so::<u8>() }
#[mstx::region_unregister(ptr = p)]
pub fn b(p: *mut u8) -> ! { let _ = p; panic!("b") }
#[mstx::region_unregister(ptr = p)]
pub fn c(p: *mut u8) -> impl Fn(&[u8]) -> usize { let k = usize::from(p.is_null()); move |s| s.len() + k }
/// # Errors
/// e
#[mstx::region_unregister(ptr = p)]
pub async fn d(p: *mut u8, n: Option<u8>) -> Result<u8, ()> { helpers::pause().await; let k = n.ok_or(())?; if p.is_null() { return Ok(k); } Err(()) }
#[mstx::region_unregister(ptr = p)]
#[track_caller]
pub fn e(p: *mut u8) -> u32 { let _ = p; std::panic::Location::caller().line() }
#[mstx::region_unregister(ptr = b)]
pub fn f(b: Box<u8>, n: u8) -> u8 { if n == 0 { return *b; } f(b, n - 1) }
pub struct S(*mut u8);
impl Drop for S {
    #[mstx::region_unregister(ptr = self.0)]
    fn drop(&mut self) { println!("drop S"); }
}
pub fn main() { let z = std::ptr::null_mut(); println!("{}", a(z, 1)); println!("{:?}", helpers::catch(|| b(z)).is_none()); println!("{}", c(z)(&[1])); println!("{:?}", helpers::block_on(d(z, None)).is_err()); println!("{:?}", e(z)); println!("{}", f(Box::new(3), 2)); drop(S(z)); }
