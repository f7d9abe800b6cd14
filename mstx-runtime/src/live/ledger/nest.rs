//! Heaps that lie on regions of other heaps: an arena on top of a buddy pool.
//!
//! While a heap lies on a region, the region is covered: the tool is told the pieces beside the heap instead, so that no two
//! regions at the tool ever overlap or start at the same address.

use super::Ledger;
use super::heaps::HeapId;
use super::region::Sent;
use super::shard::Piece;
use crate::live::memory::Grow;
use crate::tool::Handle;

impl Ledger {
    /// The region at `start` of `heap` (or of no heap) has a heap on it from now on, or one more, or one less: takes back what
    /// the tool knows of it, and asks for the right pieces to be sent.
    pub(crate) fn cover(&mut self, heap: HeapId, start: usize) {
        self.at_once(|ledger| ledger.cover_at_once(heap, start));
    }

    fn cover_at_once(&mut self, heap: HeapId, start: usize) {
        let Some(&region) = self.region(heap, start) else { return };
        self.unsend(heap, start);
        let end = start + region.size;
        let covered = self.heaps.on(heap, start, end).next().is_some();
        if let Some(region) = self.region_mut(heap, start) {
            region.set_covered(covered);
        }
        if !covered {
            return self.queue(heap, start);
        }
        let mut at = start;
        while at < end {
            // The next heap on the region; those inside of it do not lie on this region.
            let next = self.heaps.on(heap, start, end).filter_map(|id| self.heaps.get(id)).find(|inner| inner.end > at);
            let (gap_end, after) = next.map_or((end, end), |inner| (inner.start, inner.end));
            if at < gap_end {
                self.add_piece(heap, start, at, gap_end);
            }
            at = after;
        }
    }

    fn add_piece(&mut self, heap: HeapId, whole: usize, start: usize, end: usize) {
        let piece = Piece { start, size: end - start, whole, handle: Handle::NONE, sent: Sent::No };
        let Some(regions) = self.regions_mut(heap) else { return };
        if regions.pieces.add(piece).is_err() {
            return self.out_of_memory(start);
        }
        self.queue(heap, start);
    }

    /// The heaps on the region at `old` lie on the one at `new` from now on, which is about to take its place.
    pub(crate) fn rehang(&mut self, heap: HeapId, old: usize, size: usize, new: usize) {
        let mut next = 0;
        loop {
            let Some(id) = self.heaps.on(heap, old, old + size).nth(next) else { return };
            if old == new {
                next += 1;
            }
            if let Some(inner) = self.heaps.get_mut(id) {
                inner.on = Some(new);
            }
        }
    }

    /// After a region has taken the place of another: covers it, if heaps lie on it.
    pub(crate) fn cover_again(&mut self, heap: HeapId, start: usize) {
        let Some(region) = self.region(heap, start) else { return };
        if self.heaps.on(heap, start, start + region.size).next().is_some() {
            self.cover(heap, start);
        }
    }
}
