//! Whole heaps: resized, emptied, ended; and their devices.

use crate::pool::{BASE, MAIN, OTHER, Pool, Refused, SIZE, give_at, open};
use crate::report::faults;

crate::scenarios![
    grows_with_regions,
    grows_when_empty,
    shrinks_with_regions,
    growth_is_refused,
    same_size,
    grows_with_heap_inside,
    grows_with_heap_inside_at_its_start,
    shrink_ends_what_is_being_resized,
    reset,
    reset_of_nothing,
    releases_in_reset_body,
    releases_in_end_body,
    releases_in_end_body_without_heap,
    regions_of_two_heaps_in_one_call,
    resize_into_another_heap,
    many_heaps,
    devices,
];

fn grows_with_regions() {
    let mut pool = open();
    pool.take_many(&[0x100, 0x200, 0x300], 64);
    let grown = pool.set_size_by(2 * SIZE, || {
        mstx::mark("grown");
        Ok(())
    });
    assert!(grown.is_ok());
    pool.take(SIZE, 64);
    pool.give(0x200);
    pool.reset();
    pool.close();
    faults();
}

fn grows_when_empty() {
    let mut pool = open();
    pool.set_size(2 * SIZE);
    pool.close();
    faults();
}

fn shrinks_with_regions() {
    let mut pool = open();
    pool.take_many(&[0x100, 0x200], 64);
    let shrunk = pool.set_size_by(SIZE / 2, || {
        mstx::mark("shrunk");
        Ok(())
    });
    assert!(shrunk.is_ok());
    pool.reset();
    pool.close();
    faults();
}

fn growth_is_refused() {
    let mut pool = open();
    pool.take(0x100, 64);
    assert!(pool.set_size_by(2 * SIZE, || Err(Refused)).is_err());
    pool.give(0x100);
    pool.close();
    faults();
}

fn same_size() {
    let mut pool = open();
    pool.take(0x100, 64);
    pool.set_size(SIZE);
    pool.give(0x100);
    pool.close();
    faults();
}

fn grows_with_heap_inside() {
    let mut pool = open();
    pool.take(0x100, 64);
    pool.take(0x400, 0x400);
    let inner = Pool::open(&OTHER, BASE + 0x500, 0x100);
    inner.take(0x10, 16);
    inner.take(0x20, 16);
    mstx::mark("grow");
    pool.set_size(2 * SIZE);
    mstx::mark("grown");
    inner.reset();
    inner.close();
    pool.reset();
    pool.close();
    faults();
}

/// The tool does not know the inner heap: it has the base of the outer one.
fn grows_with_heap_inside_at_its_start() {
    let mut pool = open();
    pool.take(0, 0x400);
    let inner = Pool::open(&OTHER, BASE, 0x100);
    inner.take(0x10, 16);
    mstx::mark("grow");
    pool.set_size(2 * SIZE);
    mstx::mark("grown");
    inner.give(0x10);
    inner.close();
    pool.reset();
    pool.close();
    faults();
}

/// The body of a resize has moved the region away, and the memory behind it is given back.
fn shrink_ends_what_is_being_resized() {
    let mut pool = open();
    let shared = pool;
    pool.take(0x800, 64);
    shared.resize(0x800, 64, || {
        pool.set_size(SIZE / 2);
        Some(0x100)
    });
    pool.give(0x100);
    pool.close();
    faults();
}

fn reset() {
    let pool = open();
    pool.take_many(&[0x100, 0x200, 0x300], 64);
    pool.reset_by(|| mstx::mark("reset"));
    pool.take(0x110, 64);
    pool.reset();
    pool.close();
    faults();
}

fn reset_of_nothing() {
    let pool = open();
    pool.reset();
    pool.close();
    faults();
}

/// A reset that calls the annotated release for each region.
fn releases_in_reset_body() {
    let pool = open();
    pool.take_many(&[0x100, 0x200], 64);
    pool.reset_by(|| {
        pool.give(0x100);
        pool.give(0x200);
    });
    pool.take(0x100, 64);
    pool.give(0x100);
    pool.close();
    faults();
}

/// What is released while the heap ends was not leaked, but by then the end has been reported.
fn releases_in_end_body() {
    let pool = open();
    at!("take", pool.take(0x100, 64));
    at!("close", pool.close_by(|| pool.give(0x100)));
    faults();
}

fn releases_in_end_body_without_heap() {
    let pool = open();
    at!("take", pool.take(0x100, 64));
    at!("close", pool.close_by(|| give_at(BASE + 0x100)));
    faults();
}

/// One call for each heap.
fn regions_of_two_heaps_in_one_call() {
    #[mstx::region(size = size, domain = MAIN)]
    fn take_all<const N: usize>(places: [usize; N], size: usize) -> [*mut u8; N] {
        let _ = size;
        places.map(std::ptr::without_provenance_mut)
    }
    let (first, second) = (open(), Pool::open(&MAIN, 0x20000, SIZE));
    take_all([BASE, 0x20000, BASE + 0x100, 0x20100], 64);
    first.reset();
    second.reset();
    first.close();
    second.close();
    faults();
}

fn resize_into_another_heap() {
    #[mstx::region_resize(ptr = old, size = size, domain = MAIN)]
    fn realloc(old: usize, size: usize, new: usize) -> *mut u8 {
        let _ = (old, size);
        std::ptr::without_provenance_mut(new)
    }
    let (first, second) = (open(), Pool::open(&MAIN, 0x20000, SIZE));
    first.take(0x100, 64);
    realloc(BASE + 0x100, 128, 0x20000);
    second.give(0);
    first.close();
    second.close();
    faults();
}

fn many_heaps() {
    let pools: Vec<Pool> = (0..20).map(|index| Pool::open(&MAIN, BASE + index * SIZE, SIZE)).collect();
    for pool in &pools {
        pool.take(0, SIZE);
    }
    for pool in pools.iter().step_by(2) {
        pool.give(0);
        pool.close();
    }
    for pool in pools.iter().skip(1).step_by(2) {
        pool.give(0);
        pool.close();
    }
    faults();
}

#[mstx::heap(domain = MAIN, ptr = start, size = SIZE, device = device)]
fn open_on(device: u8, start: usize) {
    let _ = (device, start);
}

#[mstx::heap(domain = OTHER, ptr = start, size = SIZE, host)]
fn open_on_host(start: usize) {
    let _ = start;
}

#[mstx::region(domain = MAIN, size = 64_usize, device = device)]
fn take_on(device: u8, start: usize) -> *mut u8 {
    let _ = device;
    std::ptr::without_provenance_mut(start)
}

/// The release carries the device of the registration; host heaps are not sent at all.
fn devices() {
    for device in 0..3 {
        open_on(device, BASE + usize::from(device) * SIZE);
        Pool::new(&MAIN, BASE + usize::from(device) * SIZE, SIZE).take(0x100, 64);
    }
    open_on_host(0x90000);
    let host = Pool::new(&OTHER, 0x90000, SIZE);
    host.take(0x100, 64);
    host.give(0x100);
    host.close();
    for device in 0..3 {
        let pool = Pool::new(&MAIN, BASE + device * SIZE, SIZE);
        pool.give(0x100);
        pool.close();
    }
    take_on(3, 0x5000);
    give_at(0x5000);
    faults();
}
