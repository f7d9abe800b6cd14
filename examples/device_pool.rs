//! Pools of device memory: addresses are numbers that the host never follows, and only kernels access what they stand for.
//!
//! The heaps are `deferred`: their events are held back until a kernel is launched, and what was allocated and released in
//! between is not sent at all.

use std::collections::BTreeMap;

#[path = "support/mod.rs"]
mod support;

mstx::domain! {
    /// The blocks of a key-value cache, on all devices.
    static KV_CACHE = "kv_cache";
}

const GRANULE: u64 = 512;

/// The address was not handed out by this pool.
#[derive(Debug)]
struct Unknown;

/// First fit on the memory of one device. The lists are on the host, beside the memory and not in it.
struct DevicePool {
    base: u64,
    bytes: u64,
    /// Start and length of what is free; no two of them touch.
    free: BTreeMap<u64, u64>,
    /// Start and requested length of what is handed out.
    used: BTreeMap<u64, u64>,
}

/// With this line, `heap = self` is all that the attributes need.
impl mstx::AsHeap for DevicePool {
    fn as_heap(&self) -> mstx::HeapKey {
        self.base.as_heap()
    }
}

impl DevicePool {
    // In a program, `base` comes from `aclrtMalloc`.
    #[mstx::heap(domain = KV_CACHE, ptr = base, size = bytes, device = device, name = format!("cache of device {device}"), deferred)]
    fn new(device: u32, base: u64, bytes: u64) -> Self {
        Self { base, bytes, free: BTreeMap::from([(base, bytes)]), used: BTreeMap::new() }
    }

    // An integer is taken for an address only where `ptr` says so; `ret` is what is in the `Some`. The size is the one asked
    // for, not the rounded one: an access to what rounding adds is a mistake, too.
    #[mstx::region(heap = self, ptr = ret, size = bytes)]
    #[track_caller]
    fn alloc(&mut self, bytes: u64) -> Option<u64> {
        let rounded = bytes.checked_next_multiple_of(GRANULE)?;
        let (&start, &length) = self.free.iter().find(|(_, length)| **length >= rounded)?;
        self.free.remove(&start);
        if length > rounded {
            self.free.insert(start + rounded, length - rounded);
        }
        self.used.insert(start, bytes);
        Some(start)
    }

    // Reported before the body. If the body refuses with `Err`, the region is registered again.
    #[mstx::region_unregister(heap = self, ptr = address)]
    #[track_caller]
    fn free(&mut self, address: u64) -> Result<(), Unknown> {
        let bytes = self.used.remove(&address).ok_or(Unknown)?;
        let (mut start, mut end) = (address, address + bytes.next_multiple_of(GRANULE));
        if let Some(length) = self.free.remove(&end) {
            end += length;
        }
        if let Some((&before, &length)) = self.free.range(..start).next_back() {
            if before + length == start {
                start = before;
            }
        }
        self.free.insert(start, end - start);
        Ok(())
    }

    #[mstx::heap_unregister(heap = self)]
    fn release(self) {
        assert_eq!(self.free, BTreeMap::from([(self.base, self.bytes)]), "everything is back, and in one piece");
    }
}

/// Launches a kernel. Everything pending reaches the tool first: the kernel is about to access the blocks.
#[mstx::flush]
#[mstx::range(name = kernel, domain = KV_CACHE)]
fn launch(kernel: &str, pools: &[DevicePool], arguments: &[Block]) {
    for block in arguments {
        let pool = &pools[block.pool];
        assert!(pool.used.contains_key(&block.address), "{kernel}: an argument was released");
    }
    let live = pools.iter().flat_map(|pool| &pool.used);
    support::checkpoint(&live.map(|(start, bytes)| (*start as usize, *bytes as usize)).collect::<Vec<_>>());
}

/// A block that a sequence holds.
#[derive(Clone, Copy)]
struct Block {
    pool: usize,
    address: u64,
}

fn main() {
    let mut pools = [
        DevicePool::new(0, 0x12c0_0000_0000, 1 << 20), //
        DevicePool::new(1, 0x12c1_0000_0000, 1 << 20),
    ];

    // Sequences come, grow by a block on each device with every step, and go.
    let mut sequences: Vec<Vec<Block>> = Vec::new();
    for step in 0..100_u64 {
        if step % 3 == 0 {
            sequences.push(Vec::new());
        }
        for (number, sequence) in sequences.iter_mut().enumerate() {
            for (pool, memory) in pools.iter_mut().enumerate() {
                let bytes = 100 + (step * 37 + number as u64 * 11) % 2000;
                sequence.extend(memory.alloc(bytes).map(|address| Block { pool, address }));
            }
        }
        if step % 5 == 4 {
            let done = sequences.swap_remove(step as usize % sequences.len());
            done.into_iter().for_each(|block| give_back(&mut pools, block));
        }
        launch("attention", &pools, &sequences.concat());
    }

    // Each block goes back to the pool that it came from. Another would refuse it, and the report would be `WrongHeap`.
    sequences.into_iter().flatten().for_each(|block| give_back(&mut pools, block));
    pools.into_iter().for_each(DevicePool::release);
    support::finish();
}

#[track_caller]
fn give_back(pools: &mut [DevicePool], block: Block) {
    pools[block.pool].free(block.address).expect("the pool that it came from");
}
