//! A value for one thread at a time, which knows that thread.
#![allow(unsafe_code, reason = "hands out the value")]

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;

/// A lock around `T`, which neither allocates nor poisons. What is done under it accesses no pool's memory, and is short, but for the
/// writing of a file.
pub(crate) struct Lock<T> {
    /// The thread that holds it; 0 for none.
    holder: AtomicUsize,
    value: UnsafeCell<T>,
}

// SAFETY: the value is only reached in `with`, by one thread at a time.
unsafe impl<T: Send> Sync for Lock<T> {}

/// This thread, told from all others that are alive; never 0.
pub(crate) fn me() -> usize {
    std::thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| core::ptr::from_ref(here).addr())
}

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { holder: AtomicUsize::new(0), value: UnsafeCell::new(value) }
    }

    /// Lets `work` change the value, as soon as nobody else is at it. `None` where this thread is at it already: in a handler that has
    /// interrupted it.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        if !self.take() {
            return None;
        }
        // SAFETY: whoever takes it is alone with it until it is given back below. (If `work` panics, it never is.)
        let value = unsafe { &mut *self.value.get() };
        let result = work(value);
        self.give_back();
        Some(result)
    }

    /// Takes the lock. `false` where this thread has it already.
    pub(crate) fn take(&self) -> bool {
        let me = me();
        let mut tries = 0_u32;
        while let Err(holder) = self.holder.compare_exchange_weak(0, me, Ordering::Acquire, Ordering::Relaxed) {
            if holder == me {
                return false;
            }
            tries = tries.saturating_add(1);
            match tries {
                0..100 => core::hint::spin_loop(),
                100..1000 => std::thread::yield_now(),
                // A file is being written.
                _ => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        true
    }

    /// Gives it back; also, in a forked child, what a thread has taken there.
    pub(crate) fn give_back(&self) {
        self.holder.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::Lock;

    #[test]
    fn threads_wait_for_each_other() {
        let value = Lock::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| assert!(value.with(|value| *value += 1).is_some())));
            }
        });
        assert_eq!(value.with(|value| *value), Some(4000));
    }

    #[test]
    fn a_thread_does_not_wait_for_itself() {
        let value = Lock::new(0);
        assert_eq!(value.with(|_| value.with(|_| ())), Some(None));
        assert_eq!(value.with(|_| ()), Some(()));
    }
}
