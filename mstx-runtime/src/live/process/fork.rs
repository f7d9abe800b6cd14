//! A forked child reports nothing: its tool is the parent's, and its locks may be held by threads that it does not have.

use core::sync::atomic::{AtomicBool, Ordering};

use super::system;
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
    system::at_fork(in_child);
}
