//! Memory for what this library looks up: its own, straight from the system. The program's `malloc` may be the very pool that is
//! watched, and in the middle of something.
//!
//! Blocks come in sizes that are powers of two. Small ones are cut from larger pieces, and reused; others are mapped each for itself.
#![allow(unsafe_code, reason = "is an allocator")]

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// The smallest block has 16 bytes, as a power of two.
const SMALLEST: u32 = 4;
/// Blocks of up to 32 KiB are cut from pieces.
const CLASSES: usize = 12;
/// The size of a piece.
const PIECE: usize = 1 << 20;

/// A free block says where the next one is.
struct Free {
    next: *mut Free,
}

struct Small {
    free: [*mut Free; CLASSES],
    /// What is left of the newest piece.
    at: usize,
    end: usize,
}

// SAFETY: what is free is nobody else's.
unsafe impl Send for Small {}

static SMALL: Mutex<Small> = Mutex::new(Small { free: [null_mut(); CLASSES], at: 0, end: 0 });

/// The allocator of this library.
struct Own;

#[global_allocator]
static OWN: Own = Own;

/// The power of two that such a block has, counted from the smallest; `None` if it is mapped for itself.
fn class(layout: Layout) -> Option<usize> {
    let size = layout.size().max(layout.align()).max(1 << SMALLEST);
    let class = (size.checked_next_power_of_two()?.trailing_zeros() - SMALLEST) as usize;
    (class < CLASSES).then_some(class)
}

fn map(size: usize) -> *mut u8 {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, which touches nothing that exists.
    let place = unsafe { libc::mmap(null_mut(), size, protection, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
    if place == libc::MAP_FAILED { null_mut() } else { place.cast() }
}

impl Small {
    fn take(&mut self, class: usize) -> *mut u8 {
        let first = self.free[class];
        if !first.is_null() {
            // SAFETY: it is in the list, so it was written there.
            self.free[class] = unsafe { (*first).next };
            return first.cast();
        }
        let size = 1_usize << (SMALLEST as usize + class);
        // Blocks are aligned to their size, and a piece is to more than that.
        let start = self.at.next_multiple_of(size);
        if start + size > self.end {
            let piece = map(PIECE);
            if piece.is_null() {
                return null_mut();
            }
            self.at = piece.expose_provenance();
            self.end = self.at + PIECE;
            return self.take(class);
        }
        self.at = start + size;
        core::ptr::with_exposed_provenance_mut(start)
    }

    fn give(&mut self, block: *mut u8, class: usize) {
        #[expect(clippy::cast_ptr_alignment, reason = "blocks are aligned to their size")]
        let block = block.cast::<Free>();
        // SAFETY: the block is ours again, and is large enough and aligned for this.
        unsafe { block.write(Free { next: self.free[class] }) };
        self.free[class] = block;
    }
}

// SAFETY: blocks are as large and aligned as they are asked for, and given out once. Nothing here panics.
unsafe impl GlobalAlloc for Own {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match class(layout) {
            Some(class) => SMALL.lock().unwrap_or_else(PoisonError::into_inner).take(class),
            // Nothing asks for more than a page as an alignment.
            None if layout.align() > 4096 => null_mut(),
            None => map(layout.size()),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match class(layout) {
            Some(class) => SMALL.lock().unwrap_or_else(PoisonError::into_inner).give(block, class),
            None => {
                // SAFETY: it was mapped with this size.
                unsafe { libc::munmap(block.cast(), layout.size()) };
            }
        }
    }
}
