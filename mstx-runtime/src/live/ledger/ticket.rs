//! Tickets: a count of what happens to whole heaps, by which a report that comes late is recognised.
//!
//! An allocation takes a ticket before its body and is reported after it. If its heap was reset, began or ended in between, the
//! report may be about memory that is somebody else's by now.

use core::sync::atomic::{AtomicU64, Ordering};

use super::heaps::HeapId;
use super::names::DomainId;

/// A moment between two events that concern whole heaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u64);

static COUNT: AtomicU64 = AtomicU64::new(1);

impl Ticket {
    /// Now.
    pub(crate) fn now() -> Self {
        Self(COUNT.load(Ordering::Acquire))
    }

    /// A whole heap begins, is reset or ends. Every ticket that is out by now is older than this.
    pub(crate) fn next() -> Self {
        Self(COUNT.fetch_add(1, Ordering::AcqRel) + 1)
    }
}

/// A heap that has ended lately, or that is ending: the function's body still runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndedHeap {
    pub(crate) id: HeapId,
    pub(crate) domain: DomainId,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// When its end began.
    pub(crate) at: Ticket,
    /// When it was through.
    pub(crate) ticket: Ticket,
    pub(crate) ending: bool,
}

impl EndedHeap {
    /// Whether a report with this ticket may be about memory of the heap.
    pub(crate) fn is_since(&self, ticket: Ticket) -> bool {
        self.ending || self.ticket > ticket
    }

    pub(crate) const fn contains(&self, address: usize) -> bool {
        self.start <= address && address < self.end
    }
}
