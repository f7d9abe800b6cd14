//! An allocator of offsets (the crate `offset-allocator`), as GPU programs use it: what it hands out is a type of our own.
//!
//! A function that returns or takes several regions reports them with one call, which matters to tools that take a call
//! stack for each.

use offset_allocator::{Allocation, Allocator};

#[path = "support/mod.rs"]
mod support;

mstx::domain!(static STAGING = "staging");

/// A part of a device's buffer.
#[derive(Clone, Copy)]
struct Slice {
    address: u64,
    bytes: u32,
    allocation: Allocation,
}

/// Says where it is. With this, a `Slice` may be returned by an annotated function, also in a `Vec`, `Option`, `Result`.
impl mstx::Regions for Slice {
    fn regions(&self, report: &mut mstx::Report<'_>) {
        report.region(self.address as usize, self.bytes as usize);
    }
}

/// Says that it knows how long it is: `size` is not needed.
impl mstx::KnowsSize for Slice {}

/// Offsets into one buffer of device memory.
struct OffsetPool {
    buffer: u64,
    offsets: Allocator,
}

impl mstx::AsHeap for OffsetPool {
    fn as_heap(&self) -> mstx::HeapKey {
        self.buffer.as_heap()
    }
}

impl OffsetPool {
    #[mstx::heap(domain = STAGING, ptr = buffer, size = bytes, device = 0)]
    fn new(buffer: u64, bytes: u32) -> Self {
        Self { buffer, offsets: Allocator::new(bytes) }
    }

    #[mstx::region(heap = self)]
    #[track_caller]
    fn alloc(&mut self, bytes: u32) -> Option<Slice> {
        self.take(bytes)
    }

    /// As many slices as there are sizes, or none.
    #[mstx::region(heap = self)]
    #[track_caller]
    fn alloc_many(&mut self, sizes: &[u32]) -> Option<Vec<Slice>> {
        let mut slices = Vec::with_capacity(sizes.len());
        for size in sizes {
            match self.take(*size) {
                Some(slice) => slices.push(slice),
                None => {
                    slices.iter().for_each(|slice| self.offsets.free(slice.allocation));
                    return None;
                }
            }
        }
        Some(slices)
    }

    #[mstx::region_unregister(heap = self, ptr = slice)]
    #[track_caller]
    fn free(&mut self, slice: Slice) {
        self.offsets.free(slice.allocation);
    }

    #[mstx::region_unregister(heap = self, ptr = slices)]
    #[track_caller]
    fn free_many(&mut self, slices: Vec<Slice>) {
        slices.into_iter().for_each(|slice| self.offsets.free(slice.allocation));
    }

    /// Without an attribute: what the functions above have in common must not report, too.
    fn take(&mut self, bytes: u32) -> Option<Slice> {
        let allocation = self.offsets.allocate(bytes)?;
        Some(Slice { address: self.buffer + u64::from(allocation.offset), bytes, allocation })
    }

    /// Everything is taken back. The regions leave in one call.
    #[mstx::heap_reset(heap = self)]
    fn reset(&mut self) {
        self.offsets.reset();
    }

    #[mstx::heap_unregister(heap = self)]
    fn release(self) {}
}

fn main() {
    const BYTES: u32 = 1 << 20;
    let mut pool = OffsetPool::new(0x12c0_4000_0000, BYTES);

    // A frame takes all that it needs with one call.
    let before = support::calls();
    let frame = pool.alloc_many(&[256; 100]).expect("there is room");
    support::checkpoint(&places(&frame));
    let single = pool.alloc(1000).expect("there is room");
    support::checkpoint(&places(&[&frame[..], &[single]].concat()));

    // A frame that does not fit takes nothing, and nothing is reported.
    assert!(pool.alloc_many(&[BYTES / 4; 4]).is_none());
    support::checkpoint(&places(&[&frame[..], &[single]].concat()));

    pool.free_many(frame);
    pool.free(single);
    if let (Some((registers, unregisters)), Some(after)) = (before, support::calls()) {
        assert_eq!(after, (registers + 2, unregisters + 2), "one call each, however many regions");
    }
    support::checkpoint(&[]);
    assert_eq!(pool.offsets.storage_report().total_free_space, BYTES);

    // Frames in flight: the oldest is given back when the next begins.
    let mut frames = std::collections::VecDeque::new();
    for number in 0..50_u32 {
        let sizes: Vec<u32> = (1..=number % 7 + 1).map(|part| part * 1000 + number).collect();
        frames.push_back(pool.alloc_many(&sizes).expect("there is room"));
        if frames.len() > 3 {
            pool.free_many(frames.pop_front().expect("there are four"));
        }
        support::checkpoint(&places(frames.make_contiguous().concat().as_slice()));
    }
    pool.reset();
    support::checkpoint(&[]);

    pool.release();
    support::finish();
}

fn places(slices: &[Slice]) -> Vec<(usize, usize)> {
    slices.iter().map(|slice| (slice.address as usize, slice.bytes as usize)).collect()
}
