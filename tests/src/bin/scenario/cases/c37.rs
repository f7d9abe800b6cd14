//! Tools read the same interface differently.

/// The module gives the pool its domain.
mod gpu {
    pub(super) mod pool {
        use std::cell::Cell;

        pub(in super::super) struct Pool {
            base: *mut u8,
            top: Cell<usize>,
        }

        #[mstx::heap(ptr = base, size = len, device = 2)]
        pub(in super::super) fn open(base: *mut u8, len: usize) -> Pool {
            let _ = len;
            Pool { base, top: Cell::new(0) }
        }

        #[mstx::region(heap = pool.base, size = n)]
        pub(in super::super) fn take(pool: &Pool, count: usize, n: usize) -> Vec<*mut u8> {
            let one = |_| pool.base.wrapping_add(pool.top.replace(pool.top.get() + n));
            (0..count).map(one).collect()
        }

        #[mstx::region_unregister(ptr = p)]
        pub(in super::super) fn put(pool: &Pool, p: *mut u8) {
            let _ = (pool, p);
        }

        #[mstx::heap_unregister(heap = pool.base)]
        pub(in super::super) fn close(pool: Pool) {
            let _ = pool;
        }
    }
}

pub(super) fn c37() {
    let pool = gpu::pool::open(0x10000 as *mut u8, 0x1000);
    let regions = gpu::pool::take(&pool, 3, 64);
    for region in regions {
        gpu::pool::put(&pool, region);
    }
    gpu::pool::close(pool);
    println!("{}", mstx::status());
    for domain in mstx::domains().filter(|domain| domain.name().contains("gpu")) {
        println!("{} {:?} {:?}", domain.name(), domain.renamed(), domain.answer());
    }
    crate::report::faults();
}

/// The user says the name that the tool knows.
pub(super) fn c37_exact_name() {
    let pool = crate::pool::open();
    pool.take_many(&[0, 0x100, 0x200], 64);
    pool.give(0x100);
    pool.give(0x200);
    pool.give(0);
    pool.close();
    crate::report::faults();
}
