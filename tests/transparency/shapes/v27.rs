// shape: newtypes with derives: device pointers, blocks, pools that stand for their heap; generic
// edition: 2024
// expect: 4 3
use std::ptr::NonNull;
use block::Block;
use pointer::{DevicePtr, Handle};
pub mod pointer {
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[derive(mstx::Regions)]
    pub struct DevicePtr(pub u64);
    #[derive(mstx::Regions)]
    #[repr(C)]
    pub struct Handle<T>(pub std::ptr::NonNull<T>);
}
pub mod block {
    #[derive(Debug)]
    #[derive(mstx::Regions, mstx::KnowsSize)]
    pub struct Block { #[mstx(ptr)] pub at: super::DevicePtr, #[mstx(size)] pub bytes: u32, pub class: u8 }
}
pub use pool::Pool;
mod pool {
    #[derive(mstx::AsHeap)]
    pub struct Pool<'a, T: Clone> { #[mstx(heap)] pub base: std::ptr::NonNull<T>, pub used: usize, pub name: &'a str }
}
impl<T: Clone> Pool<'_, T> {
    #[mstx::region(heap = self, size = 8)]
    pub fn take(&mut self) -> Option<DevicePtr> { if self.used > 1 { return None; } self.used += 1; Some(DevicePtr(4096)) }
    #[mstx::region]
    #[allow(clippy::missing_errors_doc)]
    pub fn block(&self, bytes: u32) -> Result<Block, String> { if bytes == 0 { return Err(self.name.to_owned()); } Ok(Block { at: DevicePtr(8192), bytes, class: 1 }) }
    #[mstx::region_unregister(heap = self, ptr = block)]
    pub fn free(&mut self, block: Block) -> u8 { self.used -= 1; block.class }
    #[mstx::region_unregister(ptr = handle)]
    pub fn close(&self, handle: Handle<T>) -> NonNull<T> { handle.0 }
    #[mstx::heap_reset(heap = self)]
    pub fn reset(&mut self) { self.used = 0; }
}
pub fn main() {
    let mut pool = Pool { base: NonNull::<u16>::dangling(), used: 0, name: "pool" };
    println!("{:?} {:?}", pool.take(), pool.block(0));
    let block = pool.block(4).unwrap();
    println!("{:?} {}", block.at, block.bytes);
    println!("{} {:?}", pool.free(block), pool.take().map(|at| at.0));
    println!("{}", pool.close(Handle(NonNull::dangling())) == pool.base);
    pool.reset();
}
