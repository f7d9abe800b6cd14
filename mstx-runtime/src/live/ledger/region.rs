//! A live region's record. There may be millions of them, so it is small.

use super::names::OriginId;
use crate::live::process::thread::Stamp;
use crate::tool::Handle;

/// A live region. Its start is the key under which it is kept.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Region {
    pub(crate) size: usize,
    /// What the injected tool answered, where it was told; or what the client got, where these books are an injected tool's.
    pub(crate) handle: Handle,
    /// When it was reported.
    pub(crate) stamp: Stamp,
    pub(crate) origin: OriginId,
    /// For a region of no heap: which of the ledger's `kinds` it is.
    pub(crate) kind: u16,
    /// How many resizes that are under way hold it.
    pub(crate) held: u8,
    marks: Marks,
}

// With its start, 40 bytes in a leaf of the tree, which leaves room for leaves that are not full.
const _: () = assert!(size_of::<usize>() != 8 || size_of::<Region>() == 32);

/// What the injected tool knows of a live region, piece or heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It has not been told.
    #[default]
    No = 0,
    /// It is being told right now; the answer is not there yet.
    InFlight = 1,
    /// It was told.
    Yes = 2,
}

/// Four things in one byte.
#[derive(Clone, Copy, Debug, Default)]
struct Marks(u8);

impl Marks {
    /// What the tool knows.
    const SENT: u8 = 3;
    const DOUBTFUL: u8 = 4;
    const COVERED: u8 = 8;
    const STRAY: u8 = 16;

    const fn set(&mut self, mark: u8, on: bool) {
        self.0 = if on { self.0 | mark } else { self.0 & !mark };
    }
}

impl Region {
    /// A region that was just reported, and of which nobody was told.
    pub(crate) fn new(size: usize, origin: OriginId, stamp: Stamp) -> Self {
        Self { size, stamp, origin, ..Self::default() }
    }

    pub(crate) const fn held(mut self, held: u8) -> Self {
        self.held = held;
        self
    }

    /// What the injected tool knows of it.
    pub(crate) const fn sent(&self) -> Sent {
        match self.marks.0 & Marks::SENT {
            0 => Sent::No,
            1 => Sent::InFlight,
            _ => Sent::Yes,
        }
    }

    pub(crate) const fn set_sent(&mut self, sent: Sent, handle: Handle) {
        self.marks.0 = (self.marks.0 & !Marks::SENT) | sent as u8;
        self.handle = handle;
    }

    /// Just this region, as the tool does not know it, and no heap lies on it.
    pub(crate) const fn unsent(mut self) -> Self {
        self.set_sent(Sent::No, Handle::NONE);
        self.set_covered(false);
        self
    }

    /// Whether its heap was reset or began while it was allocated: it may be gone already.
    pub(crate) const fn is_doubtful(&self) -> bool {
        self.marks.0 & Marks::DOUBTFUL != 0
    }

    pub(crate) const fn doubted(mut self, doubtful: bool) -> Self {
        self.marks.set(Marks::DOUBTFUL, doubtful);
        self
    }

    /// Whether it was reported as one of no heap, and lies in one all the same (see `foreign`).
    pub(crate) const fn is_stray(&self) -> bool {
        self.marks.0 & Marks::STRAY != 0
    }

    pub(crate) const fn strayed(mut self, stray: bool) -> Self {
        self.marks.set(Marks::STRAY, stray);
        self
    }

    /// Whether heaps lie on it: the tool is told its pieces instead.
    pub(crate) const fn is_covered(&self) -> bool {
        self.marks.0 & Marks::COVERED != 0
    }

    pub(crate) const fn set_covered(&mut self, covered: bool) {
        self.marks.set(Marks::COVERED, covered);
    }
}
