//! The same in async functions.

struct Pool {
    base: *mut u8,
}

impl Pool {
    #[mstx::region(heap = self.base, size = n)]
    async fn alloc(&self, n: usize) -> Option<*mut u8> {
        let text: &str = n;
        if n == 0 {
            return Some(self.base.await);
        }
        self.alloc_now(text).await
    }

    #[mstx::region_unregister(heap = self.base, ptr = block)]
    async fn free(&mut self, block: *mut u8) -> Result<(), String> {
        self.alloc_now(block)?;
        self.base
    }

    async fn alloc_now(&self, n: usize) -> Option<*mut u8> {
        Some(self.base.wrapping_add(n))
    }
}

fn main() {
    let mut pool = Pool { base: std::ptr::null_mut() };
    drop(pool.alloc(1));
    drop(pool.free(pool.base));
}
