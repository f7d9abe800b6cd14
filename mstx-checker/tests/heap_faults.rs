//! How faults of heaps are reported.

mod common;

use common::{POOL, assert_first, at, heap, run};
use mstx_runtime::{Heap, register_region, unregister_region};

#[test]
fn heap_overlap() {
    assert_first(
        "heap_overlap",
        || {
            let _slab = named!(slab: heap("slab").register(at(0), 4096));
            let _other = named!(other: heap("other").register(at(0x800), 4096));
        },
        "\
mstx: fault[MSTX12]: heap overlaps another heap
  --> <other>
   = call of `mstx::Heap::register`
   = 4096 bytes at slab+0x800 (0x70000800): 2048 bytes too long for the heap
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = <thread>
note: the other heap was registered here
  --> <slab>
   = call of `mstx::Heap::register`
help: annotate what ends heaps; a pool in another pool's memory is to lie in a block that was handed out and reported

",
    );
}

#[test]
fn heap_registered_twice() {
    assert_first(
        "heap_registered_twice",
        || {
            let _slab = named!(first: heap("slab").register(at(0), 4096));
            let _again = named!(second: heap("slab").register(at(0), 4096));
        },
        "\
mstx: fault[MSTX13]: heap registered twice
  --> <second>
   = call of `mstx::Heap::register`
   = 4096 bytes at slab+0x0 (0x70000000)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = <thread>
note: first registered here
  --> <first>
   = call of `mstx::Heap::register`
help: put `heap_unregister` on the function that gives the pool's memory back

",
    );
}

#[test]
fn region_before_heap() {
    assert_first(
        "region_before_heap",
        || {
            named!(region: register_region(&POOL, at(0x40), 64));
            let _slab = named!(heap: heap("slab").register(at(0), 4096));
            unregister_region(&POOL, at(0x40));
        },
        "\
mstx: fault[MSTX16]: region registered before its heap
  --> <heap>
   = call of `mstx::Heap::register`
   = 64 bytes at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = <thread>
note: the region was registered here
  --> <region>
   = call of `mstx::register_region`
help: report a heap before what it hands out

",
    );
}

#[test]
fn released_under_heap() {
    assert_first(
        "released_under_heap",
        || {
            let slab = heap("slab").register(at(0), 4096);
            named!(region: slab.register_region(at(0x40), 64));
            let arena = named!(arena: heap("arena").register(at(0x40), 32));
            named!(release: slab.unregister_region(at(0x40)));
            drop(arena);
        },
        "\
mstx: fault[MSTX08]: release of a region that a heap lies on
  --> <release>
   = call of `mstx::Heap::unregister_region`
   = 64 bytes at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = inside: a region of 64 bytes at slab+0x40, which begins here; from <region>
   = <thread>
note: the heap on it was registered here
  --> <arena>
   = call of `mstx::Heap::register`
help: end the inner heap (`heap_unregister`) before its memory is given back

",
    );
}

/// The heap of a guard that has ended with another one is not known.
#[test]
fn heap_leaked_and_unknown_heap() {
    assert_first(
        "heap_leaked_and_unknown_heap",
        || {
            let slab = heap("slab").register(at(0), 4096);
            slab.register_region(at(0x40), 64);
            let arena = named!(arena: heap("arena").register(at(0x40), 32));
            named!(reset: slab.reset());
            named!(region: arena.register_region(at(0x40), 8));
        },
        "\
mstx: fault[MSTX11]: heap still live at the end of the memory it lies on
  --> <reset>
   = call of `mstx::Heap::reset`
   = 32 bytes at arena+0x0 (0x70000040)
   = heap `arena`: 32 bytes, 0x70000040 to 0x70000060
   = <thread>
note: the heap was registered here
  --> <arena>
   = call of `mstx::Heap::register`
help: end inner heaps before the memory that they lie in

mstx: fault[MSTX14]: no live heap here
  --> <region>
   = call of `mstx::Heap::register_region`
   = at 0x70000040
   = <thread>
help: put `heap` on the function that obtains the pool's memory, and see that `heap = ..` says an address in it

",
    );
}

/// A heap's own `Drop` names the end of the scope.
#[test]
fn heaps_end_with_their_guards() {
    let program = || {
        mstx_checker::install();
        let slab = Heap::register(&POOL, at(0), 4096);
        slab.register_region(at(0x40), 64);
    };
    let Some(run) = run("heaps_end_with_their_guards", program) else { return };
    assert!(run.stderr.starts_with("mstx: fault[MSTX10]: region still live at the end of its heap"), "{}", run.stderr);
    assert!(run.stderr.contains("64 bytes at pool+0x40 (0x70000040)"), "{}", run.stderr);
}
