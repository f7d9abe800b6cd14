//! What is said where writing takes long.

use core::cell::Cell;
use core::fmt::{self, Write as _};
use core::time::Duration;
use std::time::Instant;

use super::format::Format;
use crate::text::Text;

/// How often is said how far it is.
const SAYING: Duration = Duration::from_secs(1);
/// The clock is asked once in so many steps.
pub(crate) const STEPS: usize = 4096;

/// A line on the standard error stream each second: a program that ends late is not to look as if it hung.
pub(crate) struct Progress<'a> {
    format: Format,
    name: &'a [u8],
    next: Cell<Instant>,
    /// How many lines there were.
    #[cfg(test)]
    said: Cell<usize>,
}

impl<'a> Progress<'a> {
    /// A file of this name is going to be written.
    pub(crate) fn new(format: Format, name: &'a [u8]) -> Self {
        Self {
            format,
            name,
            next: Cell::new(Instant::now() + SAYING),
            #[cfg(test)]
            said: Cell::new(0),
        }
    }

    /// So many of the events were read.
    pub(crate) fn read(&self, done: usize, all: usize) {
        if done % STEPS == 0 {
            self.say(format_args!("{}% of the recording is read", percent(done, all)));
        }
    }

    /// So much of the work is done, and so much was written.
    pub(crate) fn written(&self, done: usize, all: usize, bytes: u64) {
        self.say(format_args!("{}%, {} MB", percent(done, all), bytes >> 20));
    }

    fn say(&self, what: fmt::Arguments<'_>) {
        let now = Instant::now();
        if now < self.next.get() {
            return;
        }
        self.next.set(now + SAYING);
        #[cfg(test)]
        self.said.set(self.said.get() + 1);
        Text::print(|text| writeln!(text, "mstx: writing the {} to {}: {what}", self.format, self.name.escape_ascii()));
    }
}

fn percent(done: usize, all: usize) -> usize {
    done.saturating_mul(100) / all.max(1)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{Format, Progress, STEPS, percent};

    #[test]
    fn it_is_said_once_a_second() {
        let progress = Progress::new(Format::Trace, b"t.json");
        progress.read(0, STEPS);
        progress.written(STEPS, STEPS, 0);
        assert_eq!(progress.said.get(), 0, "it was fast");
        progress.next.set(Instant::now());
        progress.read(1, STEPS);
        assert_eq!(progress.said.get(), 0, "nobody looks at the clock that often");
        progress.read(0, STEPS);
        progress.written(STEPS, STEPS, 77 << 20);
        assert_eq!(progress.said.get(), 1);
    }

    #[test]
    fn nothing_at_all() {
        assert_eq!([percent(0, 0), percent(1, 3), percent(3, 3)], [0, 33, 100]);
    }
}
