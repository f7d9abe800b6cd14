//! How faults of regions are reported.

mod common;

use mstx_checker as _;

use common::{POOL, assert_first, at, heap};
use mstx_runtime::register_region;

#[test]
fn region_outside_heap() {
    assert_first(
        "region_outside_heap",
        || {
            let slab = named!(heap: heap("slab").register(at(0), 4096));
            named!(region: slab.register_region(at(0xff0), 64));
        },
        "\
mstx: fault[MSTX01]: region lies outside its heap
  --> <region>
   = call of `mstx::Heap::register_region`
   = 64 bytes at slab+0xff0 (0x70000ff0): 48 bytes too long for the heap
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = <thread>
note: the heap was registered here
  --> <heap>
   = call of `mstx::Heap::register`
help: check the pool's arithmetic; a heap that has grown is reported with `heap_resize`

",
    );
}

#[test]
fn region_overlap() {
    assert_first(
        "region_overlap",
        || {
            let slab = heap("slab").register(at(0), 4096);
            named!(live: slab.register_region(at(0x40), 64));
            named!(region: slab.register_region(at(0x60), 64));
        },
        "\
mstx: fault[MSTX02]: region overlaps a live region
  --> <region>
   = call of `mstx::Heap::register_region`
   = 64 bytes at slab+0x60 (0x70000060)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = inside: a region of 64 bytes at slab+0x40, which begins 32 bytes before
   = <thread>
note: the live region was registered here
  --> <live>
   = call of `mstx::Heap::register_region`
help: the pool has handed out memory that is in use, or the annotation says a larger size than the pool keeps apart

",
    );
}

#[test]
fn region_registered_twice() {
    assert_first(
        "region_registered_twice",
        || {
            named!(first: register_region(&POOL, at(0x40), 64));
            named!(second: register_region(&POOL, at(0x40), 64));
        },
        "\
mstx: fault[MSTX03]: region registered twice
  --> <second>
   = call of `mstx::register_region`
   = 64 bytes at 0x70000040
   = <thread>
note: first registered here
  --> <first>
   = call of `mstx::register_region`
help: a way of giving back is not annotated: look for `free`, `realloc`, `reset` and `Drop` without an attribute

",
    );
}

#[test]
fn unknown_release() {
    assert_first(
        "unknown_release",
        || {
            let slab = heap("slab").register(at(0), 4096);
            named!(release: slab.unregister_region(at(0x40)));
        },
        "\
mstx: fault[MSTX04]: release of an unknown region
  --> <release>
   = call of `mstx::Heap::unregister_region`
   = at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = <thread>
help: this was never handed out, or by a function that is not annotated: annotate all of them

",
    );
}

#[test]
fn released_twice() {
    assert_first(
        "released_twice",
        || {
            let slab = heap("slab").register(at(0), 4096);
            slab.register_region(at(0x40), 64);
            named!(first: slab.unregister_region(at(0x40)));
            named!(second: slab.unregister_region(at(0x40)));
        },
        "\
mstx: fault[MSTX05]: region released twice
  --> <second>
   = call of `mstx::Heap::unregister_region`
   = at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = <thread>
note: first released here
  --> <first>
   = call of `mstx::Heap::unregister_region`
help: somebody kept a pointer to what was given back already

",
    );
}

#[test]
fn interior_release() {
    assert_first(
        "interior_release",
        || {
            let slab = heap("slab").register(at(0), 4096);
            named!(region: slab.register_region(at(0x40), 64));
            named!(release: slab.unregister_region(at(0x48)));
        },
        "\
mstx: fault[MSTX06]: release of an address inside a region
  --> <release>
   = call of `mstx::Heap::unregister_region`
   = at slab+0x48 (0x70000048)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = inside: a region of 64 bytes at slab+0x40, which begins 8 bytes before
   = <thread>
note: the region was registered here
  --> <region>
   = call of `mstx::Heap::register_region`
help: give back the very address that was handed out; if there is a header before it, `ptr` is to say the same in both attributes

",
    );
}

#[test]
fn wrong_heap() {
    assert_first(
        "wrong_heap",
        || {
            let slab = heap("slab").register(at(0), 4096);
            let other = heap("other").register(at(0x1000), 4096);
            named!(region: slab.register_region(at(0x40), 64));
            named!(release: other.unregister_region(at(0x40)));
        },
        "\
mstx: fault[MSTX07]: region released to the wrong heap
  --> <release>
   = call of `mstx::Heap::unregister_region`
   = 64 bytes at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = <thread>
note: the region was registered here
  --> <region>
   = call of `mstx::Heap::register_region`
help: give each block back to the pool that it came from

",
    );
}

#[test]
fn region_leaked() {
    assert_first(
        "region_leaked",
        || {
            let slab = heap("slab").register(at(0), 4096);
            named!(region: slab.register_region(at(0x40), 64));
            named!(end: slab.unregister());
        },
        "\
mstx: fault[MSTX10]: region still live at the end of its heap
  --> <end>
   = call of `mstx::Heap::unregister`
   = 64 bytes at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
   = <thread>
note: the region was registered here
  --> <region>
   = call of `mstx::Heap::register_region`
help: free it before; if the pool's end is meant to take everything with it, report `heap_reset` before the end

",
    );
}

#[test]
fn bad_arguments() {
    assert_first(
        "bad_arguments",
        || {
            named!(wraps: register_region(&POOL, at(0), usize::MAX));
            named!(null: register_region(&POOL, core::ptr::null::<u8>(), 64));
            named!(empty: register_region(&POOL, at(0), 0));
        },
        &format!(
            "\
mstx: fault[MSTX17]: address and size go beyond the address space
  --> <wraps>
   = call of `mstx::register_region`
   = {} bytes at 0x70000000
   = <thread>
help: check how address and size are computed: `end - start` wraps where `end` is the smaller one

mstx: fault[MSTX18]: null address
  --> <null>
   = call of `mstx::register_region`
   = 64 bytes at 0x0
   = <thread>
help: check for the failed allocation before it is reported

mstx: fault[MSTX19]: size of zero, or none
  --> <empty>
   = call of `mstx::register_region`
   = at 0x70000000
   = <thread>
help: say the size that was asked for, and leave out blocks of none

",
            usize::MAX
        ),
    );
}
