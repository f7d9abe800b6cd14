//! The client that is measured: a pool's functions, with the attributes.

use crate::Reporter;

mstx::domain!(static BLOCKS = "blocks");

/// Memory that is handed out in parts. There is none: as with a device's memory, the host never follows the addresses.
#[derive(Debug)]
pub struct Pool {
    base: usize,
}

impl Pool {
    /// Every event is told at once.
    #[must_use]
    #[mstx::heap(domain = BLOCKS, ptr = base, size = bytes, device = 0)]
    pub fn new(base: usize, bytes: usize) -> Self {
        Self { base }
    }

    /// The memory is there: it is the host's, and who checks accesses is told of it.
    #[must_use]
    #[mstx::heap(domain = BLOCKS, ptr = base, size = bytes, host)]
    pub fn host(base: usize, bytes: usize) -> Self {
        Self { base }
    }

    /// Events are held back until a flush.
    #[must_use]
    #[mstx::heap(domain = BLOCKS, ptr = base, size = bytes, device = 0, deferred)]
    pub fn deferred(base: usize, bytes: usize) -> Self {
        Self { base }
    }
}

impl Reporter for Pool {
    #[mstx::region(heap = self.base, ptr = at, size = bytes)]
    #[inline(never)]
    fn register(&self, at: usize, bytes: usize) {
        std::hint::black_box((at, bytes));
    }

    #[mstx::region_unregister(heap = self.base, ptr = at)]
    #[inline(never)]
    fn unregister(&self, at: usize) {
        std::hint::black_box(at);
    }
}
