//! A value for one caller at a time, who never waits.
#![allow(unsafe_code, reason = "hands out the value")]

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// A value that one caller at a time may change.
///
/// The runtime never makes two calls to a tool at once, so this is always free. It is what makes that sound to rely on.
pub(crate) struct Exclusive<T> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is only reached in `with`, by one thread at a time.
unsafe impl<T: Send> Sync for Exclusive<T> {}

impl<T> Exclusive<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Lets `work` change the value; `None` where somebody is at it.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> Option<R> {
        if self.taken.swap(true, Ordering::Acquire) {
            return None;
        }
        // SAFETY: whoever takes it is alone with it until it is given back below. (If `work` panics, it never is.)
        let value = unsafe { &mut *self.value.get() };
        let result = work(value);
        self.taken.store(false, Ordering::Release);
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::Exclusive;

    #[test]
    fn one_at_a_time() {
        let value = Exclusive::new(1);
        let inner = value.with(|first| {
            *first += 1;
            value.with(|second| *second)
        });
        assert_eq!(inner, Some(None));
        assert_eq!(value.with(|value| *value), Some(2));
    }
}
