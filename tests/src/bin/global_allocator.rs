//! A program whose global allocator is annotated: the reporter must never allocate from it.
//!
//! At exit it prints how many blocks are live by its own count.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

struct PoolAlloc;

#[global_allocator]
static GLOBAL: PoolAlloc = PoolAlloc;

static LIVE: AtomicI64 = AtomicI64::new(0);

// SAFETY: everything is done by the system's allocator.
unsafe impl GlobalAlloc for PoolAlloc {
    #[mstx::region(size = layout.size())]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(1, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    #[mstx::region_unregister(ptr = p)]
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        LIVE.fetch_sub(1, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(p, layout) }
    }
}

/// A short text, without an allocation.
struct Text {
    bytes: [u8; 64],
    length: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// Runs at exit, before the tool's handler: nothing allocates any more.
extern "C" fn print_live() {
    let mut text = Text { bytes: [0; 64], length: 0 };
    // A number fits.
    let _ = writeln!(text, "live {} faults {}", LIVE.load(Relaxed), mstx::fault_count());
    // SAFETY: the text is as long as it is said to be.
    unsafe { libc::write(libc::STDOUT_FILENO, text.bytes.as_ptr().cast(), text.length) };
}

fn main() {
    // SAFETY: the handler calls nothing that may not run then.
    unsafe { libc::atexit(print_live) };
    let churn = |t: usize| {
        let mut v: Vec<String> = Vec::new();
        for i in 0..10_000 {
            v.push(format!("{t}/{i}"));
            if i % 3 == 0 {
                v.swap_remove(0);
            }
        }
        v.len()
    };
    let all: Vec<_> = (0..4).map(|t| std::thread::spawn(move || churn(t))).collect();
    for t in all {
        assert!(t.join().is_ok_and(|left| left > 0));
    }
}
