//! A lock that neither allocates nor poisons, and knows its holder.
#![allow(unsafe_code, reason = "hands out the locked value")]

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;

use super::thread;

/// A lock around `T`. The runtime makes one call to a tool at a time, so only who writes a file meets somebody else here.
pub(crate) struct Lock<T> {
    /// The thread that holds it; 0 for none.
    holder: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is only reached in `with`, by one thread at a time.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { holder: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    /// Lets `work` change the value, once nobody else is at it. `None` where this thread is at it already: in a signal handler.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        let me = thread::number();
        let mut tries = 0_u32;
        while let Err(holder) = self.holder.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed) {
            if holder == me {
                return None;
            }
            tries = tries.saturating_add(1);
            match tries {
                0..100 => core::hint::spin_loop(),
                100..1000 => std::thread::yield_now(),
                // A file is being written.
                _ => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        // SAFETY: whoever is the holder is alone with it, until it is given back below. (If `work` panics, it never is.)
        let value = unsafe { &mut *self.value.get() };
        let result = work(value);
        self.holder.store(0, Ordering::Release);
        Some(result)
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
    }
}
