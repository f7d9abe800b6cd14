//! Waiting for a word to change.
#![allow(unsafe_code, reason = "calls the operating system")]

use core::sync::atomic::AtomicU32;

/// Waits until the word is not `expected`; may return early.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn wait(word: &AtomicU32, expected: u32) {
    futex(word, libc::FUTEX_WAIT, expected);
}

/// Wakes one thread that waits for the word.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn wake_one(word: &AtomicU32) {
    futex(word, libc::FUTEX_WAKE, 1);
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn futex(word: &AtomicU32, operation: libc::c_int, value: u32) {
    // SAFETY: errno belongs to the running thread.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: it is valid for the thread's life; what is lost inside an allocator call must be put back.
    let saved = unsafe { errno.read() };
    // SAFETY: the word outlives the call; the kernel only reads it; no timeout is given.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            operation | libc::FUTEX_PRIVATE_FLAG,
            value,
            core::ptr::null::<libc::timespec>(),
        )
    };
    // SAFETY: as above.
    unsafe { errno.write(saved) };
}

/// Elsewhere: gives the processor to another thread.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn wait(_word: &AtomicU32, _expected: u32) {
    std::thread::yield_now();
}

/// Elsewhere nobody sleeps.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn wake_one(_word: &AtomicU32) {}
