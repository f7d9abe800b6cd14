//! Lines on the standard error stream, without an allocation and without a lock.

use core::fmt::{self, Write};

use super::system;
use crate::Fault;

/// How many faults are written where no checker listens.
const MOST: u64 = 100;

/// Longest line, in bytes; the rest is cut.
const LONGEST: usize = 1024;

struct Line {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = LONGEST - 1 - self.length;
        let text = &text.as_bytes()[..text.len().min(room)];
        self.bytes[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
        Ok(())
    }
}

/// Writes one line, in one call, so that lines of several threads do not mix.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    let mut line = Line { bytes: [0; LONGEST], length: 0 };
    // Writing to memory does not fail; a `Display` that does leaves a line that is cut.
    let _ = line.write_fmt(text);
    line.bytes[line.length] = b'\n';
    system::write_error(&line.bytes[..=line.length]);
}

/// Writes a fault that no checker shows. `before`: how many there were before.
pub(crate) fn fault(fault: &Fault, before: u64) {
    if before < MOST {
        line(format_args!("mstx: fault[{}]: {fault}", fault.kind().code()));
    } else if before == MOST {
        line(format_args!("mstx: further faults are only counted; ask mstx::faults()"));
    }
}
