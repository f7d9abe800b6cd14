//! Text on the standard error stream, without an allocation and without a lock.
#![allow(unsafe_code, reason = "calls the C library")]

use core::fmt::{self, Display, Write};
use std::io;

/// How much is written in one call. More than that would not be whole in a pipe either (`PIPE_BUF`), and it must fit on the stack
/// of a thread that is deep in an allocator.
const ROOM: usize = 4096;

/// The number of that stream.
const STANDARD_ERROR: i32 = 2;

/// A report while it is laid out: it is written in one call, so that those of several threads do not mix. A longer one goes out
/// in several, each of whole lines.
pub(crate) struct Text {
    bytes: [u8; ROOM],
    length: usize,
    /// Where it goes.
    descriptor: i32,
}

impl Text {
    /// Writes what `lay_out` puts into the text.
    pub(crate) fn print(lay_out: impl FnOnce(&mut Self) -> fmt::Result) {
        // Nothing here fails; if the `Display` of something does, the report is cut.
        Self::new().print_again(lay_out);
    }

    /// An empty one, for [`print_again`](Self::print_again).
    pub(crate) const fn new() -> Self {
        Self::to(STANDARD_ERROR)
    }

    /// Writes what `lay_out` puts into this text, which is empty afterwards.
    pub(crate) fn print_again(&mut self, lay_out: impl FnOnce(&mut Self) -> fmt::Result) {
        let _ = lay_out(self);
        write(self.descriptor, &self.bytes[..self.length]);
        self.length = 0;
    }

    const fn to(descriptor: i32) -> Self {
        Self { bytes: [0; ROOM], length: 0, descriptor }
    }

    /// Makes room: what is there goes out, up to the end of its last line.
    fn flush(&mut self) {
        let bytes = &self.bytes[..self.length];
        let lines = bytes.iter().rposition(|&byte| byte == b'\n').map_or(self.length, |last| last + 1);
        write(self.descriptor, &bytes[..lines]);
        self.bytes.copy_within(lines..self.length, 0);
        self.length -= lines;
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            if self.length == ROOM {
                self.flush();
            }
            let (now, later) = rest.split_at(rest.len().min(ROOM - self.length));
            self.bytes[self.length..self.length + now.len()].copy_from_slice(now);
            self.length += now.len();
            rest = later;
        }
        Ok(())
    }
}

#[cfg(all(unix, not(miri)))]
fn write(descriptor: i32, mut bytes: &[u8]) {
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

#[cfg(not(all(unix, not(miri))))]
fn write(descriptor: i32, bytes: &[u8]) {
    if descriptor == STANDARD_ERROR {
        // Nobody may be reading it.
        let _ = io::Write::write_all(&mut io::stderr(), bytes);
    }
}

/// A number of things: `1 region`, `2 regions`.
pub(crate) struct Count<N>(pub(crate) N, pub(crate) &'static str);

impl<N: Display + Copy + TryInto<u64>> Display for Count<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, thing) = self;
        let plural = if matches!((*number).try_into(), Ok(1)) { "" } else { "s" };
        write!(f, "{number} {thing}{plural}")
    }
}

#[cfg(test)]
mod tests {
    use core::fmt::Write;

    use super::{Count, ROOM, Text};

    #[test]
    fn what_is_too_long_goes_out_in_whole_lines() {
        let mut text = Text::to(-1);
        let start = format!("{}\nrest", "-".repeat(ROOM - 5));
        assert!(text.write_str(&start).is_ok());
        assert!(text.write_str(" of a line").is_ok());
        assert_eq!(&text.bytes[..text.length], b"rest of a line");
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!(Count(1_u64, "byte").to_string(), "1 byte");
        assert_eq!(Count(0_usize, "byte").to_string(), "0 bytes");
    }
}
