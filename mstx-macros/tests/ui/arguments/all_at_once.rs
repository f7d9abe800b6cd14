//! Everything is reported at once: all that is wrong with an attribute, and what the compiler finds in the bodies besides. The
//! functions are still there: none of their uses is an error.

struct Pool {
    base: *mut u8,
}

impl Pool {
    #[mstx::region(sise = n, heap, size = n?, size = 2, ptr = , domain = "a::b", "x", device: 3, crate = 3 + 4)]
    fn alloc(&self, n: usize) -> *mut u8 {
        self.base.wrapping_add(n)
    }

    #[mstx::region(sise = n)]
    fn alloc_wrong(&self, n: usize) -> *mut u8 {
        let text: &str = n;
        self.base.nothing_of_this_name(text)
    }

    #[mstx::region_resize(device = 3)]
    const fn realloc(block: *mut u8) -> *mut u8 {
        block
    }
}

trait Release {
    fn release(self, block: *mut u8);
}

impl Release for Pool {
    #[mstx::region_unregister(block)]
    fn release(self, block: *mut u8) {
        let _ = block;
    }
}

fn main() {
    let pool = Pool { base: std::ptr::null_mut() };
    pool.alloc_wrong(1);
    let block = Pool::realloc(pool.alloc(1));
    pool.release(block);
}
