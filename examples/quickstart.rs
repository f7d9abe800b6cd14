//! The smallest pool: a bump allocator on a slab of host memory, and two mistakes in the program that uses it.
//!
//! `cargo run --example quickstart` shows the second. The first is an access: Valgrind finds it, and AddressSanitizer.
//!
//! ```console
//! $ valgrind --num-callers=40 target/debug/examples/quickstart
//! $ RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo run --example quickstart --target x86_64-unknown-linux-gnu
//! ```
//!
//! With the argument `fixed` neither is made.

use std::ptr::NonNull;

#[path = "support/mod.rs"]
mod support;

mstx::domain!(static BUFFERS = "buffers"); // the name under which tools show the pool

/// Hands out buffers from one slab, front to back, each at a multiple of 64; it starts over when all of them are back.
struct Pool {
    slab: NonNull<[u8]>,
    used: usize,
    live: usize,
}

impl Pool {
    #[mstx::heap(domain = BUFFERS, ptr = ret.slab)] // after the body: this memory will be handed out in parts
    fn new(bytes: usize) -> Self {
        Self { slab: Box::leak(vec![0; bytes].into_boxed_slice()).into(), used: 0, live: 0 }
    }

    #[mstx::region(heap = self.slab)] // after the body, if it returns `Some`: this part is in use now
    #[track_caller] // reports name the line that calls `alloc`
    fn alloc(&mut self, bytes: usize) -> Option<NonNull<[u8]>> {
        let end = self.used.checked_add(bytes).filter(|end| *end <= self.slab.len())?;
        // SAFETY: the part ends inside the slab, so it begins there.
        let start = unsafe { self.slab.cast::<u8>().add(self.used) };
        (self.used, self.live) = (end.next_multiple_of(64), self.live + 1);
        Some(NonNull::slice_from_raw_parts(start, bytes))
    }

    #[mstx::region_unregister(heap = self.slab, ptr = buffer)] // before the body: after it, somebody else may have it
    #[track_caller]
    fn free(&mut self, buffer: NonNull<[u8]>) {
        self.live -= 1;
        if self.live == 0 {
            self.used = 0;
        }
    }
}

impl Drop for Pool {
    #[mstx::heap_unregister(heap = self.slab)] // before the body: its regions, then the heap, then the memory goes
    fn drop(&mut self) {
        // SAFETY: `new` leaked it, and nobody uses a buffer any more.
        drop(unsafe { Box::from_raw(self.slab.as_ptr()) });
    }
}

fn main() {
    let checked = mstx_checker::install(); // without this line: the feature `checker`, and `MSTX_CHECK=1` when the program is run
    let fixed = std::env::args().any(|argument| argument == "fixed");

    let mut pool = Pool::new(4096);
    let request = pool.alloc(100).expect("there is room");
    let answer = pool.alloc(200).expect("there is room");
    support::checkpoint(&[place(request), place(answer)]);

    for at in 0..if fixed { 100 } else { 101 } {
        let byte = request.cast::<u8>().as_ptr().wrapping_add(at);
        // SAFETY: it is a byte of the slab, and nobody else's; but the last one is not the buffer's, either.
        unsafe { *byte = b'.' } // one mistake: an overrun
    }
    pool.free(request);
    pool.free(if fixed { answer } else { request }); // the other: the pool now believes that nobody has a buffer
    drop(pool);

    support::checkpoint(&[]);
    let found: Vec<_> = mstx::faults().map(|fault| fault.kind()).collect();
    let made = [mstx::FaultKind::ReleasedTwice, mstx::FaultKind::RegionLeaked];
    assert_eq!(found, if checked && !fixed { &made[..] } else { &[] });
}

fn place(buffer: NonNull<[u8]>) -> (usize, usize) {
    (buffer.cast::<u8>().addr().get(), buffer.len())
}
