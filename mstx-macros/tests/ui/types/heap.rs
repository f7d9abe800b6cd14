struct Pool {
    base: *mut u8,
}

impl Pool {
    #[mstx::region(heap = self, size = n)]
    fn alloc(&self, n: usize) -> *mut u8 {
        self.base.wrapping_add(n)
    }

    #[mstx::region_unregister(heap = self.name(), ptr = block)]
    fn free(&self, block: *mut u8) {
        let _ = block;
    }

    #[mstx::heap_reset(heap = Some(self.base))]
    fn reset(&mut self) {}

    #[mstx::heap_unregister(heap = 3_i32)]
    fn end(self) {}

    fn name(&self) -> &str {
        "pool"
    }
}

#[mstx::heap_unregister(heap = pool)]
fn end(pool: Box<Pool>) {
    drop(pool);
}

fn main() {
    let mut pool = Pool { base: std::ptr::null_mut() };
    pool.free(pool.alloc(1));
    pool.reset();
    pool.end();
}
