//! The log: whole lines, one `write` each, appended to the file that `MSTX_STUB_LOG` names.
//!
//! Nothing here takes a lock, so that a forked child and a thread that breaks the rules can still be reported.

use crate::config;
use crate::kind::{self, Kind};
use std::ffi::{CString, c_int, c_void};
use std::fmt::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

static FILE: AtomicI32 = AtomicI32::new(-1);
static SEQUENCE: AtomicU64 = AtomicU64::new(0);
static VIOLATIONS: AtomicU64 = AtomicU64::new(0);

/// Opens the log, if the environment asks for one. A log that cannot be opened is a mistake in the test: it ends here.
pub(crate) fn open() {
    let Some(path) = std::env::var_os("MSTX_STUB_LOG").filter(|path| !path.is_empty()) else {
        return;
    };
    let flags = libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT | libc::O_CLOEXEC;
    let file = CString::new(path.as_bytes()).map_or(-1, |path| open_file(&path, flags));
    if file < 0 {
        eprintln!("mstx-stub: MSTX_STUB_LOG cannot be opened: {}", path.to_string_lossy());
        std::process::abort();
    }
    FILE.store(file, Relaxed);
}

fn open_file(path: &CString, flags: c_int) -> c_int {
    // SAFETY: the path is NUL-terminated, and a mode is given because the flags hold O_CREAT.
    unsafe { libc::open(path.as_ptr(), flags, 0o644) }
}

/// One line about a call. Not written when only counters are wanted.
pub(crate) fn call(text: fmt::Arguments<'_>) {
    if !config::get().quiet {
        line(text);
    }
}

/// One line about what the imitated tool itself complains of.
pub(crate) fn tool_error(text: fmt::Arguments<'_>) {
    kind::count(Kind::ToolError, 1);
    call(format_args!("tool-error {text}"));
}

/// A rule was broken. Rule 0 is the interface itself, 1 to 9 are the rules for clients.
pub(crate) fn report_violation(rule: u32, text: fmt::Arguments<'_>) {
    VIOLATIONS.fetch_add(1, Relaxed);
    line(format_args!("VIOLATION rule={rule} {text}"));
}

/// How many rules were broken so far.
pub(crate) fn violations() -> u64 {
    VIOLATIONS.load(Relaxed)
}

/// One of the real tools dies here, and so does the stub.
pub(crate) fn crash(text: fmt::Arguments<'_>) -> ! {
    line(format_args!("crash {text}"));
    std::process::abort();
}

/// Writes one line.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    let file = FILE.load(Relaxed);
    if file < 0 {
        return;
    }
    let sequence = SEQUENCE.fetch_add(1, Relaxed) + 1;
    let mut line = String::with_capacity(256);
    // Writing to a String does not fail.
    let _ = writeln!(line, "{sequence} {} {} {text}", process_id(), thread_id());
    // SAFETY: the buffer holds as many initialised bytes as are asked to be written.
    let _ = unsafe { libc::write(file, line.as_ptr().cast::<c_void>(), line.len()) };
}

/// The calling process.
pub(crate) fn process_id() -> i32 {
    // SAFETY: has no preconditions.
    unsafe { libc::getpid() }
}

/// The calling thread, as the kernel numbers it.
pub(crate) fn thread_id() -> i32 {
    // SAFETY: has no preconditions.
    unsafe { libc::gettid() }
}

/// Reports a broken rule: `violation!(6, "zero size at {start:#x}")`.
macro_rules! violation {
    ($rule:expr, $($text:tt)*) => { $crate::log::report_violation($rule, format_args!($($text)*)) };
}
pub(crate) use violation;
