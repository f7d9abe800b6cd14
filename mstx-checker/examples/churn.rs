//! A pool under load, to look at the files that the checker writes:
//!
//! ```sh
//! MSTX_CHECK=heapmap=map.svg,snapshot=snapshot.pickle,trace=trace.json,dhat=dhat.json cargo run -p mstx-checker --example churn
//! ```
//!
//! The number of requests may be given as an argument.

use std::collections::VecDeque;
use std::time::Duration;

use mstx_checker as _;
use mstx_runtime::{Domain, Heap, domain, mark, range, register_region, unregister_region};

domain!(static CACHE = "kv_cache");
domain!(static SCRATCH = "scratch");
domain!(static STAGING = "staging");

/// Nobody touches this memory, so it need not be there.
const BASE: usize = 0x7f20_0000_0000;

fn at(address: usize) -> *const u8 {
    core::ptr::without_provenance(address)
}

/// Hands out the first gap that is large enough.
struct Pool {
    heap: Heap,
    base: usize,
    size: usize,
    used: Vec<(usize, usize)>,
}

impl Pool {
    #[track_caller]
    fn new(domain: &'static Domain, name: &str, base: usize, size: usize) -> Self {
        let heap = Heap::options().domain(domain).device(0).name(name).register(at(base), size);
        Self { heap, base, size, used: Vec::new() }
    }

    #[track_caller]
    fn alloc(&mut self, size: usize) -> Option<usize> {
        let mut start = self.base;
        let mut place = self.used.len();
        for (index, &(used, length)) in self.used.iter().enumerate() {
            if used - start >= size {
                place = index;
                break;
            }
            start = used + length;
        }
        if start + size > self.base + self.size {
            return None;
        }
        self.used.insert(place, (start, size));
        self.heap.register_region(at(start), size);
        Some(start)
    }

    fn resize(&mut self, size: usize) {
        self.heap.resize(size);
        self.size = size;
    }

    #[track_caller]
    fn free(&mut self, start: usize) {
        if let Ok(place) = self.used.binary_search_by_key(&start, |&(used, _)| used) {
            self.heap.unregister_region(at(start));
            self.used.remove(place);
        }
    }
}

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides).unwrap_or_default()
    }
}

/// On a thread of its own: a pool that asks for more memory when it is full.
fn stage(requests: usize) {
    let mut dice = Dice(11);
    let mut pool = Pool::new(&STAGING, "staging", BASE + (1 << 40), 2 << 20);
    let mut live = VecDeque::new();
    for request in 0..requests {
        let _copy = range("copy");
        let size = (128 << 10) + dice.roll(640 << 10);
        let start = pool.alloc(size).or_else(|| {
            pool.resize(pool.size * 2);
            pool.alloc(size)
        });
        live.extend(start);
        pause(requests, 300 + dice.roll(700));
        // More and more are under way, and in the end few.
        while live.len() > 3 + if request < requests * 2 / 3 { request * 20 / requests } else { 0 } {
            live.pop_front().into_iter().for_each(|start| pool.free(start));
        }
    }
    live.into_iter().for_each(|start| pool.free(start));
    pool.resize(2 << 20);
}

/// Long enough to be seen in the picture of a short run.
fn pause(requests: usize, microseconds: usize) {
    if requests < 10_000 {
        std::thread::sleep(Duration::from_micros(microseconds as u64));
    }
}

fn main() {
    let requests = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(60_usize);
    let mut dice = Dice(7);
    let mut cache = Pool::new(&CACHE, "kv cache", BASE, 64 << 20);
    let weights: Vec<_> = (0..3).filter_map(|_| cache.alloc(5 << 20)).collect();
    let mut live = Vec::new();
    let mut arena = cache.alloc(4 << 20);
    let other = std::thread::spawn(move || stage(requests));
    for request in 0..requests {
        if request % (requests / 5).max(1) == 0 {
            mark(&format!("batch {}", request * 5 / requests));
        }
        if request == requests / 4 {
            // Memory that no pool has.
            register_region(&SCRATCH, at(0x1000_0000), 3 << 12);
            register_region(&SCRATCH, at(0x1010_0000), 5 << 12);
        }
        if request == requests / 2 {
            unregister_region(&SCRATCH, at(0x1000_0000));
        }
        let _step = range("request");
        for _ in 0..1 + dice.roll(3) {
            live.extend(cache.alloc((256 << 10) + dice.roll(1 << 20)));
        }
        if dice.roll(3) == 0 {
            live.extend(cache.alloc((1 << 20) + dice.roll(3 << 20)));
        }
        if let (Some(start), true) = (arena, request % 7 == 3) {
            // An arena on top of a region of the pool: a heap inside of a heap.
            let mut scratch = Pool::new(&SCRATCH, "scratch", start, 4 << 20);
            for _ in 0..12 {
                let _ = scratch.alloc(64 << 10 | dice.roll(1 << 18));
                pause(requests, 20);
            }
            scratch.heap.reset();
        }
        pause(requests, 200 + dice.roll(800));
        while live.len() > 30 + dice.roll(12) {
            let place = dice.roll(live.len() as u64);
            cache.free(live.swap_remove(place));
        }
    }
    let _ = other.join();
    mark("shutdown");
    // The first three are forgotten, and so is the second of the regions of no pool.
    for start in live.drain(..).skip(3).chain(weights).chain(arena.take()) {
        cache.free(start);
    }
    core::mem::forget(cache.heap);
}
