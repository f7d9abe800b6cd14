//! Unix, by way of the C library.
#![allow(unsafe_code, reason = "calls the C library")]

use core::ffi::{CStr, c_void};
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::AtomicU32;

use crate::{Label, Refusal};

#[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "hurd"))]
use libc::__errno_location as errno_location;
#[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
use libc::__errno as errno_location;
#[cfg(any(target_os = "macos", target_os = "ios", target_os = "freebsd", target_os = "dragonfly"))]
use libc::__error as errno_location;

/// `errno` of this thread.
pub(crate) fn errno() -> i32 {
    // SAFETY: no conditions.
    let errno = unsafe { errno_location() };
    // SAFETY: it is the running thread's own, and valid for its life.
    unsafe { errno.read() }
}

/// Sets `errno` of this thread.
pub(crate) fn set_errno(value: i32) {
    // SAFETY: no conditions.
    let errno = unsafe { errno_location() };
    // SAFETY: it is the running thread's own, and valid for its life.
    unsafe { errno.write(value) };
}

/// The signals that a thread had blocked.
pub(crate) struct SignalMask(libc::sigset_t);

/// Those that a fault of the thread itself raises: blocked, they would end the process.
const FAULTS: [libc::c_int; 6] = [libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSEGV, libc::SIGTRAP];

/// Blocks the signals that come from outside, too: what is blocked already stays so. `None` where that cannot be.
pub(crate) fn block_signals() -> Option<SignalMask> {
    let (mut all, mut before) = (MaybeUninit::<libc::sigset_t>::zeroed(), MaybeUninit::<libc::sigset_t>::zeroed());
    // SAFETY: valid for being written.
    unsafe { libc::sigfillset(all.as_mut_ptr()) };
    for signal in FAULTS {
        // SAFETY: a set that was made above, and a number of a signal.
        unsafe { libc::sigdelset(all.as_mut_ptr(), signal) };
    }
    // SAFETY: the first is a whole set, the second is valid for being written.
    let blocked = unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), before.as_mut_ptr()) } == 0;
    // SAFETY: it was written.
    blocked.then(|| SignalMask(unsafe { before.assume_init() }))
}

/// Puts back what was blocked before.
pub(crate) fn set_signals(mask: &SignalMask) {
    // SAFETY: a whole set.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const mask.0, core::ptr::null_mut()) };
}

/// An environment variable, to be looked at right away.
pub(crate) fn variable(name: &CStr) -> Option<&'static CStr> {
    // SAFETY: the name is a C string. As everywhere in C, the environment may not be changed by another thread meanwhile.
    let value = unsafe { libc::getenv(name.as_ptr()) };
    // SAFETY: the value is a C string, which lives until the variable is changed.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) })
}

/// Whether the process has more rights than the user who started it.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn is_privileged() -> bool {
    // SAFETY: no conditions.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Whether the process has more rights than the user who started it.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn is_privileged() -> bool {
    // SAFETY: no conditions.
    let user = unsafe { libc::getuid() };
    // SAFETY: no conditions.
    let effective_user = unsafe { libc::geteuid() };
    // SAFETY: no conditions.
    let group = unsafe { libc::getgid() };
    // SAFETY: no conditions.
    let effective_group = unsafe { libc::getegid() };
    user != effective_user || group != effective_group
}

/// Writes to the standard error stream. What cannot be written is lost.
pub(crate) fn write_error(bytes: &[u8]) {
    // SAFETY: the buffer is as long as it is said to be.
    unsafe { libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len()) };
}

/// Has a function called in every child that is forked.
pub(crate) fn at_fork(in_child: extern "C" fn()) {
    // SAFETY: the handler is a plain function of this library, which stays in the process.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

/// Has a function called when the process exits.
pub(crate) fn at_exit(handler: extern "C" fn()) {
    // SAFETY: the handler is a plain function of this library.
    unsafe { libc::atexit(handler) };
}

/// The number of this process.
pub(crate) fn process() -> u32 {
    // SAFETY: no conditions.
    let id = unsafe { libc::getpid() };
    // Process numbers are positive.
    u32::try_from(id).unwrap_or(0)
}

/// The number of this thread, and its name, as the system knows them.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn thread() -> (u64, Label) {
    // SAFETY: no conditions.
    let id = unsafe { libc::syscall(libc::SYS_gettid) };
    // Room for the longest name, and the NUL that ends it.
    let mut name = [0_u8; 16];
    // SAFETY: the name fits, and is written nowhere else.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    let name = CStr::from_bytes_until_nul(&name).ok().and_then(|name| name.to_str().ok());
    (u64::try_from(id).unwrap_or(0), Label::new(name.unwrap_or_default()))
}

/// Not asked for.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn thread() -> (u64, Label) {
    (0, Label::new(""))
}

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
    let no_timeout = core::ptr::null::<libc::timespec>();
    // SAFETY: the word outlives the call; the kernel only reads it.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation | libc::FUTEX_PRIVATE_FLAG, value, no_timeout) };
}

/// Waits a little: gives the processor to another thread.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn wait(_word: &AtomicU32, _expected: u32) {
    std::thread::yield_now();
}

/// Nobody sleeps here.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn wake_one(_word: &AtomicU32) {}

/// A library that was loaded, and is never closed.
pub(crate) struct Library(NonNull<c_void>);

/// Loads a library: by its path, or by its name where that is searched for.
pub(crate) fn open_library(path: &CStr) -> Result<Library, Refusal> {
    // SAFETY: the path is a C string. Loading runs the library's constructors, which is what the user asks for.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
    let failure = || if is_missing(path) { Refusal::NotFound } else { Refusal::NotLoadable };
    NonNull::new(handle).map(Library).ok_or_else(failure)
}

/// Why `dlopen` failed. Of a path, the file system knows; of a name that is searched for, only the message says.
fn is_missing(path: &CStr) -> bool {
    if path.to_bytes().contains(&b'/') {
        // SAFETY: the path is a C string.
        return unsafe { libc::access(path.as_ptr(), libc::F_OK) } != 0;
    }
    // SAFETY: called right after the failed `dlopen`, in the same thread.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return true;
    }
    // SAFETY: a C string that lives until the next call of these functions.
    let message = unsafe { CStr::from_ptr(message) };
    message.to_str().is_ok_and(|message| message.contains("No such file") || message.contains("no such file"))
}

/// A symbol of a library, or of what the process has loaded already.
pub(crate) fn symbol(library: Option<&Library>, name: &CStr) -> Option<NonNull<c_void>> {
    let handle = library.map_or(libc::RTLD_DEFAULT, |library| library.0.as_ptr());
    // SAFETY: the handle is that of a library, or the default scope; the name is a C string.
    NonNull::new(unsafe { libc::dlsym(handle, name.as_ptr()) })
}

#[cfg(test)]
mod tests {
    use super::{MaybeUninit, block_signals, set_signals};

    /// The signal that a thread blocks, with a signal of that kind waiting for it.
    #[test]
    fn what_a_thread_blocks_stays_blocked() {
        let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
        // SAFETY: valid for being written.
        unsafe { libc::sigemptyset(set.as_mut_ptr()) };
        // SAFETY: a set that was made above, and a number of a signal.
        unsafe { libc::sigaddset(set.as_mut_ptr(), libc::SIGTRAP) };
        // SAFETY: a whole set.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), core::ptr::null_mut()) };
        // SAFETY: for this thread, which blocks it.
        unsafe { libc::raise(libc::SIGTRAP) };

        // If it were let through meanwhile, it would end the process.
        let mask = block_signals().expect("it can be");
        set_signals(&mask);

        let mut waiting = MaybeUninit::<libc::sigset_t>::zeroed();
        // SAFETY: valid for being written.
        unsafe { libc::sigpending(waiting.as_mut_ptr()) };
        // SAFETY: a whole set, and a number of a signal.
        assert_eq!(unsafe { libc::sigismember(waiting.as_ptr(), libc::SIGTRAP) }, 1);
        let mut signal = 0;
        // SAFETY: a whole set; the other is valid for being written. It takes the signal.
        unsafe { libc::sigwait(set.as_ptr(), &raw mut signal) };
        assert_eq!(signal, libc::SIGTRAP);
    }
}
