//! Lints and caller locations as the user of an annotated crate sees them.
#![deny(warnings)]
#![deny(clippy::all, clippy::pedantic, missing_docs)]
#![allow(clippy::missing_panics_doc)]

use std::cell::Cell;
use std::panic::Location;

/// a pool
pub struct Pool {
    base: usize,
    top: Cell<usize>,
}

impl Pool {
    /// take
    #[mstx::region(size = n)]
    #[must_use]
    pub fn take(&self, n: usize, _hint: usize) -> *mut u8 {
        (self.base + self.top.replace(self.top.get() + n)) as *mut u8
    }

    /// callers' location
    #[mstx::region(ptr = ret.0, size = n)]
    #[track_caller]
    #[must_use]
    pub fn take_at(&self, n: usize) -> (*mut u8, u32) {
        (self.take(n, 0), Location::caller().line())
    }
}

#[cfg(feature = "dead")]
#[mstx::region(size = 1)]
fn nobody_calls_me(pool: &Pool) -> *mut u8 {
    pool.take(1, 0)
}

fn main() {
    let p = Pool { base: 4096, top: Cell::new(0) };
    assert!(!p.take(8, 1).is_null());
    let here = line!() + 1;
    let (_, l) = p.take_at(8);
    assert_eq!(here, l);
}
