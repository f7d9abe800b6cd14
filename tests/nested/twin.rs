//! A library as strict as a user's can be. It is built with the attributes and without.
#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused, clippy::all, clippy::pedantic)]

/// No more room.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

/// A pool of addresses.
#[derive(Debug)]
pub struct Pool {
    base: usize,
    used: usize,
    size: usize,
}

impl Pool {
    /// A pool at `base`.
    ///
    /// # Errors
    ///
    /// If it were empty.
    #[mstx::heap(domain = "twin", ptr = ret.base, size = size)]
    #[inline(never)]
    pub fn new(base: usize, size: usize) -> Result<Self, Full> {
        if size == 0 {
            return Err(Full);
        }
        Ok(Self { base, used: 0, size })
    }

    /// The next bytes.
    #[mstx::region(heap = self.base, ptr = ret, size = bytes)]
    #[inline(never)]
    #[track_caller]
    pub fn alloc(&mut self, bytes: usize) -> Option<usize> {
        let end = self.used.checked_add(bytes)?;
        if end > self.size {
            return None;
        }
        let at = self.base + self.used;
        self.used = end;
        Some(at)
    }

    /// A part of what is lent.
    ///
    /// # Errors
    ///
    /// If it is too short.
    #[mstx::region]
    #[inline(never)]
    pub fn part<'a>(&self, of: &'a mut [u8], bytes: usize) -> Result<&'a mut [u8], Full> {
        of.get_mut(..bytes).ok_or(Full)
    }

    /// Gives bytes back.
    #[mstx::region_unregister(heap = self.base, ptr = at)]
    #[inline(never)]
    pub fn free(&mut self, at: usize) {
        self.used = self.used.min(at - self.base);
    }

    /// Gives bytes back, if they are the last ones.
    ///
    /// # Errors
    ///
    /// If they are not.
    #[mstx::region_unregister(heap = self.base, ptr = at)]
    #[inline(never)]
    pub fn free_last(&mut self, at: usize, bytes: usize) -> Result<(), Full> {
        if at + bytes != self.base + self.used {
            return Err(Full);
        }
        self.used -= bytes;
        Ok(())
    }

    /// Makes the last bytes more or less.
    #[mstx::region_resize(heap = self.base, ptr = at, size = bytes)]
    #[inline(never)]
    pub fn resize_last(&mut self, at: usize, bytes: usize) -> bool {
        let end = at - self.base + bytes;
        if end > self.size {
            return false;
        }
        self.used = end;
        true
    }

    /// More room.
    #[mstx::heap_resize(heap = self.base, size = self.size + more)]
    #[inline(never)]
    pub fn grow(&mut self, more: usize) {
        self.size += more;
    }

    /// From the start.
    #[mstx::heap_reset(heap = self.base)]
    #[inline(never)]
    pub fn reset(&mut self) {
        self.used = 0;
    }

    /// All that is used is looked at.
    #[must_use]
    #[mstx::flush]
    #[mstx::range(name = "sum")]
    #[inline(never)]
    pub fn sum(&self, of: &[u8]) -> usize {
        of.iter().take(self.used).map(|&byte| usize::from(byte)).sum()
    }

    /// The end.
    #[must_use]
    #[mstx::heap_unregister(heap = self.base)]
    #[inline(never)]
    pub fn end(self) -> usize {
        self.used
    }
}
