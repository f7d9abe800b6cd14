//! Wrong orders of calls. Each scenario goes on with right ones, and leaves something live for the tool to show.

use crate::pool::{BASE, MAIN, OTHER, Pool, SIZE, give_at, open, take_at};
use crate::report::faults;
use std::ptr::{null, without_provenance};

crate::scenarios![
    region_before_heap,
    region_of_no_heap_before_heap,
    region_of_no_heap_across_heap,
    region_of_no_heap_behind_heap,
    released_twice,
    stranger_released,
    interior_released,
    released_to_wrong_heap,
    heap_twice,
    heap_straddles,
    heap_encloses,
    heap_inside_beside_regions,
    overlapping_heap_is_closed,
    region_outside,
    region_straddles,
    region_outside_without_heap,
    region_twice,
    region_longer_at_same_start,
    region_overlaps,
    region_encloses,
    null_and_zero,
    null_and_zero_in_plain_calls,
    wraps,
    unknown_heap,
    ended_heap,
    ambiguous_heap,
    regions_leaked,
    inner_heap_leaked,
    released_under_heap,
    unknown_resize,
    heap_grows_into_heap,
    heap_shrinks_over_region,
    bad_device,
    inner_heap_leaked_at_reset,
    outer_shrinks_over_inner_heap,
    inner_heap_leaves_its_region,
    region_under_inner_heap,
    very_many,
    some_of_many_registered,
    some_of_many_released,
];

fn region_before_heap() {
    let pool = Pool::new(&MAIN, BASE, SIZE);
    at!("early", pool.take(0x100, 64));
    pool.give(0x100);
    let pool = open();
    pool.take(0x100, 32);
    faults();
}

fn region_of_no_heap_before_heap() {
    at!("early", take_at(BASE + 0x100, 64));
    let pool = at!("late", open_here());
    pool.give(0x100);
    pool.take(0x100, 32);
    faults();
}

#[track_caller]
fn open_here() -> Pool {
    Pool::open(&MAIN, BASE, SIZE)
}

fn region_of_no_heap_across_heap() {
    at!("early", take_at(BASE - 0x80, 256));
    let pool = at!("late", open_here());
    give_at(BASE - 0x80);
    pool.take(0, 32);
    faults();
}

/// What begins just where the heap ends is none of its business.
fn region_of_no_heap_behind_heap() {
    at!("early", take_at(BASE + SIZE - 64, 64));
    take_at(BASE + SIZE, 64);
    at!("late", open_here());
    give_at(BASE + SIZE);
    faults();
}

fn released_twice() {
    let pool = open();
    pool.take(0x100, 64);
    at!("first", pool.give(0x100));
    at!("second", pool.give(0x100));
    pool.take(0x100, 32);
    faults();
}

fn stranger_released() {
    let pool = open();
    pool.take(0x100, 64);
    at!("named", pool.give(0x200));
    at!("found", give_at(BASE + 0x300));
    at!("nowhere", give_at(0x9000));
    faults();
}

fn interior_released() {
    let pool = open();
    at!("take", pool.take(0x100, 64));
    at!("inside", pool.give(0x110));
    pool.give(0x100);
    pool.take(0x110, 16);
    faults();
}

fn released_to_wrong_heap() {
    let pool = open();
    let other = Pool::open(&MAIN, 0x20000, SIZE);
    at!("take", pool.take(0x100, 64));
    at!("wrong", Pool::new(&MAIN, 0x20000, SIZE).give((BASE + 0x100).wrapping_sub(0x20000)));
    pool.give(0x100);
    other.take(0x100, 32);
    faults();
}

fn heap_twice() {
    let pool = at!("first", open_here());
    pool.take(0x100, 64);
    at!("second", open_here());
    pool.take(0x200, 64);
    pool.give(0x100);
    faults();
}

fn heap_straddles() {
    let pool = at!("first", open_here());
    pool.take(0x100, 64);
    at!("second", Pool::open(&MAIN, BASE + 0x800, SIZE));
    pool.take(0xf00, 64);
    faults();
}

fn heap_encloses() {
    let pool = at!("first", open_here());
    pool.take(0x100, 64);
    at!("second", Pool::open(&MAIN, BASE - 0x800, 2 * SIZE));
    pool.take(0xf00, 64);
    faults();
}

fn heap_inside_beside_regions() {
    let pool = at!("first", open_here());
    pool.take(0x100, 64);
    at!("second", Pool::open(&OTHER, BASE + 0x800, 0x100));
    pool.take(0x800, 64);
    faults();
}

fn overlapping_heap_is_closed() {
    let pool = at!("first", open_here());
    pool.take(0x100, 64);
    let refused = at!("second", Pool::open(&MAIN, BASE + 0x800, SIZE));
    at!("close", refused.close());
    pool.take(0x200, 64);
    faults();
}

fn region_outside() {
    let pool = at!("heap", open_here());
    at!("outside", pool.take(SIZE, 64));
    pool.give(SIZE);
    pool.take(0x100, 64);
    faults();
}

fn region_straddles() {
    let pool = at!("heap", open_here());
    at!("straddles", pool.take(SIZE - 32, 64));
    pool.give(SIZE - 32);
    pool.take(SIZE - 32, 32);
    faults();
}

fn region_outside_without_heap() {
    let pool = at!("heap", open_here());
    at!("outside", take_at(0x9000, 64));
    give_at(0x9000);
    at!("straddles", take_at(BASE + SIZE - 32, 64));
    give_at(BASE + SIZE - 32);
    pool.take(0x100, 64);
    faults();
}

fn region_twice() {
    let pool = open();
    at!("first", pool.take(0x100, 64));
    at!("second", pool.take(0x100, 64));
    pool.give(0x100);
    pool.take(0x100, 32);
    faults();
}

fn region_longer_at_same_start() {
    let pool = open();
    at!("first", pool.take(0x100, 64));
    at!("second", pool.take(0x100, 128));
    pool.take(0x200, 64);
    faults();
}

fn region_overlaps() {
    let pool = open();
    at!("first", pool.take(0x100, 64));
    at!("second", pool.take(0x120, 64));
    pool.give(0x120);
    pool.give(0x100);
    pool.take(0x120, 64);
    faults();
}

fn region_encloses() {
    let pool = open();
    at!("first", pool.take(0x100, 64));
    at!("second", pool.take(0xf0, 256));
    pool.give(0xf0);
    pool.take(0x200, 64);
    faults();
}

fn null_and_zero() {
    let pool = open();
    Pool::new(&MAIN, 0, 0).take(0, 64);
    pool.take(0x100, 0);
    Pool::new(&MAIN, 0, 0).give(0);
    Pool::open(&MAIN, 0, SIZE);
    Pool::open(&MAIN, 0x20000, 0);
    pool.take(0x100, 64);
    faults();
}

fn null_and_zero_in_plain_calls() {
    at!("null heap", drop(mstx::Heap::register(&MAIN, null::<u8>(), SIZE)));
    at!("empty heap", drop(mstx::Heap::register(&MAIN, without_provenance::<u8>(BASE), 0_usize)));
    let heap = mstx::Heap::register(&MAIN, without_provenance::<u8>(BASE), SIZE);
    at!("null", heap.register_region(null::<u8>(), 64_usize));
    at!("empty", heap.register_region(without_provenance::<u8>(BASE + 0x100), 0_usize));
    at!("loose null", mstx::register_region(&OTHER, null::<u8>(), 64_usize));
    heap.register_region(without_provenance::<u8>(BASE + 0x100), 64_usize);
    std::mem::forget(heap);
    faults();
}

fn wraps() {
    let pool = open();
    at!("region", pool.take(0x100, usize::MAX - 0x100));
    pool.give(0x100);
    at!("heap", Pool::open(&MAIN, 0x20000, usize::MAX - 0x100));
    at!("loose", take_at(usize::MAX - 16, 64));
    pool.take(0x100, 64);
    faults();
}

fn unknown_heap() {
    let pool = open();
    let mut stranger = Pool::new(&MAIN, 0x20000, SIZE);
    at!("take", stranger.take(0x100, 64));
    stranger.give(0x100);
    at!("give", stranger.give(0x200));
    at!("reset", stranger.reset());
    at!("resize", stranger.set_size(2 * SIZE));
    at!("close", stranger.close());
    pool.take(0x100, 64);
    faults();
}

fn ended_heap() {
    let pool = open();
    pool.close();
    at!("take", pool.take(0x100, 64));
    pool.give(0x100);
    at!("close", pool.close());
    open().take(0x100, 32);
    faults();
}

fn ambiguous_heap() {
    let outer = at!("outer", open_here());
    outer.take(0, 0x800);
    let inner = Pool::open(&OTHER, BASE, 0x400);
    at!("take", take_in(BASE, BASE + 0x100, 64));
    inner.take(0x100, 64);
    faults();
}

/// The domain of the heap is not said.
#[mstx::region(heap = heap, size = size)]
#[track_caller]
fn take_in(heap: usize, address: usize, size: usize) -> *mut u8 {
    let _ = (heap, size);
    std::ptr::without_provenance_mut(address)
}

fn regions_leaked() {
    let pool = open();
    at!("first", pool.take(0x100, 64));
    pool.take(0x200, 64);
    at!("third", pool.take(0x300, 32));
    pool.give(0x200);
    at!("close", pool.close());
    open().take(0x300, 64);
    faults();
}

fn inner_heap_leaked() {
    let outer = open();
    at!("under", outer.take(0x400, 0x400));
    let inner = at!("inner", Pool::open(&OTHER, BASE + 0x400, 0x200));
    at!("small", inner.take(0x10, 16));
    at!("close", outer.close());
    open().take(0x400, 0x400);
    faults();
}

fn released_under_heap() {
    let outer = open();
    outer.take(0x400, 0x400);
    let inner = at!("inner", Pool::open(&OTHER, BASE + 0x400, 0x200));
    at!("give", outer.give(0x400));
    at!("resize", outer.resize(0x400, 0x100, || Some(0x800)));
    inner.close();
    outer.give(0x400);
    outer.take(0x400, 64);
    faults();
}

fn unknown_resize() {
    let pool = open();
    at!("resize", pool.resize(0x100, 64, || Some(0x200)));
    faults();
}

fn heap_grows_into_heap() {
    let mut pool = open();
    at!("next", Pool::open(&MAIN, BASE + SIZE, SIZE));
    pool.take(0x100, 64);
    at!("grow", pool.set_size(SIZE + 0x10));
    pool.take(0x200, 64);
    faults();
}

fn heap_shrinks_over_region() {
    let mut pool = open();
    pool.take(0x100, 64);
    at!("beyond", pool.take(0x800, 64));
    at!("shrink", pool.set_size(0x400));
    pool.take(0x200, 64);
    faults();
}

fn inner_heap_leaked_at_reset() {
    let outer = open();
    outer.take(0x400, 0x400);
    at!("inner", Pool::open(&OTHER, BASE + 0x400, 0x200));
    at!("reset", outer.reset());
    outer.take(0x400, 64);
    faults();
}

fn outer_shrinks_over_inner_heap() {
    let mut outer = open();
    outer.take(0x100, 64);
    at!("under", outer.take(0x800, 0x400));
    let inner = at!("inner", Pool::open(&OTHER, BASE + 0x800, 0x200));
    at!("small", inner.take(0, 16));
    at!("shrink", outer.set_size(0x400));
    outer.take(0x200, 64);
    faults();
}

fn inner_heap_leaves_its_region() {
    let outer = at!("outer", open_here());
    outer.take(0x400, 0x400);
    let mut inner = Pool::open(&OTHER, BASE + 0x400, 0x200);
    at!("grow", inner.set_size(0x401));
    inner.take(0, 16);
    inner.set_size(0x400);
    inner.take(0x3f0, 16);
    faults();
}

/// The outer pool hands out once more what an inner heap lies on.
fn region_under_inner_heap() {
    let outer = open();
    at!("under", outer.take(0x400, 0x400));
    let inner = Pool::open(&OTHER, BASE + 0x500, 0x100);
    at!("again", outer.take(0x500, 0x80));
    outer.give(0x500);
    inner.take(0, 0x80);
    faults();
}

/// More than are kept, and more than are written.
fn very_many() {
    let pool = open();
    for _ in 0..1500 {
        pool.give(0x200);
    }
    pool.take(0x100, 64);
    println!("{} {}", mstx::fault_count(), mstx::faults().count());
}

fn some_of_many_registered() {
    let pool = at!("heap", open_here());
    at!("first", pool.take(0x200, 64));
    at!("many", pool.take_many(&[0x100, 0x220, SIZE, 0x300], 64));
    faults();
}

fn some_of_many_released() {
    let pool = open();
    pool.take_many(&[0x100, 0x200, 0x300, 0x400], 64);
    pool.give(0x200);
    at!("many", pool.give_many([0x100, 0x900, 0x300]));
    faults();
}

fn bad_device() {
    let pool = open();
    pool.take(0x100, 64);
    at!("take", take_on(-1, 0x9000, 64));
    faults();
}

#[mstx::region(size = size, device = device, domain = OTHER)]
#[track_caller]
fn take_on(device: i32, address: usize, size: usize) -> *mut u8 {
    let _ = (device, size);
    std::ptr::without_provenance_mut(address)
}
