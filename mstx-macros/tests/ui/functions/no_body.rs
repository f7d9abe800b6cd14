trait Pool {
    #[mstx::region(size = n)]
    fn alloc(&self, n: usize) -> *mut u8;

    #[mstx::region_unregister(ptr = block)]
    fn free(&self, block: *mut u8);
}

unsafe extern "C" {
    #[mstx::heap(size = n)]
    fn npu_malloc(n: usize) -> *mut u8;
}

fn all(pool: &impl Pool) {
    pool.free(pool.alloc(1));
    unsafe { npu_malloc(1) };
}

fn main() {}
