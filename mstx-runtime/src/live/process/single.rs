//! Whether the process has a single thread, as the C library knows it.
//!
//! Then a lock needs no atomic operation, which is what it costs otherwise. The locks of the C library do the same.
#![allow(unsafe_code, reason = "reads a variable of the C library")]

use core::sync::atomic::{AtomicPtr, Ordering};

use super::system;

/// The variable of the C library; null where it has none.
static VARIABLE: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());

/// Looks for the variable.
pub(crate) fn look() {
    let variable = if cfg!(target_env = "gnu") { system::symbol(None, c"__libc_single_threaded") } else { None };
    VARIABLE.store(variable.map_or(core::ptr::null_mut(), |variable| variable.as_ptr().cast()), Ordering::Relaxed);
}

/// Whether no other thread exists. What other threads did before they ended, this one sees.
pub(crate) fn is_single() -> bool {
    let variable = VARIABLE.load(Ordering::Relaxed);
    // SAFETY: the C library keeps the variable for the life of the process, and only writes it from the only thread there is.
    !variable.is_null() && unsafe { variable.read_volatile() } != 0
}
