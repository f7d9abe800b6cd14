//! Messages and names as they come: bytes, of any length.

use core::str;

use mstx_runtime::__private::FloorBoundary as _;

/// How many bytes of a message are kept. Nobody can read more of it in a picture, and a program may put anything into one.
const LONGEST: usize = 1024;

/// Hands on what the bytes say, cut at a character where it is too long. What is not UTF-8 is replaced, as always.
pub(super) fn with_text<R>(bytes: &[u8], then: impl FnOnce(&str) -> R) -> R {
    match str::from_utf8(bytes) {
        Ok(text) => then(&text[..text.floor_boundary(LONGEST)]),
        Err(_) => then(Replaced::new(bytes).text()),
    }
}

/// The text that stands for bytes which are none.
struct Replaced {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Replaced {
    fn new(bytes: &[u8]) -> Self {
        let mut replaced = Self { bytes: [0; LONGEST], length: 0 };
        for chunk in bytes.utf8_chunks() {
            let invalid = if chunk.invalid().is_empty() { "" } else { "\u{fffd}" };
            if !(replaced.add(chunk.valid()) && replaced.add(invalid)) {
                break;
            }
        }
        replaced
    }

    /// Adds as much as there is room for. Returns whether that was all of it.
    fn add(&mut self, text: &str) -> bool {
        let end = text.floor_boundary(LONGEST - self.length);
        self.bytes[self.length..self.length + end].copy_from_slice(&text.as_bytes()[..end]);
        self.length += end;
        end == text.len()
    }

    fn text(&self) -> &str {
        str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, with_text};

    fn text(bytes: &[u8]) -> String {
        with_text(bytes, str::to_owned)
    }

    #[test]
    fn what_is_no_text_is_replaced() {
        assert_eq!(text("st\u{e4}rt".as_bytes()), "st\u{e4}rt");
        assert_eq!(text(b"a\xffb\xc3"), "a\u{fffd}b\u{fffd}");
        assert_eq!(text(b""), "");
    }

    #[test]
    fn what_is_too_long_is_cut_at_a_character() {
        let long = "\u{e4}".repeat(LONGEST);
        assert_eq!(text(long.as_bytes()), long[..LONGEST]);
        let odd = format!("x{long}");
        assert_eq!(text(odd.as_bytes()), odd[..LONGEST - 1]);
        let bad: Vec<u8> = odd.bytes().chain([0xff]).collect();
        assert_eq!(text(&bad), odd[..LONGEST - 1]);
        assert_eq!(text(&[0xff; LONGEST]).chars().count(), LONGEST / 3);
    }
}
