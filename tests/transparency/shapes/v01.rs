// shape: async_trait above and below, in the trait and in the impl
// edition: 2024
// expect: 7 3
use async_trait::async_trait;
use helpers::{block_on, pause};
#[derive(Debug)]
pub struct Full;
#[async_trait]
pub trait Pool: Sync {
    async fn alloc(&mut self, n: usize) -> Result<&mut [u8], Full>;
    #[mstx::region]
    async fn twice(&mut self, n: usize) -> Result<&mut [u8], Full> {
        if n == 0 {
            return Err(Full);
        }
        pause().await;
        self.alloc(n * 2).await
    }
    #[mstx::region_unregister(ptr = p)]
    async fn free(&self, p: usize) -> Result<(), Full> {
        if p == 0 { Err(Full) } else { Ok(()) }
    }
}
pub struct Bytes(Vec<u8>);
#[async_trait]
impl Pool for Bytes {
    #[mstx::region]
    async fn alloc(&mut self, n: usize) -> Result<&mut [u8], Full> {
        pause().await;
        if n > self.0.len() {
            return Err(Full);
        }
        self.0.get_mut(..n).ok_or(Full)
    }
}
pub fn main() {
    let mut bytes = Bytes(vec![1, 2, 3, 4]);
    println!("{:?}", block_on(bytes.alloc(9)));
    println!("{:?}", block_on(bytes.alloc(1)));
    println!("{:?}", block_on(bytes.twice(0)));
    println!("{:?}", block_on(bytes.twice(2)));
    println!("{:?}", block_on(bytes.twice(3)));
    println!("{:?} {:?}", block_on(bytes.free(0)), block_on(bytes.free(1)));
    let pool: &mut dyn Pool = &mut bytes;
    println!("{:?}", block_on(pool.free(2)));
}
