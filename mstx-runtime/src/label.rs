//! A short text that owns its bytes without an allocation.

use core::fmt;

/// How many bytes of a name are kept.
const KEPT: usize = 47;

/// A heap's name as reports show it: up to 47 bytes, cut at a character.
///
/// It owns its bytes, and is `Copy`: no allocation is needed to keep it.
///
/// ```
/// use mstx_runtime::Label;
///
/// let name = format!("slab {}", 7);
/// let label = Label::new(&name);
/// drop(name);
/// assert_eq!(label.as_str(), "slab 7");
/// assert_eq!(Label::new(&"x".repeat(100)).to_string().len(), 47);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Label {
    bytes: [u8; KEPT],
    length: u8,
}

impl Label {
    /// The beginning of `text`, as much as there is room for.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let length = text.floor_boundary(KEPT);
        let mut bytes = [0; KEPT];
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        // At most `KEPT`, which fits.
        #[expect(clippy::cast_possible_truncation, reason = "at most 47")]
        let length = length as u8;
        Self { bytes, length }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Cut at a character, so it never fails.
        core::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// `str::floor_char_boundary`, which is newer than our minimum Rust version.
pub trait FloorBoundary {
    /// The largest length up to `most` at which the text can be cut.
    fn floor_boundary(&self, most: usize) -> usize;
}

impl FloorBoundary for str {
    fn floor_boundary(&self, most: usize) -> usize {
        if most >= self.len() {
            return self.len();
        }
        (0..=most).rev().find(|&at| self.is_char_boundary(at)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::Label;

    #[test]
    fn labels_are_cut_at_a_character() {
        assert_eq!(Label::new("slab").as_str(), "slab");
        assert_eq!(Label::new(&"\u{e4}".repeat(30)).as_str().len(), 46);
    }
}
