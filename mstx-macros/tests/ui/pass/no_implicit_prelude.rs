#![no_implicit_prelude]

::mstx::domain!(static POOL = "pool");

struct Pool {
    base: *mut u8,
}

impl Pool {
    #[::mstx::heap(ptr = ret.base, size = n, domain = POOL, name = "pool", host)]
    fn new(n: usize) -> ::std::option::Option<Self> {
        ::std::option::Option::Some(Self { base: ::std::ptr::without_provenance_mut(n) })
    }

    #[::mstx::region(heap = self.base, size = n, domain = "pool")]
    fn alloc(&self, n: usize) -> ::std::option::Option<*mut u8> {
        if n == 3 {
            return ::std::option::Option::None;
        }
        ::std::option::Option::Some(self.base)
    }

    #[::mstx::region_resize(ptr = block, size = 3)]
    fn realloc(&self, block: *mut u8) -> bool {
        block == self.base
    }

    #[::mstx::region_unregister(ptr = block)]
    fn free(&self, block: *mut u8) -> ::std::result::Result<(), ()> {
        let _ = block;
        ::std::result::Result::Ok(())
    }

    #[::mstx::heap_resize(heap = self.base, size = 3)]
    fn grow(&mut self) {}

    #[::mstx::heap_reset(heap = self.base)]
    fn reset(&mut self) {}

    #[::mstx::heap_unregister(heap = self.base)]
    fn end(self) {}

    #[::mstx::flush]
    #[::mstx::range(name = "launch")]
    async fn launch(&self) {}
}

fn main() {
    let mut pool = Pool::new(3).unwrap();
    let block = pool.alloc(1).unwrap();
    ::std::assert!(pool.realloc(block));
    pool.free(block).unwrap();
    pool.grow();
    pool.reset();
    ::std::mem::drop(pool.launch());
    pool.end();
}
