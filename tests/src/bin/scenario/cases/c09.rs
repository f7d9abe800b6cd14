//! The freed block is live again before `put` has even returned.

use std::sync::{Barrier, Mutex, PoisonError};

struct Pool {
    free: Mutex<Vec<usize>>,
    reused: Barrier,
}

impl Pool {
    fn pop(&self) -> Option<usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

#[mstx::region(size = 64)]
fn take(pool: &Pool) -> *mut u8 {
    pool.pop().unwrap_or(0) as *mut u8
}

#[mstx::region_unregister(ptr = p)]
fn put(pool: &Pool, p: *mut u8) {
    pool.free.lock().unwrap_or_else(PoisonError::into_inner).push(p as usize);
    // The other thread owns it by now.
    pool.reused.wait();
}

pub(super) fn c09() {
    let pool = Pool { free: Mutex::new(vec![0x10000]), reused: Barrier::new(2) };
    let p = take(&pool);
    let expected = crate::stub::live();
    std::thread::scope(|s| {
        s.spawn(|| {
            while take(&pool).is_null() {
                std::thread::yield_now();
            }
            // It has reached the tool when `take` returns.
            assert_eq!(crate::stub::live(), expected);
            pool.reused.wait();
        });
        put(&pool, p);
    });
    crate::report::faults();
}
