//! A forked child reports nothing: its tool is the parent's, and its locks may be held by threads that it does not have.
#![allow(unsafe_code, reason = "calls the C library")]

use core::sync::atomic::{AtomicBool, Ordering};

use crate::live::listen;

static CHILD: AtomicBool = AtomicBool::new(false);

/// Whether this process was forked from one that reported. Read before any lock.
pub(crate) fn is_child() -> bool {
    CHILD.load(Ordering::Relaxed)
}

extern "C" fn in_child() {
    CHILD.store(true, Ordering::Relaxed);
    listen::never();
}

/// Arranges that a child is told. Once, and before anything that a child could find half-done.
pub(crate) fn watch() {
    // SAFETY: the handler only stores to atomics.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

/// This process.
pub(crate) fn process() -> u32 {
    // SAFETY: no conditions.
    let id = unsafe { libc::getpid() };
    // Process numbers are positive.
    u32::try_from(id).unwrap_or(0)
}
