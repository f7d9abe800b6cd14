//! Annotated functions that call each other.

use crate::pool::{BASE, MAIN, Pool, SIZE, open};
use crate::report::faults;

crate::scenarios![
    alloc_in_alloc,
    alloc_in_larger_alloc,
    alloc_in_alloc_with_header,
    many_allocs_in_one,
    outer_call_site_wins,
    release_in_release,
    release_of_part_in_release,
    heap_in_heap,
    calls_on_another_heap_count,
    second_release_after_both,
    heap_and_region_of_one_function,
];

fn alloc_in_alloc() {
    let pool = open();
    pool.take_by(64, || {
        pool.take(0x100, 64);
        Some(0x100)
    });
    pool.give(0x100);
    pool.close();
    faults();
}

fn alloc_in_larger_alloc() {
    let pool = open();
    pool.take_by(256, || {
        pool.take(0x100, 64);
        Some(0x100)
    });
    pool.give(0x100);
    pool.close();
    faults();
}

/// The outer function hands out what lies behind a header of its own.
fn alloc_in_alloc_with_header() {
    let pool = open();
    pool.take_by(48, || {
        pool.take(0x100, 64);
        Some(0x110)
    });
    pool.give(0x110);
    pool.close();
    faults();
}

fn many_allocs_in_one() {
    let pool = open();
    pool.take_by(192, || {
        pool.take(0x100, 64);
        pool.take(0x140, 64);
        pool.take(0x180, 64);
        Some(0x100)
    });
    pool.give(0x100);
    pool.close();
    faults();
}

fn outer_call_site_wins() {
    let pool = open();
    at!("outer", outer_take(pool, 64));
    at!("close", pool.close());
    faults();
}

#[mstx::region(size = size, domain = MAIN)]
#[track_caller]
fn outer_take(pool: Pool, size: usize) -> *mut u8 {
    pool.take(0x100, size)
}

fn release_in_release() {
    let pool = open();
    pool.take(0x100, 64);
    let given = pool.give_by(0x100, || {
        pool.give(0x100);
        Ok(())
    });
    assert!(given.is_ok());
    pool.close();
    faults();
}

fn release_of_part_in_release() {
    let pool = open();
    pool.take(0x100, 64);
    let given = pool.give_by(0x100, || {
        pool.give(0x110);
        Ok(())
    });
    assert!(given.is_ok());
    pool.close();
    faults();
}

fn heap_in_heap() {
    #[mstx::heap(domain = MAIN, ptr = BASE, size = SIZE)]
    fn outer_open() -> Pool {
        open()
    }
    let pool = outer_open();
    pool.take(0x100, 64);
    pool.give(0x100);
    pool.close();
    faults();
}

fn calls_on_another_heap_count() {
    let (pool, backing) = (open(), Pool::open(&MAIN, 0x20000, SIZE));
    pool.take_by(64, || {
        backing.take(0x100, 256);
        Some(0x100)
    });
    let given = pool.give_by(0x100, || {
        backing.give(0x100);
        Ok(())
    });
    assert!(given.is_ok());
    pool.close();
    backing.close();
    faults();
}

/// Opens a pool and hands out its first region.
fn heap_and_region_of_one_function() {
    #[mstx::region(heap = BASE, size = 64, domain = MAIN)]
    #[mstx::heap(domain = MAIN, ptr = BASE, size = SIZE)]
    fn open_and_take() -> *mut u8 {
        std::ptr::without_provenance_mut(BASE + 0x100)
    }
    open_and_take();
    let pool = Pool::new(&MAIN, BASE, SIZE);
    pool.give(0x100);
    pool.close();
    faults();
}

/// The silence ends with the outer body.
fn second_release_after_both() {
    let pool = open();
    pool.take(0x100, 64);
    let inner = || {
        pool.give(0x100);
        Ok(())
    };
    let first = at!("outer", pool.give_by(0x100, inner));
    assert!(first.is_ok());
    at!("again", pool.give(0x100));
    pool.close();
    faults();
}
