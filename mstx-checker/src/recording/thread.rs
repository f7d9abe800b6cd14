//! Numbers of threads.
//!
//! The thread-local has a constant start value and no destructor: it needs no allocation, and works while a thread's other
//! locals are being destroyed.

use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering};

static THREADS: AtomicU32 = AtomicU32::new(0);

std::thread_local! {
    static NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// This thread's number, from 1, in the order in which threads first ask.
pub(crate) fn number() -> u32 {
    NUMBER.with(|number| {
        if number.get() == 0 {
            // After 2^32 threads numbers come again; never 0.
            number.set(THREADS.fetch_add(1, Ordering::Relaxed).wrapping_add(1).max(1));
        }
        number.get()
    })
}
