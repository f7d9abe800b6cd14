//! Counts how often an argument is evaluated.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static ASKED: AtomicUsize = AtomicUsize::new(0);

fn next_size() -> usize {
    ASKED.fetch_add(1, Relaxed);
    16
}

pub struct Pool;

#[mstx::region(size = next_size())]
fn take(pool: &Pool) -> *mut u8 {
    let _ = pool;
    0x10000 as *mut u8
}

fn main() {
    take(&Pool);
    println!("asked {}", ASKED.load(Relaxed));
}
