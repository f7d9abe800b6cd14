// shape: async fn: await, `?`, early return, borrowed args, &mut self, async block return
// edition: 2024
// expect: 6 0,7 0
use helpers::{block_on, pause, Noisy};
pub struct A(u8);
impl A {
    #[mstx::region]
    pub async fn m(&mut self, n: Noisy) -> &mut u8 { pause().await; self.0 += 1; println!("{}", n.0); &mut self.0 }
}
#[mstx::region(size = v.len())]
pub async fn f(v: &mut [u8]) -> Option<&mut u8> {
    if v.is_empty() { return None; }
    pause().await;
    let x = v.get_mut(1)?;
    *x += 1;
    Some(x)
}
#[mstx::region(size = 1)]
pub async fn g(_: Noisy, x: Noisy) -> *const u8 { let _l = Noisy("l"); pause().await; let r = async { if x.0.is_empty() { return 1u8; } 2 }.await; println!("{r}"); std::ptr::null() }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn h(n: u8) -> impl Future<Output = u8> + Send { async move { if n == 0 { return 1; } n } }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn i(n: u8) -> std::pin::Pin<Box<dyn Future<Output = u8>>> { Box::pin(async move { if n == 0 { return 1; } pause().await; n }) }
fn send<T: Send>(t: T) -> T { t }
pub fn main() {
    println!("{:?} {:?} {:?}", block_on(f(&mut [])), block_on(f(&mut [1, 2])), block_on(f(&mut [1])));
    println!("{}", block_on(A(1).m(Noisy("n"))));
    println!("{:?}", block_on(send(g(Noisy("u"), Noisy("x")))).is_null());
    println!("{} {}", block_on(send(h(0))), block_on(i(2)));
}
