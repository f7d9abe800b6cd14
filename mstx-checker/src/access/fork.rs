//! A forked child reports nothing, so what its pools hand out would stay off limits: there, nothing is checked.
#![cfg_attr(all(unix, not(miri)), allow(unsafe_code, reason = "calls the C library"))]

#[cfg(all(unix, not(miri)))]
mod system {
    use core::sync::atomic::{AtomicBool, Ordering};

    use crate::access::{STATE, TELLS};

    /// Whether the thread that forks holds the lock.
    static KEPT: AtomicBool = AtomicBool::new(false);

    /// The child shall not find the table half-done.
    extern "C" fn before() {
        KEPT.store(STATE.keep(), Ordering::Relaxed);
    }

    extern "C" fn in_parent() {
        if KEPT.swap(false, Ordering::Relaxed) {
            STATE.give_back();
        }
    }

    extern "C" fn in_child() {
        // If it could not be had, its holder is not in the child.
        STATE.give_back();
        KEPT.store(false, Ordering::Relaxed);
        if TELLS.swap(false, Ordering::Relaxed) {
            STATE.with(|state| state.end(false));
        }
    }

    pub(in crate::access) fn watch() {
        // SAFETY: the handlers only take and give a lock, and open memory.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    }
}

#[cfg(not(all(unix, not(miri))))]
mod system {
    pub(in crate::access) fn watch() {}
}

pub(super) use self::system::watch;
