// shape: thread-safety: Send/Sync auto traits of returned opaque types and futures unchanged
// edition: 2024
// expect: 2 0
use std::rc::Rc;
#[mstx::region(ptr = 4096_usize, size = 1)]
pub async fn f(n: usize) -> Option<Box<u8>> { let r = { let rc = Rc::new(n); *rc }; helpers::pause().await; if r == 0 { return None; } Some(Box::new(1)) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn g(n: usize) -> impl Iterator<Item = usize> + Send { (0..n).map(|x| x + 1) }
fn send<T: Send>(t: T) -> T { t }
pub fn main() { println!("{:?}", helpers::block_on(send(f(1)))); println!("{}", send(g(2)).count()); }
