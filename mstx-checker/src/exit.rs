//! The status with which the process ends.
#![allow(unsafe_code, reason = "calls the C library")]

use crate::options;

/// The status that was asked for.
fn code() -> Option<i32> {
    Some(options::exit_code()).filter(|&code| code != 0).map(i32::from)
}

/// There were faults, and the process is ending: sees to the status that was asked for, if one was.
///
/// This registers one more exit handler, which runs once the one that the process is in has returned: other tools are still to
/// be told of the end.
pub(crate) fn after_faults() {
    if code().is_some() {
        system::watch();
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod system {
    use core::ffi::{c_int, c_void};
    use core::ptr::null_mut;

    unsafe extern "C" {
        fn on_exit(handler: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    }

    extern "C" fn at_exit(status: c_int, _: *mut c_void) {
        // Parents see eight bits of it.
        if status & 0xff != 0 {
            return;
        }
        if let Some(code) = super::code() {
            // SAFETY: glibc lets a handler call `exit`: the handlers that are left run, and the new status is taken. The streams
            // of the C library are flushed after them; Rust's were before, when `main` returned.
            unsafe { libc::exit(code) }
        }
    }

    pub(super) fn watch() {
        // SAFETY: the handler takes no argument, and calls nothing that may not run at exit.
        unsafe { on_exit(at_exit, null_mut()) };
    }
}

#[cfg(not(all(unix, not(miri))))]
mod system {
    /// Nobody says when the process exits.
    pub(super) fn watch() {}
}

#[cfg(all(unix, not(all(target_os = "linux", target_env = "gnu")), not(miri)))]
mod system {
    use core::ptr::null_mut;

    extern "C" fn at_exit() {
        if let Some(code) = super::code() {
            // `exit` may not be called here (musl aborts), so what it does after the handlers is done by hand.
            // SAFETY: null stands for all streams.
            unsafe { libc::fflush(null_mut()) };
            // SAFETY: no conditions.
            unsafe { libc::_exit(code) }
        }
    }

    pub(super) fn watch() {
        // SAFETY: the handler calls nothing that may not run at exit.
        unsafe { libc::atexit(at_exit) };
    }
}
