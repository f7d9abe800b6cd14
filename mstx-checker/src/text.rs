//! Text on its way out, without an allocation and without a lock.

use core::fmt::{self, Display, Write};

use crate::log;

/// How much is written in one call. More than that would not be whole in a pipe either (`PIPE_BUF`), and it must fit on the stack
/// of a thread that is deep in an allocator.
const ROOM: usize = 4096;

/// How a piece of text is to stand out, on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Fault,
    Title,
    Note,
    Help,
    /// The signs at the beginning of lines.
    Sign,
}

impl Style {
    const fn escape(self) -> &'static str {
        match self {
            Self::Fault => "\x1b[1;31m",
            Self::Title => "\x1b[1m",
            Self::Note => "\x1b[1;32m",
            Self::Help => "\x1b[1;36m",
            Self::Sign => "\x1b[1;34m",
        }
    }
}

/// Where text goes.
enum To<'a> {
    /// Where the checker's reports go: see `log`.
    Reports,
    StandardError,
    /// Kept by the one who asked.
    Kept(&'a mut String),
}

/// A report while it is laid out: it is written in one call, so that those of several threads do not mix. A longer one goes out
/// in several, each of whole lines.
pub(crate) struct Text<'a> {
    bytes: [u8; ROOM],
    length: usize,
    to: To<'a>,
    /// Whether pieces stand out.
    color: bool,
}

impl<'a> Text<'a> {
    /// Writes what `lay_out` puts into the text, to where reports go.
    pub(crate) fn print(lay_out: impl FnOnce(&mut Self) -> fmt::Result) {
        Self::new().print_again(lay_out);
    }

    /// The same, to the standard error stream, wherever reports go.
    pub(crate) fn complain(lay_out: impl FnOnce(&mut Self) -> fmt::Result) {
        Self::to(To::StandardError).print_again(lay_out);
    }

    /// The same, to a string. It allocates.
    pub(crate) fn keep(kept: &'a mut String, lay_out: impl FnOnce(&mut Self) -> fmt::Result) {
        Self::to(To::Kept(kept)).print_again(lay_out);
    }

    /// An empty one, for [`print_again`](Self::print_again).
    pub(crate) const fn new() -> Self {
        Self::to(To::Reports)
    }

    /// Writes what `lay_out` puts into this text, which is empty afterwards.
    pub(crate) fn print_again(&mut self, lay_out: impl FnOnce(&mut Self) -> fmt::Result) {
        self.color = matches!(self.to, To::Reports) && log::is_colored();
        // Nothing here fails; if the `Display` of something does, the report is cut.
        let _ = lay_out(self);
        self.send(self.length);
        self.length = 0;
    }

    const fn to(to: To<'a>) -> Self {
        Self { bytes: [0; ROOM], length: 0, to, color: false }
    }

    /// Writes a piece that stands out.
    pub(crate) fn styled(&mut self, style: Style, piece: impl Display) -> fmt::Result {
        if self.color { write!(self, "{}{piece}\x1b[0m", style.escape()) } else { write!(self, "{piece}") }
    }

    /// Makes room: what is there goes out, up to the end of its last line.
    fn flush(&mut self) {
        let bytes = &self.bytes[..self.length];
        let lines = bytes.iter().rposition(|&byte| byte == b'\n').map_or(self.length, |last| last + 1);
        self.send(lines);
        self.bytes.copy_within(lines..self.length, 0);
        self.length -= lines;
    }

    fn send(&mut self, length: usize) {
        let bytes = &self.bytes[..length];
        match &mut self.to {
            To::Reports => log::write(bytes),
            To::StandardError => log::write_error(bytes),
            To::Kept(kept) => kept.push_str(&String::from_utf8_lossy(bytes)),
        }
    }
}

impl Write for Text<'_> {
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

/// Writes one line, or some, in one call.
pub fn line(text: fmt::Arguments<'_>) {
    Text::print(|out| out.write_fmt(format_args!("mstx: {text}\n")));
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

    use super::{Count, ROOM, Style, Text, To};

    #[test]
    fn what_is_too_long_goes_out_in_whole_lines() {
        let mut kept = String::new();
        let start = format!("{}\nrest", "-".repeat(ROOM - 5));
        let mut text = Text::to(To::Kept(&mut kept));
        assert!(text.write_str(&start).is_ok());
        assert!(text.write_str(" of a line").is_ok());
        assert_eq!(&text.bytes[..text.length], b"rest of a line");
        assert_eq!(kept.len(), ROOM - 4);
    }

    #[test]
    fn pieces_stand_out_where_that_is_wanted() {
        let mut kept = String::new();
        Text::keep(&mut kept, |text| {
            text.styled(Style::Fault, "plain")?;
            text.color = true;
            text.styled(Style::Fault, "red")
        });
        assert_eq!(kept, "plain\x1b[1;31mred\x1b[0m");
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!(Count(1_u64, "byte").to_string(), "1 byte");
        assert_eq!(Count(0_usize, "byte").to_string(), "0 bytes");
    }
}
