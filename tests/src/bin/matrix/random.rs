//! A right program that does everything to heaps and regions in no order: `matrix random SEED`.
//!
//! Regions lie next to each other and at odd addresses, and heaps lie on regions. After each step everything that is live is written.

use mstx::Heap;

use crate::memory::Source;

mstx::domain! {
    static OUTER = "outer";
    static INNER = "inner"
}

const BYTES: usize = 600;
const STEPS: usize = 400;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % limit
    }
}

/// A heap, the live regions in it, and the heaps that lie on these.
struct Pool {
    heap: Heap,
    start: usize,
    bytes: usize,
    regions: Vec<Region>,
}

struct Region {
    at: usize,
    bytes: usize,
    inner: Option<Box<Pool>>,
}

impl Pool {
    fn new(memory: *mut u8, start: usize, bytes: usize, depth: u32) -> Pool {
        let domain = if depth == 0 { &OUTER } else { &INNER };
        let heap = Heap::options().domain(domain).host().register(memory.wrapping_add(start), bytes);
        Pool { heap, start, bytes, regions: Vec::new() }
    }

    /// A free place.
    fn place(&self, random: &mut Random) -> Option<(usize, usize)> {
        let bytes = 1 + random.below(40);
        let at = self.start + random.below(self.bytes);
        // Often right behind another region.
        let at = match self.regions.get(random.below(self.regions.len() + 1)) {
            Some(region) if random.below(2) == 0 => region.at + region.bytes,
            _ => at,
        };
        let free = self.regions.iter().all(|region| at + bytes <= region.at || region.at + region.bytes <= at);
        (free && at + bytes <= self.start + self.bytes).then_some((at, bytes))
    }

    fn step(&mut self, memory: *mut u8, random: &mut Random, depth: u32) {
        let index = random.below(self.regions.len().max(1));
        match random.below(20) {
            0..8 => {
                if let Some((at, bytes)) = self.place(random) {
                    self.heap.register_region(memory.wrapping_add(at), bytes);
                    self.regions.push(Region { at, bytes, inner: None });
                }
            }
            8..12 if self.regions.get(index).is_some_and(|region| region.inner.is_none()) => {
                let region = self.regions.swap_remove(index);
                self.heap.unregister_region(memory.wrapping_add(region.at));
            }
            12..14 if depth < 2 => {
                if let Some(region) = self.regions.get_mut(index).filter(|region| region.inner.is_none()) {
                    let skip = random.below(region.bytes);
                    let skip = if random.below(2) == 0 { 0 } else { skip };
                    let bytes = 1 + random.below(region.bytes - skip);
                    region.inner = Some(Box::new(Pool::new(memory, region.at + skip, bytes, depth + 1)));
                }
            }
            14..16 => {
                if let Some(region) = self.regions.get_mut(index) {
                    if let Some(inner) = region.inner.take() {
                        inner.end();
                    }
                }
            }
            16 if random.below(4) == 0 => {
                self.end_inner();
                self.regions.clear();
                self.heap.reset();
            }
            _ => {
                if let Some(inner) = self.regions.get_mut(index).and_then(|region| region.inner.as_mut()) {
                    (0..4).for_each(|_| inner.step(memory, random, depth + 1));
                }
            }
        }
    }

    fn end_inner(&mut self) {
        self.regions.iter_mut().filter_map(|region| region.inner.take()).for_each(|inner| inner.end());
    }

    fn end(mut self) {
        self.end_inner();
        self.heap.reset();
        self.heap.unregister();
    }

    /// Writes all that is live, and reads it.
    fn touch(&self, memory: *mut u8) {
        for region in &self.regions {
            let inner = region.inner.as_ref().map_or(0..0, |inner| inner.start..inner.start + inner.bytes);
            for at in (region.at..region.at + region.bytes).filter(|at| !inner.contains(at)) {
                let byte = memory.wrapping_add(at);
                unsafe {
                    if byte.read_volatile() < 100 {
                        byte.write_volatile(byte.read_volatile() + 1);
                    }
                }
            }
            if let Some(inner) = &region.inner {
                inner.touch(memory);
            }
        }
    }
}

pub(crate) fn run(seed: &str) {
    let seed: u64 = seed.parse().expect("a number");
    let mut random = Random(seed);
    for round in 0..4 {
        let source = if round % 2 == 0 { Source::Malloc } else { Source::Mmap };
        let bytes = BYTES + random.below(8);
        let memory = source.get(bytes);
        unsafe { memory.write_bytes(0, bytes) };
        // In every other round the heap is not all of the block.
        let skip = if round < 2 { 0 } else { random.below(20) };
        let mut pool = Pool::new(memory, skip, bytes - 2 * skip, 0);
        for _ in 0..STEPS {
            pool.step(memory, &mut random, 0);
            pool.touch(memory);
            // What is beside the heap is nobody's concern.
            for at in (0..skip).chain(bytes - skip..bytes) {
                unsafe { memory.add(at).write_volatile(1) };
            }
        }
        pool.end();
        unsafe { memory.write_bytes(1, bytes) };
        source.give_back(memory, bytes);
    }
}
