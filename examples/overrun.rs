//! An access that runs out of a buffer, into memory of the pool that belongs to nobody: no fault in the order of calls, and nothing that
//! the program would notice. With the argument `fixed` it does not happen.
//!
//! ```console
//! $ valgrind --num-callers=40 target/debug/examples/overrun
//! $ RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo run --example overrun --target x86_64-unknown-linux-gnu
//! ```

use std::cell::Cell;
use std::ptr::NonNull;

mstx::domain!(static BUFFERS = "buffers");

/// Hands out buffers from one slab, each at a multiple of 16.
struct Pool {
    slab: NonNull<[u8]>,
    used: Cell<usize>,
}

impl Pool {
    #[mstx::heap(domain = BUFFERS, ptr = ret.slab)]
    fn new(bytes: usize) -> Self {
        Self { slab: Box::leak(vec![0; bytes].into_boxed_slice()).into(), used: Cell::new(0) }
    }

    #[mstx::region(heap = self.slab, size = bytes)] // the caller's size, not the rounded one
    #[track_caller]
    fn alloc(&self, bytes: usize) -> Option<NonNull<u8>> {
        let end = self.used.get().checked_add(bytes).filter(|end| *end <= self.slab.len())?;
        let start = self.used.replace(end.next_multiple_of(16));
        // SAFETY: the part ends inside the slab, so it begins there.
        Some(unsafe { self.slab.cast::<u8>().add(start) })
    }

    #[mstx::heap_reset(heap = self.slab)]
    fn reset(&self) {
        self.used.set(0);
    }
}

impl Drop for Pool {
    #[mstx::heap_unregister(heap = self.slab)]
    fn drop(&mut self) {
        // SAFETY: `new` leaked it, and nobody uses a buffer any more.
        drop(unsafe { Box::from_raw(self.slab.as_ptr()) });
    }
}

fn main() {
    mstx_checker::install();
    let fixed = std::env::args().any(|argument| argument == "fixed");

    let pool = Pool::new(4096);
    let buffer = pool.alloc(100).expect("there is room"); // the buffer
    let bytes = if fixed { 100 } else { 101 };
    for at in 0..bytes {
        // SAFETY: it lies in the slab.
        let byte = unsafe { buffer.add(at) };
        // SAFETY: the slab's memory; and for once not all of it the buffer's.
        unsafe { byte.write(1) } // one too many
    }
    pool.reset();
}
