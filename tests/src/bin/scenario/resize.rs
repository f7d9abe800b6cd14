//! Regions that change their size or their place.

use crate::pool::{BASE, MAIN, Pool, open};
use crate::report::faults;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Barrier;
use std::thread;

crate::scenarios![
    moved,
    moved_over_itself,
    in_place,
    in_place_by_bool,
    unchanged,
    refused,
    panicked,
    of_null,
    place_taken_meanwhile,
    place_taken_meanwhile_then_refused,
    released_in_its_body,
    twice_in_a_row,
];

fn moved() {
    let pool = open();
    pool.take(0x100, 64);
    pool.resize(0x100, 128, || Some(0x400));
    pool.give(0x400);
    pool.close();
    faults();
}

fn moved_over_itself() {
    let pool = open();
    pool.take(0x100, 64);
    pool.resize(0x100, 64, || Some(0x120));
    pool.give(0x120);
    pool.close();
    faults();
}

fn in_place() {
    let pool = open();
    pool.take(0x100, 64);
    pool.resize(0x100, 128, || {
        mstx::mark("resized");
        Some(0x100)
    });
    pool.give(0x100);
    pool.close();
    faults();
}

fn in_place_by_bool() {
    let pool = open();
    pool.take(0x100, 64);
    pool.resize_in_place(0x100, 32, true);
    pool.resize_in_place(0x100, 16, false);
    pool.give(0x100);
    pool.close();
    faults();
}

fn unchanged() {
    let pool = open();
    pool.take(0x100, 64);
    pool.resize(0x100, 64, || Some(0x100));
    pool.give(0x100);
    pool.close();
    faults();
}

fn refused() {
    let pool = open();
    pool.take(0x100, 64);
    pool.resize(0x100, 128, || None);
    pool.give(0x100);
    pool.close();
    faults();
}

fn panicked() {
    let pool = open();
    pool.take(0x100, 64);
    set_hook(Box::new(|_| {}));
    let body = || pool.resize(0x100, 128, || panic!("no memory"));
    assert!(catch_unwind(AssertUnwindSafe(body)).is_err());
    pool.give(0x100);
    pool.close();
    faults();
}

/// As `realloc` is called for the first time.
fn of_null() {
    #[mstx::region_resize(ptr = old, size = size, domain = MAIN)]
    fn realloc(old: *mut u8, size: usize, new: usize) -> *mut u8 {
        let _ = (old, size);
        std::ptr::without_provenance_mut(new)
    }
    let pool = open();
    let first = realloc(std::ptr::null_mut(), 64, BASE + 0x100);
    realloc(first, 128, BASE + 0x200);
    pool.give(0x200);
    pool.close();
    faults();
}

/// The body moves the region, and another thread is given the old place before the body returns.
fn place_taken_by_other_thread(pool: Pool, result: Option<usize>) {
    let (left, taken) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            left.wait();
            pool.take(0x120, 64);
            taken.wait();
        });
        pool.resize(0x100, 128, || {
            left.wait();
            taken.wait();
            result
        });
    });
}

fn place_taken_meanwhile() {
    let pool = open();
    pool.take(0x100, 64);
    place_taken_by_other_thread(pool, Some(0x400));
    pool.give(0x120);
    pool.give(0x400);
    pool.close();
    faults();
}

/// It has moved, whatever it says: the old place is another's.
fn place_taken_meanwhile_then_refused() {
    let pool = open();
    pool.take(0x100, 64);
    place_taken_by_other_thread(pool, None);
    pool.give(0x120);
    pool.close();
    faults();
}

/// A `realloc` that calls the annotated `alloc` and `free`.
fn released_in_its_body() {
    let pool = open();
    pool.take(0x100, 64);
    pool.resize(0x100, 128, || {
        pool.take(0x400, 128);
        pool.give(0x100);
        Some(0x400)
    });
    pool.give(0x400);
    pool.close();
    faults();
}

fn twice_in_a_row() {
    let pool = open();
    pool.take(0x100, 64);
    pool.resize(0x100, 128, || Some(0x400));
    pool.resize(0x400, 64, || Some(0x100));
    pool.give(0x100);
    pool.close();
    faults();
}
