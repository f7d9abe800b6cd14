// shape: tracing::instrument above and below, with and without async, with `return` and `?`
// edition: 2024
// expect: 6 1,7 1
use helpers::{block_on, pause};
use std::ptr::{null_mut, without_provenance_mut};
#[mstx::region(size = n)]
#[tracing::instrument]
pub fn above(n: usize) -> *mut u8 {
    if n == 0 {
        return null_mut();
    }
    without_provenance_mut(n)
}
#[tracing::instrument(level = "debug", skip(n), ret)]
#[mstx::region(size = n)]
pub fn below(n: usize) -> *mut u8 {
    if n == 0 {
        return null_mut();
    }
    without_provenance_mut(n)
}
#[mstx::region(size = 1)]
#[tracing::instrument(err)]
pub fn fails(n: usize) -> Result<*mut u8, std::num::TryFromIntError> {
    let n = usize::from(u8::try_from(n)?);
    Ok(without_provenance_mut(n))
}
#[mstx::region(size = n)]
#[tracing::instrument]
pub async fn waits(n: usize) -> Option<*const u8> {
    pause().await;
    if n == 0 {
        return None;
    }
    Some(std::ptr::without_provenance(n))
}
#[tracing::instrument]
#[mstx::region_unregister(ptr = 4096_usize)]
pub async fn frees(n: usize) -> usize {
    pause().await;
    n
}
pub fn main() {
    println!("{:?} {:?}", above(0), above(1));
    println!("{:?} {:?}", below(0), below(1));
    println!("{:?} {:?}", fails(1), fails(1000).is_err());
    println!("{:?} {}", block_on(waits(2)), block_on(frees(3)));
}
