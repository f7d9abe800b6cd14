//! Where a file's content goes: a buffer, and then the file.

use core::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, Write as _};

use super::progress::{Progress, STEPS};
use crate::recording::memory::{Vec, filled, vec};

/// How much is written in one call.
const ROOM: usize = 64 * 1024;

/// A file that is being written.
///
/// It takes text by `write!`, which never fails here: what goes wrong is kept, and said at the end.
pub(crate) struct Out<'a> {
    buffer: Vec<u8>,
    length: usize,
    to: To<'a>,
    error: Option<io::Error>,
    written: u64,
    /// Which part of the work is being done, and how many there are.
    part: (usize, usize),
    progress: &'a Progress<'a>,
}

enum To<'a> {
    File(File),
    /// For tests.
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests"))]
    Memory(&'a mut std::vec::Vec<u8>),
}

impl<'a> Out<'a> {
    /// Writes to a file.
    pub(crate) fn to_file(file: File, progress: &'a Progress<'a>) -> io::Result<Self> {
        Self::to(To::File(file), progress)
    }

    /// Writes to memory.
    #[cfg(test)]
    pub(crate) fn to_memory(memory: &'a mut std::vec::Vec<u8>, progress: &'a Progress<'a>) -> io::Result<Self> {
        Self::to(To::Memory(memory), progress)
    }

    fn to(to: To<'a>, progress: &'a Progress<'a>) -> io::Result<Self> {
        let buffer = filled(0, ROOM).map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(Self { buffer, length: 0, to, error: None, written: 0, part: (0, 1), progress })
    }

    /// So much of the work is done, of so much. If it takes long, this is said.
    pub(crate) fn reached(&mut self, done: usize, all: usize) {
        let (part, parts) = self.part;
        if done % STEPS == 0 {
            self.progress.written(part * all + done, parts * all, self.written);
        }
    }

    /// The work has so many parts of about the same size, and this one begins, counted from 0.
    pub(crate) fn begin_part(&mut self, part: usize, parts: usize) {
        self.part = (part, parts);
    }

    /// Writes bytes.
    pub(crate) fn bytes(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.length == ROOM {
                self.flush();
            }
            let (now, later) = bytes.split_at(bytes.len().min(ROOM - self.length));
            self.buffer[self.length..self.length + now.len()].copy_from_slice(now);
            self.length += now.len();
            bytes = later;
        }
    }

    fn flush(&mut self) {
        let bytes = &self.buffer[..self.length];
        self.length = 0;
        self.written += bytes.len() as u64;
        if self.error.is_some() {
            return;
        }
        match &mut self.to {
            To::File(file) => self.error = file.write_all(bytes).err(),
            To::Memory(memory) => memory.extend_from_slice(bytes),
        }
    }

    /// Writes what is left, and says what went wrong.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.error.map_or(Ok(()), Err)
    }
}

impl fmt::Write for Out<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

/// Text in memory, to be measured before it is written. Without memory it is cut.
pub(crate) struct Scratch(Vec<u8>);

impl Scratch {
    pub(crate) const fn new() -> Self {
        Self(vec())
    }

    /// What `what` looks like; until the next call.
    pub(crate) fn lay_out(&mut self, what: fmt::Arguments<'_>) -> &str {
        self.0.clear();
        let _ = self.write_fmt(what);
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Write for Scratch {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.try_reserve(text.len()).map_err(|_| fmt::Error)?;
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
