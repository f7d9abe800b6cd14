//! What the locks are built on: `lock` and `books` take nothing from outside but this and `process`.
//!
//! Their model test (`tests/books.rs`) includes those files with loom's atomics in the place of these, and with smaller numbers. Since
//! loom's atomics cannot be made in a constant, the constructors that are constants are here too.

use super::books::{Books, Place};
use super::lock::Lock;

pub(super) use core::hint::spin_loop;
pub(super) use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
pub(super) use std::thread::yield_now;

/// How often a thread looks whether a lock is free again before it sleeps.
pub(super) const TRIES: u32 = 100;

/// More threads than this share places in which they announce that they share the books.
pub(super) const PLACES: usize = 16;

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self::with(AtomicU32::new(0), value)
    }
}

impl<T> Books<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self::with(Lock::new(value), AtomicBool::new(false), [const { Place::new(AtomicU32::new(0)) }; PLACES])
    }
}
