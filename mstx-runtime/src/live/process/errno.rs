//! `errno`, which an annotated function may have set for its caller.
#![allow(unsafe_code, reason = "calls the C library")]

/// The value of `errno` is put back when this goes.
pub(crate) struct Saved(libc::c_int);

#[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "hurd"))]
use libc::__errno_location as location;
#[cfg(any(target_os = "macos", target_os = "ios", target_os = "freebsd"))]
use libc::__error as location;
#[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
use libc::__errno as location;

impl Saved {
    pub(crate) fn new() -> Self {
        // SAFETY: no conditions.
        let errno = unsafe { location() };
        // SAFETY: it is the running thread's own, and valid for its life.
        Self(unsafe { errno.read() })
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        // SAFETY: no conditions.
        let errno = unsafe { location() };
        // SAFETY: it is the running thread's own, and valid for its life.
        unsafe { errno.write(self.0) };
    }
}
