//! A pool whose functions are so short that what an attribute adds to them is seen.
#![allow(clippy::inline_always, reason = "the bodies are counted as if they were written out")]

use core::cell::Cell;
use core::ptr::NonNull;

/// Hands out one piece after the other.
#[derive(Debug)]
pub struct Pool {
    base: NonNull<u8>,
    size: usize,
    used: Cell<usize>,
}

impl Pool {
    /// Has room for everything.
    #[must_use]
    pub const fn new() -> Self {
        Self { base: NonNull::dangling(), size: usize::MAX / 2, used: Cell::new(0) }
    }

    /// Where it begins.
    #[must_use]
    #[inline(always)]
    pub const fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// Sets what is left.
    #[inline(always)]
    pub fn set(&self, used: usize) {
        self.used.set(used);
    }

    /// A piece, if there is room. `mark` keeps two functions with the same body from being made one.
    #[must_use]
    #[inline(always)]
    pub fn take(&self, size: usize, mark: usize) -> Option<NonNull<u8>> {
        let at = self.used.get();
        let end = at + size + mark;
        if end > self.size {
            return None;
        }
        self.used.set(end);
        NonNull::new(self.base.as_ptr().wrapping_add(at))
    }

    /// The same for one that knows its size.
    #[must_use]
    #[inline(always)]
    pub fn take_slice(&self, size: usize, mark: usize) -> NonNull<[u8]> {
        let at = self.used.get();
        self.used.set(at + size + mark);
        // The address is that of a `NonNull`, and does not become null by this addition.
        let start = NonNull::new(self.base.as_ptr().wrapping_add(at)).unwrap_or(self.base);
        NonNull::slice_from_raw_parts(start, size)
    }

    /// Takes it back.
    #[inline(always)]
    pub fn put(&self, piece: NonNull<u8>, mark: usize) {
        self.used.set(piece.as_ptr().addr() ^ mark);
    }

    /// [`take`](Self::take), in another crate: what it does is not known to the caller.
    #[must_use]
    #[inline(never)]
    pub fn take_elsewhere(&self, size: usize, mark: usize) -> Option<NonNull<u8>> {
        self.take(size, mark)
    }

    /// [`take_slice`](Self::take_slice), in another crate.
    #[must_use]
    #[inline(never)]
    pub fn take_slice_elsewhere(&self, size: usize, mark: usize) -> NonNull<[u8]> {
        self.take_slice(size, mark)
    }

    /// [`put`](Self::put), in another crate.
    #[inline(never)]
    pub fn put_elsewhere(&self, piece: NonNull<u8>, mark: usize) {
        self.put(piece, mark);
    }
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}
