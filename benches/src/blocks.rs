//! Which blocks of a pool are handed out, and in which order they change hands.

use crate::Reporter;

/// Random numbers that are the same in every run.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Begins anew.
    #[must_use]
    pub const fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    /// A number below `bound`, which is not 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize * bound) >> 32
    }

    /// Brings a list into a random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

/// Equal blocks, some of which are handed out.
#[derive(Debug)]
pub struct Blocks {
    base: usize,
    bytes: usize,
    live: Vec<usize>,
    free: Vec<usize>,
    random: Random,
}

impl Blocks {
    /// `live` blocks of `bytes` bytes that will be handed out, and a quarter as many that stay free.
    #[must_use]
    pub fn new(base: usize, bytes: usize, live: usize) -> Self {
        let all = live + live.div_ceil(4);
        Self { base, bytes, live: (0..live).collect(), free: (live..all).collect(), random: Random::new() }
    }

    /// The memory is somewhere else.
    pub const fn move_to(&mut self, base: usize) {
        self.base = base;
    }

    /// How long the memory is.
    #[must_use]
    pub fn extent(&self) -> usize {
        (self.live.len() + self.free.len()) * self.bytes
    }

    /// In which order the blocks are handed out and given back.
    pub fn shuffle(&mut self) {
        self.random.shuffle(&mut self.live);
    }

    /// The blocks that were handed out last go first.
    pub fn reverse(&mut self) {
        self.live.reverse();
    }

    /// The blocks in the order of their addresses.
    pub fn sort(&mut self) {
        self.live.sort_unstable();
    }

    const fn address(&self, block: usize) -> usize {
        self.base + block * self.bytes
    }

    /// All are handed out.
    pub fn fill(&self, reporter: &impl Reporter) {
        for &block in &self.live {
            reporter.register(self.address(block), self.bytes);
        }
    }

    /// All are given back.
    pub fn empty(&self, reporter: &impl Reporter) {
        for &block in &self.live {
            reporter.unregister(self.address(block));
        }
    }

    /// So many times a random block is given back, and another, random one is handed out.
    pub fn exchange(&mut self, times: usize, reporter: &impl Reporter) {
        for _ in 0..times {
            let (leaves, comes) = (self.random.below(self.live.len()), self.random.below(self.free.len()));
            std::mem::swap(&mut self.live[leaves], &mut self.free[comes]);
            reporter.unregister(self.address(self.free[comes]));
            reporter.register(self.address(self.live[leaves]), self.bytes);
        }
    }

    /// The same, but the block that was given back is handed out again: so do pools whose list of free blocks is a stack.
    pub fn reuse(&mut self, times: usize, reporter: &impl Reporter) {
        for _ in 0..times {
            let block = self.live[self.random.below(self.live.len())];
            let address = self.address(block);
            reporter.unregister(address);
            reporter.register(address, self.bytes);
        }
    }

    /// So many times a free block is handed out and given back: together nothing has happened.
    pub fn cancel(&mut self, times: usize, reporter: &impl Reporter) {
        for _ in 0..times {
            let block = self.free[self.random.below(self.free.len())];
            let address = self.address(block);
            reporter.register(address, self.bytes);
            reporter.unregister(address);
        }
    }
}
