//! Every argument of every word.

use std::ptr::NonNull;

mstx::domain!(static POOL = "pool");

struct Pool {
    base: NonNull<u8>,
    len: usize,
}

impl Pool {
    #[mstx::heap(ptr = ret.base, size = len, domain = POOL, name = name, host, deferred, returns_in_macros)]
    fn new(len: usize, name: &str) -> Option<Self> {
        let _ = name;
        Some(Self { base: NonNull::dangling(), len })
    }

    #[mstx::heap(size = ret.len(), domain = "device_pool", name = format!("{device}"), device = device, deferred = 3, crate = mstx)]
    fn new_on(device: u32) -> Result<NonNull<[u8]>, String> {
        Err(device.to_string())
    }

    #[mstx::heap_resize(heap = self.base, size = self.len + more, domain = &POOL, crate = mstx)]
    fn grow(&mut self, more: usize) -> bool {
        self.len += more;
        true
    }

    #[mstx::heap_reset(heap = self.base, domain = POOL, crate = mstx)]
    fn reset(&mut self) {}

    #[mstx::heap_unregister(heap = self.base, domain = POOL, crate = mstx)]
    fn end(self) {}

    #[mstx::region(heap = self.base, ptr = ret, size = n, domain = POOL, returns_in_macros, crate = mstx)]
    fn alloc(&self, n: usize) -> Option<NonNull<u8>> {
        (n <= self.len).then_some(self.base)
    }

    #[mstx::region(size = n, device = 1)]
    fn alloc_on(&self, n: usize) -> Option<NonNull<u8>> {
        let _ = n;
        None
    }

    #[mstx::region_resize(ptr = block, size = n, heap = self.base, domain = POOL, crate = mstx)]
    fn realloc(&self, block: NonNull<u8>, n: usize) -> Option<NonNull<u8>> {
        (n <= self.len).then_some(block)
    }

    #[mstx::region_unregister(ptr = block, size = n, heap = self.base, domain = POOL, crate = mstx)]
    fn free(&self, block: NonNull<u8>, n: usize) -> Result<(), ()> {
        let _ = (block, n);
        Ok(())
    }

    #[mstx::flush(crate = mstx)]
    fn launch(&self) {}

    #[mstx::range(name = "step", domain = POOL, stream = stream, crate = mstx)]
    fn step(&self, stream: *mut u8) {
        let _ = stream;
    }

    #[mstx::allocator_internal(crate = mstx)]
    fn link(&self) {}
}

// A comma at the end, and no arguments.
#[mstx::range()]
#[mstx::region(size = 3, heap = 0_usize,)]
fn commas() -> *mut u8 {
    std::ptr::null_mut()
}

fn main() {
    let mut pool = Pool::new(64, "pool").unwrap();
    assert!(Pool::new_on(1).is_err() && pool.grow(64));
    let block = pool.alloc(3).and_then(|block| pool.realloc(block, 5)).unwrap();
    pool.free(block, 5).unwrap();
    assert_eq!(pool.alloc_on(1), None);
    pool.launch();
    pool.step(std::ptr::null_mut());
    pool.link();
    pool.reset();
    pool.end();
    commas();
}
