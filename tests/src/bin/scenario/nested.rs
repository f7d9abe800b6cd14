//! Heaps that lie on regions of other heaps: an arena on top of a pool.

use crate::pool::{BASE, OTHER, Pool, SIZE, open};
use crate::report::faults;

mstx::domain!(static THIRD = "msleaks");

crate::scenarios![
    inside_a_region,
    at_the_start_of_a_region,
    all_of_a_region,
    at_the_base_of_the_outer_heap,
    same_domain_at_the_base_of_the_outer_heap,
    side_by_side_on_one_region,
    three_deep,
    on_a_region_of_no_heap,
    straddles_its_region,
    moves_with_outer_alloc,
    inner_heap_grows,
];

fn inside_a_region() {
    let outer = open();
    outer.take(0x100, 0x400);
    let inner = Pool::open(&OTHER, BASE + 0x200, 0x100);
    inner.take(0x10, 16);
    outer.take(0x800, 64);
    inner.give(0x10);
    inner.close();
    outer.give(0x100);
    outer.give(0x800);
    outer.close();
    faults();
}

fn at_the_start_of_a_region() {
    let outer = open();
    outer.take(0x100, 0x400);
    let inner = Pool::open(&OTHER, BASE + 0x100, 0x100);
    inner.take(0, 16);
    inner.give(0);
    inner.close();
    outer.give(0x100);
    outer.close();
    faults();
}

fn all_of_a_region() {
    let outer = open();
    outer.take(0x100, 0x400);
    let inner = Pool::open(&OTHER, BASE + 0x100, 0x400);
    inner.take(0, 0x400);
    inner.give(0);
    inner.close();
    outer.give(0x100);
    outer.close();
    faults();
}

fn at_the_base_of_the_outer_heap() {
    let outer = open();
    outer.take(0, 0x400);
    let inner = Pool::open(&OTHER, BASE, 0x100);
    inner.take(0x10, 16);
    inner.give(0x10);
    inner.take(0, 0x100);
    inner.give(0);
    inner.close();
    outer.give(0);
    outer.close();
    faults();
}

/// Neither address nor domain tells the two heaps apart; the innermost is meant.
fn same_domain_at_the_base_of_the_outer_heap() {
    let outer = open();
    outer.take(0, SIZE);
    let inner = open_inner();
    inner.take(0x10, 16);
    inner.give(0x10);
    inner.close();
    outer.give(0);
    outer.close();
    faults();
}

fn open_inner() -> Pool {
    Pool::open(&crate::pool::MAIN, BASE, 0x100)
}

fn side_by_side_on_one_region() {
    let outer = open();
    outer.take(0x100, 0x400);
    let left = Pool::open(&OTHER, BASE + 0x100, 0x100);
    let right = Pool::open(&OTHER, BASE + 0x300, 0x100);
    left.take(0, 16);
    right.take(0, 16);
    left.give(0);
    left.close();
    right.give(0);
    right.close();
    outer.give(0x100);
    outer.close();
    faults();
}

fn three_deep() {
    let outer = open();
    outer.take(0x100, 0x400);
    let middle = Pool::open(&OTHER, BASE + 0x100, 0x400);
    middle.take(0x100, 0x200);
    let inner = Pool::open(&THIRD, BASE + 0x280, 0x80);
    inner.take(0, 16);
    inner.give(0);
    inner.close();
    middle.give(0x100);
    middle.close();
    outer.give(0x100);
    outer.close();
    faults();
}

/// The region belongs to no heap; the heap that is made on it is still one that lies on a region.
fn on_a_region_of_no_heap() {
    mstx::register_region(&OTHER, std::ptr::without_provenance::<u8>(BASE), SIZE);
    let pool = Pool::open(&crate::pool::MAIN, BASE + 0x400, 0x400);
    pool.take(0, 64);
    pool.give(0);
    pool.close();
    mstx::unregister_region(&OTHER, std::ptr::without_provenance::<u8>(BASE));
    faults();
}

fn straddles_its_region() {
    let outer = at!("outer", here());
    outer.take(0x100, 0x400);
    at!("inner", Pool::open(&OTHER, BASE + 0x400, 0x200));
    outer.give(0x100);
    outer.close();
    faults();
}

/// The pieces beside it change.
fn inner_heap_grows() {
    let outer = open();
    outer.take(0x100, 0x400);
    let mut inner = Pool::open(&OTHER, BASE + 0x200, 0x100);
    inner.take(0x10, 16);
    inner.set_size(0x200);
    inner.take(0x100, 16);
    inner.reset();
    inner.close();
    outer.give(0x100);
    outer.close();
    faults();
}

#[track_caller]
fn here() -> Pool {
    Pool::open(&crate::pool::MAIN, BASE, SIZE)
}

/// An arena that grows from an annotated pool, inside its own annotated function.
fn moves_with_outer_alloc() {
    #[mstx::region(heap = BASE + 0x400, size = size, domain = OTHER)]
    fn arena_take(outer: Pool, size: usize) -> *mut u8 {
        let _ = size;
        outer.take(0xa00, 64);
        outer.give(0xa00);
        outer.at(0x400)
    }
    let outer = open();
    outer.take(0x400, 0x200);
    let arena = Pool::open(&OTHER, BASE + 0x400, 0x200);
    arena_take(outer, 32);
    arena.give(0);
    arena.close();
    outer.give(0x400);
    outer.close();
    faults();
}
