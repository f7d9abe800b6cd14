//! A forked child reports nothing, so what its pools hand out would stay off limits: there, nothing is checked.
#![cfg_attr(all(unix, not(miri)), allow(unsafe_code, reason = "calls the C library"))]

#[cfg(all(unix, not(miri)))]
mod system {
    use core::sync::atomic::{AtomicBool, Ordering};

    use crate::access::{STATE, end};

    /// Whether the lock was taken for the fork. A thread that forks while it is at the state itself has taken it before.
    static KEPT: AtomicBool = AtomicBool::new(false);

    /// The child shall not find the table half-done.
    extern "C" fn before() {
        KEPT.store(STATE.take(), Ordering::Relaxed);
    }

    extern "C" fn in_parent() {
        if KEPT.swap(false, Ordering::Relaxed) {
            STATE.give_back();
        }
    }

    extern "C" fn in_child() {
        in_parent();
        end();
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
