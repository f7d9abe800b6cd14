//! Millions of events from several threads, under a stub tool whose books are compared with the program's own at the end.
//!
//! `soak EVENTS`: threads take blocks out of shared pools and give them back, their own and each other's; in batches and outside of
//! them, in deferred heaps and others; with resizes, flushes, and resets of a pool of their own. Every second or so all threads stop,
//! everything is flushed, and the tool must know just the blocks that are taken.

#[path = "../scenario/stub.rs"]
#[expect(dead_code, reason = "not every program uses everything")]
mod stub;

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Bytes of a slot.
const SLOT: usize = 64;
const SLOTS: usize = 512;
const THREADS: usize = 3;
/// Blocks that each thread holds at most.
const HELD: usize = 200;

mstx::domain!(static SOAK = "ptaCaching");

/// A pool of addresses without memory behind them, as that of a device is.
struct Pool {
    base: usize,
    /// Which slots are free.
    free: Mutex<Vec<bool>>,
}

impl Pool {
    fn start(&self) -> *mut u8 {
        std::ptr::without_provenance_mut(self.base)
    }

    #[mstx::heap(domain = SOAK, ptr = ret.start(), size = SLOTS * SLOT, device = 0)]
    fn new(base: usize) -> Option<Self> {
        Some(Self::at(base))
    }

    #[mstx::heap(domain = SOAK, ptr = ret.start(), size = SLOTS * SLOT, device = 0, deferred)]
    fn deferred(base: usize) -> Option<Self> {
        Some(Self::at(base))
    }

    #[mstx::heap(domain = SOAK, ptr = ret.start(), size = SLOTS * SLOT, device = 0, deferred = 1000)]
    fn deferred_at(base: usize) -> Option<Self> {
        Some(Self::at(base))
    }

    fn at(base: usize) -> Self {
        Self { base, free: Mutex::new(vec![true; SLOTS]) }
    }

    fn find(&self, count: usize, from: usize) -> Option<usize> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |&slot: &usize| slot + count <= SLOTS && free[slot..slot + count].iter().all(|&free| free);
        let slot = (from..(from + 32).min(SLOTS)).find(fits)?;
        free[slot..slot + count].fill(false);
        Some(slot)
    }

    #[mstx::region(heap = self.start(), ptr = ret, size = count * SLOT)]
    fn take(&self, count: usize, from: usize) -> Option<*mut u8> {
        self.find(count, from).map(|slot| std::ptr::without_provenance_mut(self.base + slot * SLOT))
    }

    #[mstx::region(heap = self.start(), size = SLOT)]
    fn take_many(&self, count: usize, from: usize) -> Vec<*mut u8> {
        let slots = (0..count).map_while(|number| self.find(1, (from + number * 7) % SLOTS));
        slots.map(|slot| std::ptr::without_provenance_mut(self.base + slot * SLOT)).collect()
    }

    #[mstx::region_unregister(heap = self.start(), ptr = block)]
    fn give(&self, block: *mut u8, count: usize) {
        let slot = (block.addr() - self.base) / SLOT;
        self.free.lock().unwrap_or_else(PoisonError::into_inner)[slot..slot + count].fill(true);
    }

    /// Moves a block, or refuses to.
    #[mstx::region_resize(heap = self.start(), ptr = block, size = count * SLOT)]
    fn resize(&self, block: *mut u8, old: usize, count: usize, from: usize) -> Option<*mut u8> {
        let slot = self.find(count, from)?;
        let before = (block.addr() - self.base) / SLOT;
        self.free.lock().unwrap_or_else(PoisonError::into_inner)[before..before + old].fill(true);
        Some(std::ptr::without_provenance_mut(self.base + slot * SLOT))
    }

    #[mstx::heap_reset(heap = self.start())]
    fn reset(&self) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).fill(true);
    }
}

/// Somebody's block: its pool's number, its address and its slots.
#[derive(Clone, Copy)]
struct Block {
    pool: usize,
    start: usize,
    count: usize,
}

/// A small generator of numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (usize::try_from(self.0 >> 33).unwrap_or(0)) % limit
    }
}

struct Worker<'a> {
    pools: &'a [Pool],
    own: &'a Pool,
    /// Where threads leave blocks for others to give back.
    exchange: &'a Mutex<Vec<Block>>,
    blocks: Vec<Block>,
    random: Random,
    events: u64,
}

impl Worker<'_> {
    fn run(&mut self, events: u64) {
        let end = self.events + events;
        while self.events < end {
            match self.random.below(40) {
                0 => {
                    let count = 1 + self.random.below(200);
                    mstx::batch(|| self.some(count));
                }
                1 if self.random.below(200) == 0 => mstx::flush(),
                2 if self.random.below(20) == 0 => self.cycle(),
                _ => self.some(20),
            }
        }
    }

    fn some(&mut self, count: usize) {
        for _ in 0..count {
            self.one();
        }
    }

    fn one(&mut self) {
        let from = self.random.below(SLOTS);
        match self.random.below(16) {
            0..=6 if self.blocks.len() < HELD => self.take(1 + from % 3, from),
            7 if self.blocks.len() < HELD => {
                let pool = self.pool();
                let blocks = self.pools[pool].take_many(4, from);
                self.events += blocks.len() as u64;
                self.blocks.extend(blocks.into_iter().map(|block| Block { pool, start: block.addr(), count: 1 }));
            }
            8 => self.resize(from),
            9 => self.swap(),
            _ => self.give(),
        }
    }

    /// Mostly a deferred pool: under the tool that is imitated, the others cost much more.
    fn pool(&mut self) -> usize {
        match self.random.below(64) {
            0 => 0,
            number => 1 + number % (self.pools.len() - 1),
        }
    }

    fn take(&mut self, count: usize, from: usize) {
        let pool = self.pool();
        if let Some(block) = self.pools[pool].take(count, from) {
            self.events += 1;
            self.blocks.push(Block { pool, start: block.addr(), count });
        }
    }

    fn any(&mut self) -> Option<Block> {
        let place = self.random.below(self.blocks.len().max(1));
        (place < self.blocks.len()).then(|| self.blocks.swap_remove(place))
    }

    fn give(&mut self) {
        if let Some(Block { pool, start, count }) = self.any() {
            self.events += 1;
            self.pools[pool].give(std::ptr::without_provenance_mut(start), count);
        }
    }

    fn resize(&mut self, from: usize) {
        let Some(block) = self.any() else { return };
        let count = 1 + (block.count + from) % 3;
        let moved = self.pools[block.pool].resize(std::ptr::without_provenance_mut(block.start), block.count, count, from);
        self.events += 1;
        self.blocks.push(moved.map_or(block, |moved| Block { start: moved.addr(), count, ..block }));
    }

    /// Leaves a block for another thread, and takes one that another has left.
    fn swap(&mut self) {
        let mine = self.any();
        let mut exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = if exchange.len() > 20 { Some(exchange.remove(0)) } else { None };
        exchange.extend(mine);
        drop(exchange);
        self.blocks.extend(theirs);
    }

    /// Fills the thread's own pool, and empties it at one blow.
    fn cycle(&mut self) {
        mstx::batch(|| {
            for slot in 0..SLOTS {
                self.own.take(1, slot);
            }
        });
        self.own.reset();
        self.events += SLOTS as u64 + 1;
    }
}

/// Whether the tool knows just these blocks.
fn agree(blocks: &[Block]) -> bool {
    let mut ours: Vec<_> = blocks.iter().map(|block| (block.start as u64, (block.count * SLOT) as u64)).collect();
    ours.sort_unstable();
    let theirs = stub::live();
    if ours != theirs {
        let missing: Vec<_> = ours.iter().filter(|block| !theirs.contains(block)).take(5).collect();
        let surplus: Vec<_> = theirs.iter().filter(|block| !ours.contains(block)).take(5).collect();
        println!("the tool misses {missing:x?}, and should not know {surplus:x?}");
    }
    ours == theirs
}

fn main() -> ExitCode {
    let events: u64 = std::env::args().nth(1).and_then(|events| events.parse().ok()).unwrap_or(1_000_000);
    let base = |number: usize| (number + 1) << 32;
    let pools: Option<Vec<_>> =
        [Pool::new(base(0)), Pool::deferred(base(1)), Pool::deferred_at(base(2)), Pool::deferred(base(3))].into_iter().collect();
    let own: Option<Vec<_>> = (0..THREADS).map(|number| Pool::new(base(10 + number))).collect();
    let (Some(pools), Some(own)) = (pools, own) else { return ExitCode::FAILURE };
    let exchange = Mutex::new(Vec::new());
    let worker = |(number, own)| Worker {
        pools: &pools,
        own,
        exchange: &exchange,
        blocks: Vec::new(),
        random: Random(number as u64 + 1),
        events: 0,
    };
    let mut workers: Vec<_> = own.iter().enumerate().map(worker).collect();
    let mut done = 0;
    let mut well = true;
    while well && done < events {
        let share = (events / 20).max(10_000) / THREADS as u64;
        thread::scope(|scope| {
            for worker in &mut workers {
                scope.spawn(move || worker.run(share));
            }
        });
        mstx::flush();
        let mut blocks: Vec<_> = workers.iter().flat_map(|worker| &worker.blocks).copied().collect();
        blocks.extend(exchange.lock().unwrap_or_else(PoisonError::into_inner).iter());
        well = agree(&blocks) && mstx::fault_count() == 0;
        done = workers.iter().map(|worker| worker.events).sum();
    }
    let told = [stub::REGIONS_REGISTERED, stub::REGIONS_UNREGISTERED].map(stub::calls);
    println!(
        "{done} events, {} faults, {} regions registered and {} unregistered at the tool",
        mstx::fault_count(),
        told[0],
        told[1]
    );
    println!("{}", if well { "the books agree" } else { "the books DIFFER" });
    if well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
