//! What went wrong, in words.
#![allow(unsafe_code, reason = "calls the C library: what the standard one prints for an error of the system, it allocates")]

use core::fmt;
use std::io;

/// An error as it is shown. It does not allocate, so it may be shown inside of an allocator.
pub(crate) struct Reason<'a>(pub(crate) &'a io::Error);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.raw_os_error() {
            Some(code) => system(code, f),
            None => write!(f, "{}", self.0.kind()),
        }
    }
}

#[cfg(all(unix, not(miri)))]
fn system(code: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use core::ffi::CStr;

    let mut words = [0_u8; 128];
    // SAFETY: the buffer is as long as it is said to be. Words that do not fit are cut, and terminated.
    unsafe { libc::strerror_r(code, words.as_mut_ptr().cast(), words.len()) };
    match CStr::from_bytes_until_nul(&words).map(CStr::to_str) {
        Ok(Ok(words)) if !words.is_empty() => write!(f, "{words} (os error {code})"),
        _ => write!(f, "os error {code}"),
    }
}

#[cfg(not(all(unix, not(miri))))]
fn system(code: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", io::Error::from_raw_os_error(code))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::Reason;

    #[test]
    fn the_words_are_those_of_the_standard_library() {
        for code in [2, 28, 9999] {
            let error = io::Error::from_raw_os_error(code);
            assert_eq!(Reason(&error).to_string(), error.to_string());
        }
        assert_eq!(Reason(&io::ErrorKind::OutOfMemory.into()).to_string(), "out of memory");
    }
}
