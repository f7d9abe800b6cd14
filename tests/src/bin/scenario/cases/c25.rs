//! Forks while other threads report.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

struct Pool;

#[mstx::region(size = 32)]
fn take(pool: &Pool) -> *mut u8 {
    let _ = pool;
    Box::into_raw(Box::new([0_u8; 32])).cast()
}

#[mstx::region_unregister(ptr = p)]
fn put(pool: &Pool, p: *mut u8) {
    let _ = pool;
    // SAFETY: it came from `take`, and is given back once.
    drop(unsafe { Box::from_raw(p.cast::<[u8; 32]>()) });
}

static POOL: Pool = Pool;

/// Forks a child that uses the pool and ends, and waits for it. It has five seconds.
fn child_that_ends(by_exit: bool) {
    // SAFETY: the child does what the case is about.
    match unsafe { libc::fork() } {
        0 => {
            // SAFETY: no conditions.
            unsafe { libc::alarm(5) };
            let p = take(&POOL);
            put(&POOL, p);
            if by_exit {
                // SAFETY: no other thread is there to end the process too.
                unsafe { libc::exit(0) }
            }
            // SAFETY: no conditions.
            unsafe { libc::_exit(0) }
        }
        child => {
            assert!(child > 0, "a child can be forked");
            let mut status = -1;
            // SAFETY: the child is ours, and `status` is valid for the write.
            assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
            assert_eq!(status, 0, "the child ended as it should");
        }
    }
}

pub(super) fn c25() {
    let (begun, end) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !end.load(Relaxed) {
                    let p = take(&POOL);
                    put(&POOL, p);
                    begun.store(true, Relaxed);
                }
            });
        }
        // A child of a process that has not reported yet would have a tool of its own.
        while !begun.load(Relaxed) {
            thread::yield_now();
        }
        for i in 0..200 {
            child_that_ends(i % 4 == 0);
        }
        end.store(true, Relaxed);
    });
    println!("200 children ended");
    crate::report::faults();
}

/// The tool is slow to initialise, and children are forked meanwhile.
pub(super) fn c25_while_initialising() {
    let begins = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            begins.store(true, Relaxed);
            let p = take(&POOL);
            put(&POOL, p);
        });
        while !begins.load(Relaxed) {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(100));
        for i in 0..10 {
            thread::sleep(Duration::from_millis(15));
            child_that_ends(i % 2 == 0);
        }
    });
    println!("10 children ended");
    crate::report::faults();
}
