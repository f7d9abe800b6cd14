//! A value for one thread at a time. Others wait, or try.
#![allow(unsafe_code, reason = "hands out the value")]

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// How often somebody who only tries looks: long enough for what is done under the lock, short enough not to hang where this
/// thread is the one that holds it (an error report from inside of the checker).
const TRIES: u32 = 10_000;

/// A lock around `T`, which neither allocates nor poisons. What is done under it is short, and accesses no pool's memory.
pub(super) struct Lock<T> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is only reached in `with` and `try_with`, by one thread at a time.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub(super) const fn new(value: T) -> Self {
        Self { taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Lets `work` change the value, as soon as nobody else is at it.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        while !self.take() {
            std::thread::yield_now();
        }
        self.work(work)
    }

    /// Lets `work` change the value; `None` where somebody stays at it. For handlers, which may have interrupted that somebody.
    pub(super) fn try_with<R>(&self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        for _ in 0..TRIES {
            if self.take() {
                return Some(self.work(work));
            }
            std::thread::yield_now();
        }
        None
    }

    /// Takes the lock and keeps it, for a fork. Returns whether it could.
    pub(super) fn keep(&self) -> bool {
        (0..TRIES).any(|_| {
            let taken = self.take();
            if !taken {
                std::thread::yield_now();
            }
            taken
        })
    }

    /// Gives back what [`keep`](Self::keep) took; or, in a forked child, what a thread holds that the child does not have.
    pub(super) fn give_back(&self) {
        self.taken.store(false, Ordering::Release);
    }

    fn take(&self) -> bool {
        !self.taken.swap(true, Ordering::Acquire)
    }

    fn work<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: whoever takes it is alone with it until it is given back below.
        let value = unsafe { &mut *self.value.get() };
        let result = work(value);
        self.give_back();
        result
    }
}
