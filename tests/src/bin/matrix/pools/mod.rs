//! Pools of every kind, annotated.

pub(crate) mod arena;
pub(crate) mod buddy;
pub(crate) mod bump;
pub(crate) mod free_list;
pub(crate) mod growing;
pub(crate) mod headers;
pub(crate) mod slots;

/// What they have in common. The methods are `#[track_caller]`, so that reports name the program's lines.
pub(crate) trait Pool {
    /// The size of a block after which no byte is free before the next one.
    const FULL: usize;

    fn new() -> Self;
    fn alloc(&self, bytes: usize) -> *mut u8;
    fn free(&self, block: *mut u8);
    /// Always moves the block.
    fn resize(&self, block: *mut u8, old: usize, new: usize) -> *mut u8;
    fn reset(&self);
    /// The address of memory that is handed out to nobody, away from all blocks.
    fn free_memory(&self) -> *mut u8;
    /// A release as the pool believes it: the address may be none of its blocks, which it does not look at.
    fn free_at(&self, block: *mut u8);
}
