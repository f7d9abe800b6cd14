//! What tools do, and what programs do that tools do not like.

use crate::pool::{BASE, MAIN, OTHER, Pool, SIZE, open};
use crate::process::call_back;
use crate::report::faults;
use crate::stub;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

/// The same name, declared a second time.
mod again {
    mstx::domain!(pub(super) static MAIN = "ptaCaching");
}

crate::scenarios![tour, eight_threads, shadow, stale_regions, calls_back, re_enters, unknown_name];

/// Prints what is live by the tool's books.
fn checkpoint(name: &str) {
    let regions: Vec<String> = stub::live().iter().map(|(start, size)| format!(" {start:#x}+{size}")).collect();
    println!("{name}:{}", regions.concat());
}

/// A bit of everything, all of it right.
fn tour() {
    let mut pool = open();
    let neighbour = Pool::open(&again::MAIN, BASE + 2 * SIZE, SIZE);
    pool.take(0, 16);
    pool.take_many(&[0x100, 0x200, 0x300], 64);
    neighbour.take(0, SIZE);
    checkpoint("taken");
    pool.give(0x200);
    pool.resize(0x300, 128, || Some(0x400));
    pool.resize(0x100, 32, || Some(0x100));
    checkpoint("resized");
    pool.take(0x800, 0x200);
    let inner = Pool::open(&OTHER, BASE + 0x900, 0x80);
    inner.take(0, 8);
    checkpoint("nested");
    mstx::mark("half-way");
    MAIN.mark("half-way");
    let range = mstx::range("second half");
    pool.set_size(SIZE + 0x100);
    pool.take(SIZE, 0x100);
    checkpoint("grown");
    inner.give(0);
    inner.close();
    checkpoint("flat");
    neighbour.give(0);
    neighbour.close();
    pool.reset();
    checkpoint("reset");
    pool.take(0x10, 8);
    pool.give(0x10);
    pool.close();
    let pool = open();
    pool.take(0x200, 8);
    checkpoint("again");
    pool.give(0x200);
    pool.close();
    drop(range);
    checkpoint("end");
    faults();
}

fn eight_threads() {
    let pool = open();
    thread::scope(|scope| {
        for index in 0..8 {
            scope.spawn(move || {
                for _ in 0..20 {
                    pool.take(index * 0x100, 64);
                    pool.give(index * 0x100);
                }
            });
        }
    });
    checkpoint("end");
    pool.close();
    faults();
}

/// Asserts what msSanitizer says of accesses.
fn assert_accessible(address: usize, size: usize, expected: bool) {
    assert_eq!(stub::accessible(address, size), Some(expected), "{address:#x}+{size}");
}

/// An access is right exactly where the innermost heap has a live region.
fn shadow() {
    let pool = open();
    assert_accessible(BASE, SIZE, false);
    pool.take(0x100, 0x400);
    assert_accessible(BASE + 0x100, 0x400, true);
    assert_accessible(BASE + 0x4ff, 2, false);
    let inner = Pool::open(&OTHER, BASE + 0x200, 0x100);
    assert_accessible(BASE + 0x100, 0x100, true);
    assert_accessible(BASE + 0x200, 1, false);
    assert_accessible(BASE + 0x2ff, 1, false);
    assert_accessible(BASE + 0x300, 0x200, true);
    inner.take(0x10, 16);
    assert_accessible(BASE + 0x210, 16, true);
    assert_accessible(BASE + 0x220, 1, false);
    inner.give(0x10);
    assert_accessible(BASE + 0x210, 1, false);
    inner.close();
    assert_accessible(BASE + 0x100, 0x400, true);
    pool.give(0x100);
    assert_accessible(BASE + 0x100, 1, false);
    pool.close();
    faults();
}

/// A heap ends with live regions and begins again: what was there before is not there any more.
fn stale_regions() {
    let pool = open();
    pool.take(0x100, 64);
    pool.close();
    let pool = open();
    assert_accessible(BASE + 0x100, 1, false);
    pool.take(0x140, 64);
    assert_accessible(BASE + 0x140, 64, true);
    assert_accessible(BASE + 0x100, 1, false);
    pool.give(0x140);
    pool.close();
}

extern "C" fn while_initialising() {
    let pool = Pool::open(&OTHER, 0x20000, SIZE);
    pool.take(0x100, 64);
    pool.take(0x200, 64);
    pool.give(0x200);
    mstx::mark("early");
    drop(mstx::range("early"));
    println!("called back");
}

fn calls_back() {
    call_back(while_initialising);
    let pool = open();
    pool.take(0x100, 64);
    checkpoint("both");
    pool.give(0x100);
    pool.close();
    let other = Pool::new(&OTHER, 0x20000, SIZE);
    other.give(0x100);
    other.close();
    faults();
}

/// In the first call about regions that begin it takes one, in the first about regions that end it gives it back.
extern "C" fn while_registering() {
    static TIMES: AtomicU32 = AtomicU32::new(0);
    let pool = Pool::new(&OTHER, 0x20000, SIZE);
    match TIMES.fetch_add(1, Relaxed) {
        0 => drop(pool.take(0x100, 64)),
        _ => pool.give(0x100),
    }
    mstx::mark("inside");
}

fn re_enters() {
    call_back(while_registering);
    let other = Pool::open(&OTHER, 0x20000, SIZE);
    let pool = open();
    pool.take(0x100, 64);
    checkpoint("taken");
    pool.give(0x100);
    checkpoint("given");
    pool.close();
    other.close();
    faults();
}

/// Some tools know a few names only.
fn unknown_name() {
    mstx::domain!(static MINE = "my_own_name");
    let pool = Pool::open(&MINE, BASE, SIZE);
    pool.take(0x100, 64);
    pool.give(0x100);
    pool.close();
    let known = Pool::open(&MAIN, BASE, SIZE);
    known.take(0x100, 64);
    known.give(0x100);
    known.close();
    for domain in mstx::domains().filter(|domain| ["my_own_name", "ptaCaching"].contains(&domain.name())) {
        println!("{} {:?}", domain.name(), domain.answer());
    }
    faults();
}
