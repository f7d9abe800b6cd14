//! Where reports go: to the standard error stream, or into a file.
//!
//! Nothing here allocates from the program's allocator (but where the system is not a Unix), and nothing waits for another thread:
//! reports come from inside of allocators, and from handlers of signals.
#![allow(unsafe_code, reason = "calls the C library")]

use core::sync::atomic::{AtomicI32, AtomicU8, Ordering};

use crate::files;
use crate::options;
use crate::text::Text;

/// The number of the standard error stream.
const STANDARD_ERROR: i32 = 2;
/// No report was written yet.
const UNKNOWN: i32 = -1;
/// A thread opens the file just now.
const OPENING: i32 = -2;

/// Where reports go.
static DESCRIPTOR: AtomicI32 = AtomicI32::new(UNKNOWN);

/// Whether reports are colored: 2 or 1; 0 where nobody has looked yet.
static COLORED: AtomicU8 = AtomicU8::new(0);

/// From now on, reports go where the options say.
pub(crate) fn reset() {
    // The old file stays open: another thread may be writing to it.
    DESCRIPTOR.store(UNKNOWN, Ordering::Release);
    COLORED.store(0, Ordering::Relaxed);
}

/// Where reports go. The first one opens the file; what others say meanwhile goes to the standard error stream.
fn descriptor() -> i32 {
    match DESCRIPTOR.load(Ordering::Acquire) {
        UNKNOWN => match DESCRIPTOR.compare_exchange(UNKNOWN, OPENING, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => {
                let descriptor = open();
                DESCRIPTOR.store(descriptor, Ordering::Release);
                descriptor
            }
            Err(_) => STANDARD_ERROR,
        },
        OPENING => STANDARD_ERROR,
        known => known,
    }
}

fn open() -> i32 {
    let Some(name) = options::LOG.get() else { return STANDARD_ERROR };
    files::open_to_append(name).unwrap_or_else(|error| {
        use core::fmt::Write as _;
        let name = name.escape_ascii();
        Text::complain(|text| writeln!(text, "mstx: reports are not written to {name}: {error}"));
        STANDARD_ERROR
    })
}

/// Writes a report.
pub(crate) fn write(bytes: &[u8]) {
    system::write(descriptor(), bytes);
}

/// Writes to the standard error stream.
pub(crate) fn write_error(bytes: &[u8]) {
    system::write(STANDARD_ERROR, bytes);
}

/// Whether reports are colored: if that is asked for; or if they go to a terminal, and `NO_COLOR` does not forbid it.
pub(crate) fn is_colored() -> bool {
    match COLORED.load(Ordering::Relaxed) {
        0 => {
            let colored = options::color().unwrap_or_else(|| system::is_terminal(descriptor()));
            COLORED.store(1 + u8::from(colored), Ordering::Relaxed);
            colored
        }
        known => known == 2,
    }
}

#[cfg(all(unix, not(miri)))]
mod system {
    use core::ffi::CStr;
    use std::io;

    pub(super) fn write(descriptor: i32, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            // SAFETY: the buffer is as long as it is said to be.
            let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
            match usize::try_from(written) {
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(_) if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                // Nobody reads it.
                Err(_) => return,
            }
        }
    }

    pub(super) fn is_terminal(descriptor: i32) -> bool {
        // SAFETY: no conditions.
        let terminal = unsafe { libc::isatty(descriptor) } == 1;
        terminal && variable(c"NO_COLOR").is_none_or(CStr::is_empty) && variable(c"TERM").is_none_or(|term| term != c"dumb")
    }

    fn variable(name: &CStr) -> Option<&CStr> {
        // SAFETY: the name is a C string. As everywhere in C, the environment may not be changed by another thread meanwhile.
        let value = unsafe { libc::getenv(name.as_ptr()) };
        // SAFETY: the value is a C string, and looked at right away.
        (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) })
    }
}

#[cfg(not(all(unix, not(miri))))]
mod system {
    use std::io::{self, IsTerminal as _, Write as _};

    pub(super) fn write(_: i32, bytes: &[u8]) {
        // Nobody may be reading it.
        let _ = io::stderr().write_all(bytes);
    }

    pub(super) fn is_terminal(_: i32) -> bool {
        io::stderr().is_terminal()
    }
}
