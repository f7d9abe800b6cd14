//! What the process is called.

use core::fmt::{self, Display, Write};
use std::io::Read as _;

use super::open;

/// How much of the command is shown.
const ROOM: usize = 512;

/// The command that the process was started with, as far as the system says it.
pub(crate) struct Command {
    bytes: [u8; ROOM],
    length: usize,
}

impl Command {
    pub(crate) fn read() -> Self {
        let mut command = Self { bytes: [0; ROOM], length: 0 };
        if let Ok(mut file) = open::read(b"/proc/self/cmdline") {
            command.length = file.read(&mut command.bytes).unwrap_or(0);
        }
        command
    }
}

impl Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes[..self.length].strip_suffix(b"\0").unwrap_or(&self.bytes[..self.length]);
        if bytes.is_empty() {
            return f.write_str("(unknown)");
        }
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                f.write_char(if character == '\0' { ' ' } else { character })?;
            }
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(())
    }
}
