//! Where no C library is known.

use core::convert::Infallible;
use core::ffi::{CStr, c_void};
use core::ptr::NonNull;
use core::sync::atomic::AtomicU32;
use std::io::Write as _;

use crate::{Label, Refusal};

/// There is none.
pub(crate) fn errno() -> i32 {
    0
}

/// There is none.
pub(crate) fn set_errno(_value: i32) {}

/// There are no signals.
pub(crate) struct SignalMask;

/// There are none.
pub(crate) fn block_signals() -> Option<SignalMask> {
    None
}

/// There are none.
pub(crate) fn set_signals(_mask: &SignalMask) {}

/// The standard library's way allocates, which must not happen here.
pub(crate) fn variable(_name: &CStr) -> Option<&'static CStr> {
    None
}

/// Nothing is read from the environment, so it does not matter.
pub(crate) fn is_privileged() -> bool {
    false
}

/// Writes to the standard error stream. What cannot be written is lost.
pub(crate) fn write_error(bytes: &[u8]) {
    let _ = std::io::stderr().write_all(bytes);
}

/// Nothing is forked here.
pub(crate) fn at_fork(_in_child: extern "C" fn()) {}

/// Nobody says when the process exits: what is pending then is lost.
pub(crate) fn at_exit(_handler: extern "C" fn()) {}

/// The number of this process: the same in all its life.
pub(crate) fn process() -> u32 {
    0
}

/// Not asked for.
pub(crate) fn thread() -> (u64, Label) {
    (0, Label::new(""))
}

/// Waits a little: gives the processor to another thread.
pub(crate) fn wait(_word: &AtomicU32, _expected: u32) {
    std::thread::yield_now();
}

/// Nobody sleeps here.
pub(crate) fn wake_one(_word: &AtomicU32) {}

/// There is none.
pub(crate) struct Library(Infallible);

/// No tool is known that could be loaded here.
pub(crate) fn open_library(_path: &CStr) -> Result<Library, Refusal> {
    Err(Refusal::NotLoadable)
}

/// No tool is known that could be here.
pub(crate) fn symbol(library: Option<&Library>, _name: &CStr) -> Option<NonNull<c_void>> {
    match library {
        None => None,
        Some(Library(none)) => match *none {},
    }
}
