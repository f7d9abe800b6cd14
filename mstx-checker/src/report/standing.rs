//! How full a live heap is, and how broken up what is free in it.

use core::fmt::{self, Display};

use mstx_runtime::{Label, ToolHeap, ToolRegion};

use crate::text::Count;

/// A live heap, as it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) name: Label,
    pub(crate) start: usize,
    size: usize,
    regions: u64,
    /// The bytes of its regions.
    live: usize,
    /// The most free bytes in one piece.
    largest_gap: usize,
}

impl Standing {
    /// Looks at a heap. `regions` are its live ones, by address; no two overlap.
    pub(crate) fn of(heap: &ToolHeap<'_>, regions: impl Iterator<Item = ToolRegion>) -> Self {
        let mut standing =
            Self { name: Label::new(heap.name), start: heap.start, size: heap.size, regions: 0, live: 0, largest_gap: 0 };
        let mut from = heap.start;
        for region in regions {
            standing.regions += 1;
            standing.live += region.size;
            standing.largest_gap = standing.largest_gap.max(region.start.saturating_sub(from));
            from = region.start.saturating_add(region.size);
        }
        standing.largest_gap = standing.largest_gap.max(heap.start.saturating_add(heap.size).saturating_sub(from));
        standing
    }

    /// Orders heaps by what they hold.
    pub(crate) const fn live(&self) -> usize {
        self.live
    }

    const fn free(&self) -> usize {
        self.size.saturating_sub(self.live)
    }

    /// How much of what is free is not in the largest piece of it, in percent, rounded down. 0: it is all in one piece; close to
    /// 100: there is much free, and only small blocks can be had.
    const fn fragmentation(&self) -> usize {
        let free = self.free();
        let broken = free.saturating_sub(self.largest_gap);
        match broken.checked_mul(100) {
            Some(hundredfold) => hundredfold / if free == 0 { 1 } else { free },
            // More than an address space holds, by far.
            None => broken / (free / 100),
        }
    }
}

impl Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, start, size, regions, live, largest_gap } = self;
        let regions = Count(*regions, "region");
        write!(f, "heap `{name}` at {start:#x}: {live} of {} live in {regions}, ", Count(*size, "byte"))?;
        match self.free() {
            0 => write!(f, "none free"),
            free => write!(f, "{free} free, at most {largest_gap} in one piece (fragmentation {} %)", self.fragmentation()),
        }
    }
}
