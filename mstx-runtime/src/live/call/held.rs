//! What a function keeps while its body runs: one pointer.
#![allow(unsafe_code, reason = "frees what it points to")]

use core::ptr::NonNull;
use std::alloc::System;

use allocator_api2::boxed::Box;

use crate::live::bodies;

/// A box on the system allocator, or nothing: where nobody listens after all, or there is no memory.
///
/// It is never null, whichever it is. So a function whose `Option` of this is `None` while nobody listens has one test at its end, and
/// where the compiler makes two of a short body, none at all: it knows in which of them there is something to do.
#[derive(Debug)]
pub(super) struct Held<T>(NonNull<T>);

// SAFETY: it owns what it points to, as a box does.
unsafe impl<T: Send> Send for Held<T> {}

// SAFETY: it owns what it points to, as a box does.
unsafe impl<T: Sync> Sync for Held<T> {}

impl<T> Held<T> {
    /// Points to no `T`: no allocation is there.
    const NOTHING: NonNull<T> = NonNull::dangling();

    const IS_NO_ALLOCATION: () = assert!(size_of::<T>() > 0, "what has no size has no allocation of its own");

    pub(super) fn new(value: T) -> Self {
        let () = Self::IS_NO_ALLOCATION;
        let _held = bodies::hold_signals();
        let allocated = Box::try_new_in(value, System).ok();
        Self(allocated.and_then(|value| NonNull::new(Box::into_raw(value))).unwrap_or(Self::NOTHING))
    }

    /// The end of what comes before a body: from here on the compiler knows neither whether there is something, nor how the function
    /// came here. If it did, it would lead the ways on which there is nothing back to the one that is in a hurry, and there they would
    /// need a stack frame.
    #[cold]
    #[inline(never)]
    pub(super) fn or_nothing(kept: Option<Self>) -> Self {
        kept.unwrap_or(Self(Self::NOTHING))
    }

    pub(super) fn is_something(&self) -> bool {
        self.0 != Self::NOTHING
    }

    pub(super) fn get(&self) -> Option<&T> {
        if !self.is_something() {
            return None;
        }
        // SAFETY: it points to a `T` that it owns, since it does not point to nothing.
        Some(unsafe { self.0.as_ref() })
    }

    pub(super) fn get_mut(&mut self) -> Option<&mut T> {
        if !self.is_something() {
            return None;
        }
        // SAFETY: it points to a `T` that it owns, since it does not point to nothing.
        Some(unsafe { self.0.as_mut() })
    }
}

impl<T> Drop for Held<T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: it owns what it points to, and this is its end.
        unsafe { free(self.0) }
    }
}

/// The end of a [`Held`]. By value: it need not have an address for this.
///
/// # Safety
///
/// The pointer is that of a `Held` that is not used any more.
#[cold]
#[inline(never)]
unsafe fn free<T>(pointer: NonNull<T>) {
    if pointer != Held::NOTHING {
        let _held = bodies::hold_signals();
        // SAFETY: it came out of such a box in `new`, and goes back into one once.
        drop(unsafe { Box::from_raw_in(pointer.as_ptr(), System) });
    }
}
