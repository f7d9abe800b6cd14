//! The program that uses a pool, and the mistakes that it makes.

use std::hint::black_box;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::pools::Pool;

/// Says where the mistake is: the test looks for this line in what the tools print.
macro_rules! here {
    ($mistake:expr) => {{
        println!("@{}", line!());
        $mistake
    }};
}

/// Writes a byte, as a user of a pool does.
#[inline(never)]
fn write(block: *mut u8, offset: isize) {
    unsafe { block.offset(offset).write_volatile(7) }
}

fn fill(block: *mut u8, bytes: usize) {
    unsafe { block.write_bytes(1, bytes) }
}

/// What a right program does.
fn work<P: Pool>(pool: &P) {
    let blocks: Vec<*mut u8> = [100, 24, 100, 61].map(|bytes| (pool.alloc(bytes), bytes)).map(filled).to_vec();
    pool.free(blocks[1]);
    pool.free(blocks[0]);
    let again = filled((pool.alloc(100), 100));
    let grown = pool.resize(again, 100, 200);
    assert_eq!(unsafe { grown.add(99).read() }, 1);
    fill(grown, 200);
    pool.free(grown);
    pool.free(blocks[3]);
    pool.free(blocks[2]);
    filled((pool.alloc(100), 100));
    pool.reset();
    let last = filled((pool.alloc(100), 100));
    pool.free(last);
}

fn filled((block, bytes): (*mut u8, usize)) -> *mut u8 {
    fill(block, bytes);
    block
}

/// Makes one mistake.
pub(crate) fn run<P: Pool>(mistake: &str) {
    let pool = P::new();
    if mistake == "none" {
        for _ in 0..3 {
            let pool = P::new();
            work(&pool);
            work(&pool);
        }
        return;
    }
    let first = filled((pool.alloc(100), 100));
    let block = filled((pool.alloc(100), 100));
    match mistake {
        "past-the-end" => here!(write(block, 100)),
        "before" => here!(write(block, -1)),
        "padding" => here!(write(block, 105)),
        "gap" => {
            let gap = pool.free_memory();
            here!(write(gap, 0));
        }
        "next-block" => {
            let (full, next) = (pool.alloc(P::FULL), pool.alloc(P::FULL));
            if full.wrapping_add(P::FULL) == next {
                let end = isize::try_from(P::FULL).expect("blocks are small");
                here!(write(full, end));
            }
            pool.free(next);
            pool.free(full);
        }
        "after-free" => {
            pool.free(block);
            here!(write(block, 50));
            pool.free(first);
            return;
        }
        "after-reset" => {
            pool.reset();
            here!(write(block, 50));
            return;
        }
        "after-resize" => {
            let grown = pool.resize(block, 100, 200);
            here!(write(block, 50));
            pool.free(grown);
            pool.free(first);
            return;
        }
        "uninitialised" => {
            let fresh = pool.alloc(100);
            if here!(unsafe { fresh.add(50).read_volatile() }) == 3 {
                black_box(());
            }
            pool.free(fresh);
        }
        "double-free" => {
            pool.free(block);
            here!(pool.free(block));
            pool.free(first);
            return;
        }
        "interior-free" => {
            here!(pool.free_at(block.wrapping_add(16)));
        }
        "wrong-heap" => {
            let other = P::new();
            here!(other.free_at(block));
        }
        "leak" => {
            pool.free(first);
            return;
        }
        "lost" => {
            // The pool lives on, and the pointer to the block is nowhere.
            static POOL: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
            pool.free(first);
            POOL.store(Box::into_raw(Box::new(pool)).cast(), Ordering::Relaxed);
            return;
        }
        _ => {
            eprintln!("there is no such mistake");
            std::process::exit(2);
        }
    }
    pool.free(block);
    pool.free(first);
}
