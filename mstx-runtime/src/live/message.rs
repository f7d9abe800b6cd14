//! Messages of marks and ranges.

use core::ffi::CStr;
use core::fmt;

use crate::label::FloorBoundary;

/// The longest message that every tool takes, in bytes: msprof refuses longer ones.
const LONGEST: usize = 156;

/// A message of a mark or range, as a C string: up to the first NUL, and up to 156 bytes, cut at a character.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    bytes: [u8; LONGEST + 1],
}

impl Message {
    /// The beginning of `text`.
    pub(crate) fn new(text: &str) -> Self {
        let text = text.split('\0').next().unwrap_or_default();
        let length = text.floor_boundary(LONGEST);
        let mut bytes = [0; LONGEST + 1];
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        Self { bytes }
    }

    /// The text.
    pub(crate) fn as_c_str(&self) -> &CStr {
        // There is room for a NUL behind the longest text.
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_c_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn messages_are_cut_cleanly() {
        let of = |text: &str| Message::new(text).as_c_str().to_str().map(str::len);
        assert_eq!(of("step"), Ok(4));
        assert_eq!(of("inner\0nul"), Ok(5));
        assert_eq!(of(&"a".repeat(156)), Ok(156));
        assert_eq!(of(&"a".repeat(1000)), Ok(156));
        // 155 bytes of text and a character of two bytes: it does not fit.
        assert_eq!(of(&("a".repeat(155) + "\u{e4}")), Ok(155));
    }
}
