//! A crate without features that uses every attribute.

pub struct Pool {
    base: *mut u8,
    len: usize,
}

mstx::domain!(static POOL = "pool");

impl Pool {
    #[mstx::heap(domain = POOL, ptr = ret.base, size = len)]
    pub fn new(len: usize) -> Result<Pool, ()> {
        Ok(Pool { base: std::ptr::without_provenance_mut(0x1_0000), len })
    }

    #[mstx::region(heap = self.base, size = n)]
    #[track_caller]
    pub fn alloc(&self, n: usize) -> Option<*mut u8> {
        (n <= self.len).then_some(self.base)
    }

    #[mstx::region_resize(heap = self.base, ptr = p, size = n)]
    pub fn realloc(&self, p: *mut u8, n: usize) -> Option<*mut u8> {
        (n <= self.len).then_some(p)
    }

    #[mstx::region_unregister(heap = self.base, ptr = p)]
    pub fn free(&self, p: *mut u8) -> Result<(), ()> {
        if p == self.base { Ok(()) } else { Err(()) }
    }

    #[mstx::heap_resize(heap = self.base, size = len)]
    pub fn grow(&mut self, len: usize) -> Option<()> {
        self.len = len;
        Some(())
    }

    #[mstx::heap_reset(heap = self.base)]
    pub fn reset(&mut self) {}

    #[mstx::heap_unregister(heap = self.base)]
    pub fn release(self) {}
}

#[mstx::flush]
pub fn launch() {}

#[mstx::range(name = "step", domain = "steps")]
pub fn step() {}

#[mstx::allocator_internal]
pub fn internal() {}

fn main() {
    let mut pool = Pool::new(4096).unwrap();
    let p = pool.alloc(16).unwrap();
    let p = pool.realloc(p, 32).unwrap();
    assert_eq!(pool.free(p), Ok(()));
    pool.grow(8192).unwrap();
    pool.reset();
    pool.release();
    launch();
    step();
    internal();
}
