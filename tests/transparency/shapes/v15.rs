// shape: async: cancelled half-way, arguments that live across `.await`, words before and after, recursion, generic and Send futures
// edition: 2024
// expect: 7 7
// code: shape::both, shape::recursive, shape::main, core, alloc, <str>: an async function keeps its result in its state
use helpers::{Noisy, block_on, pause, poll_once};
use std::pin::{Pin, pin};
#[mstx::region(size = n)]
pub async fn alloc(n: usize, _p: Noisy) -> *const u8 { let _l = Noisy("local"); pause().await; println!("resumed"); std::ptr::null() }
#[mstx::region_unregister(ptr = n)]
pub async fn free(n: usize, _p: Noisy) -> usize { let _l = Noisy("local"); pause().await; println!("resumed"); n }
#[mstx::region_resize(ptr = n, size = 2)]
pub async fn resize(n: usize) -> Option<*mut u8> { pause().await; if n == 0 { return None; } Some(std::ptr::null_mut()) }
#[mstx::range(name = "range")]
#[mstx::region_unregister(ptr = 4096_usize)]
#[mstx::region(size = ret.len(), ptr = ret.as_ptr())]
pub async fn both<T: AsRef<str> + Send>(text: T, tail: &str) -> Result<String, std::fmt::Error> {
    use std::fmt::Write as _;
    let mut out = String::from(text.as_ref());
    for _ in 0..2 { pause().await; if out.len() > 6 { return Ok(out); } write!(out, "{tail}")?; }
    Ok(out)
}
#[mstx::region(ptr = 4096_usize, size = n + 1)]
pub async fn recursive(n: usize) -> usize { if n == 0 { return 0; } let rest: Pin<Box<dyn Future<Output = usize>>> = Box::pin(recursive(n - 1)); rest.await + n }
#[mstx::region_unregister(ptr = 4096_usize)]
pub async unsafe fn dangerous() -> ! { pause().await; panic!("dangerous") }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub async fn closures(n: u8) -> u8 { let add = async |x: u8| { if x == 0 { return 1; } pause().await; x + n }; let sum = add(0).await + add(1).await; { let f = async move { return sum; }; f.await } }
#[mstx::flush]
pub async fn flushes(n: &mut u8) -> &mut u8 { *n += 1; pause().await; n }
fn send<F: Future + Send>(future: F) -> F { future }
pub fn main() {
    drop(alloc(1, Noisy("never polled")));
    { let mut future = pin!(alloc(1, Noisy("cancelled"))); println!("{:?}", poll_once(future.as_mut()).is_none()); }
    { let mut future = pin!(free(1, Noisy("cancelled"))); println!("{:?}", poll_once(future.as_mut())); println!("{:?}", poll_once(future.as_mut())); }
    { let mut future = pin!(free(1, Noisy("cancelled"))); println!("{:?}", poll_once(future.as_mut())); }
    println!("{:?}", block_on(send(alloc(2, Noisy("done")))));
    println!("{:?} {:?}", block_on(send(resize(0))), block_on(resize(1)));
    println!("{:?} {:?}", block_on(send(both("abc", "de"))), block_on(both("abcdefg", "de")));
    println!("{} {}", block_on(recursive(2)), block_on(send(closures(3))));
    println!("{:?}", helpers::catch(|| block_on(unsafe { dangerous() })).is_none());
    println!("{}", block_on(flushes(&mut 1)));
}
