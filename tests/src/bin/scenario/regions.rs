//! Regions come and go: order, one call for many, refused releases, the plain calls.

use crate::pool::{BASE, MAIN, OTHER, Pool, Refused, SIZE, give_at, open, take_at};
use crate::report::faults;
use std::ptr::without_provenance;

crate::scenarios![
    told_before_and_after_bodies,
    many_in_one_call,
    refused_release,
    refused_release_whose_place_is_taken,
    no_success_no_region,
    regions_of_no_heap,
    plain_calls,
    guard_ends_its_heap,
];

/// Marks stand for what the bodies do.
fn told_before_and_after_bodies() {
    let pool = open();
    let taken = pool.take_by(64, || {
        mstx::mark("taken");
        Some(0x100)
    });
    assert!(taken.is_some());
    mstx::mark("returned");
    let given = pool.give_by(0x100, || {
        mstx::mark("given");
        Ok(())
    });
    assert!(given.is_ok());
    pool.close_by(|| mstx::mark("closed"));
    faults();
}

fn many_in_one_call() {
    let pool = open();
    pool.take_many(&[0x100, 0x200, 0x300], 64);
    pool.give(0x200);
    pool.give_many([0x100, 0x300]);
    pool.take_many(&[], 64);
    pool.close();
    faults();
}

fn refused_release() {
    let pool = open();
    pool.take(0x100, 64);
    assert!(pool.give_by(0x100, || Err(Refused)).is_err());
    assert!(pool.give_by(0x100, || Ok(())).is_ok());
    pool.close();
    faults();
}

/// The body gives the place to somebody else and then says that it failed: what was handed out last is what counts.
fn refused_release_whose_place_is_taken() {
    let pool = open();
    pool.take(0x100, 64);
    let given = pool.give_by(0x100, || {
        pool.take(0x110, 32);
        Err(Refused)
    });
    assert!(given.is_err());
    pool.give(0x110);
    pool.close();
    faults();
}

fn no_success_no_region() {
    let pool = open();
    assert!(pool.take_by(64, || None).is_none());
    let panicked = std::panic::catch_unwind(|| {
        std::panic::set_hook(Box::new(|_| {}));
        pool.take_by(64, || panic!("no memory"))
    });
    assert!(panicked.is_err());
    assert!(open_by(|| Err(Refused)).is_err());
    pool.close();
    faults();
}

#[mstx::heap(domain = OTHER, ptr = ret, size = SIZE)]
fn open_by(body: impl FnOnce() -> Result<usize, Refused>) -> Result<usize, Refused> {
    body()
}

fn regions_of_no_heap() {
    take_at(0x9000, 64);
    take_at(0xa000, 64);
    give_at(0x9000);
    give_at(0xa000);
    faults();
}

fn plain_calls() {
    let place = |offset: usize| without_provenance::<u8>(BASE + offset);
    let heap = mstx::Heap::options().domain(&MAIN).device(1).name("blocks").register(place(0), SIZE);
    heap.register_region(place(0x100), 64_usize);
    heap.register_region(place(0x200), 64_usize);
    heap.unregister_region(place(0x100));
    heap.reset();
    heap.register_region(place(0x300), 64_usize);
    heap.resize(2 * SIZE);
    heap.unregister_region(place(0x300));
    heap.unregister();
    mstx::register_region(&OTHER, place(0x100), 64_usize);
    mstx::unregister_region(&OTHER, place(0x100));
    faults();
}

fn guard_ends_its_heap() {
    let pool = Pool::new(&MAIN, BASE, SIZE);
    {
        let heap = mstx::Heap::register(&MAIN, pool.at(0), SIZE);
        // The very heap of the guard, for an attribute too.
        take_in(&heap, BASE + 0x100);
        heap.unregister_region(pool.at(0x100));
    }
    faults();
}

#[mstx::region(heap = heap, size = 64_u32)]
fn take_in(heap: &mstx::Heap, address: usize) -> *mut u8 {
    let _ = heap;
    std::ptr::without_provenance_mut(address)
}
