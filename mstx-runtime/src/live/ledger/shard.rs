//! What belongs to one heap alone: its live regions, and what the injected tool is still to be told of them.
//!
//! Threads that report in different deferred heaps have nothing else to change, so each heap's part has a lock of its own, which is
//! taken while the books as a whole are shared (see `plain`). Whoever has the books alone needs no other lock.
#![allow(unsafe_code, reason = "whoever has the books alone takes no lock of a part")]

use std::alloc::System;

use allocator_api2::boxed::Box;

use super::heaps::Heap;
use super::memo::{Released, Ring};
use super::pending::{Gone, Queue};
use super::region::{Region, Sent};
use super::tree::Tree;
use crate::live::lock::{Guard, Lock};
use crate::live::memory::{Full, Vec, vec};
use crate::tool::Handle;

/// How many of the latest releases are remembered, to tell a second one from one of an unknown region.
const RELEASED: usize = 256;

/// A part of a covered region that no heap lies on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) size: usize,
    /// The start of the region that it is a piece of.
    pub(crate) whole: usize,
    pub(crate) handle: Handle,
    pub(crate) sent: Sent,
}

/// The regions of one heap, or of none.
pub(crate) struct Regions {
    pub(crate) tree: Tree<Region>,
    pub(crate) pieces: Vec<Piece>,
    /// What the tool knows in this heap and is live no longer, and somebody holds that back; by start. No two overlap: they were at
    /// the tool at the same time.
    pub(crate) gone: Tree<Option<Gone>>,
    /// What this heap holds back, if it is deferred.
    pub(crate) held: Queue,
    pub(crate) released: Ring<Released>,
}

impl Regions {
    pub(crate) const fn new() -> Self {
        Self { tree: Tree::new(), pieces: vec(), gone: Tree::new(), held: Queue::new(), released: Ring::new(RELEASED) }
    }

    /// The first live region that overlaps `[start, end)`.
    pub(crate) fn overlapping(&self, start: usize, end: usize) -> Option<(usize, Region)> {
        let before = self.tree.floor(start).filter(|(at, region)| start - at < region.size);
        before.or_else(|| self.tree.ceil(start).filter(|&(at, _)| at < end))
    }

    /// The live region that contains all of `[start, end)`.
    pub(crate) fn containing(&self, start: usize, end: usize) -> Option<(usize, Region)> {
        self.tree.floor(start).filter(|(at, region)| end - at <= region.size)
    }

    /// The first of those in `gone` that overlaps `[start, end)` and for which `wanted` holds.
    pub(crate) fn gone_in(&self, start: usize, end: usize, wanted: impl Fn(&Gone) -> bool) -> Option<Gone> {
        let before = self.gone.floor(start).filter(|(at, gone)| gone.is_some_and(|gone| start - at < gone.region.size));
        let mut next = before.or_else(|| self.gone.ceil(start));
        while let Some((at, Some(gone))) = next.filter(|&(at, _)| at < end) {
            if wanted(&gone) {
                return Some(gone);
            }
            next = self.gone.ceil(at + 1);
        }
        None
    }
}

/// On cache lines of its own, so that two threads in two heaps do not slow each other down.
#[repr(align(128))]
struct Apart(Lock<Regions>);

/// A heap's part of the books.
pub(crate) struct Shard(Box<Apart, System>);

impl Shard {
    pub(crate) fn new() -> Result<Self, Full> {
        Ok(Self(Box::try_new_in(Apart(Lock::new(Regions::new())), System).map_err(|_| Full)?))
    }

    /// For those who share the books.
    pub(crate) fn lock(&self) -> Option<Guard<'_, Regions>> {
        self.0.0.lock()
    }

    /// For the one who has them alone.
    pub(crate) fn alone_mut(&mut self) -> &mut Regions {
        self.0.0.get_mut()
    }
}

impl Heap {
    /// The live regions, to look at; for the one who has the books alone.
    pub(crate) fn regions(&self) -> &Regions {
        // SAFETY: only `plain` sees a heap while the books are shared, and it takes the lock of the part instead.
        unsafe { self.shard.0.0.peek() }
    }
}
