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
mstx: fault: region lies outside its heap
  --> <region>
   = call of `mstx::Heap::register_region`
   = 64 bytes at slab+0xff0 (0x70000ff0): 48 bytes too long for the heap
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
note: the heap was registered here
  --> <heap>
   = call of `mstx::Heap::register`

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
mstx: fault: region overlaps a live region
  --> <region>
   = call of `mstx::Heap::register_region`
   = 64 bytes at slab+0x60 (0x70000060)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
note: the live region was registered here
  --> <live>
   = call of `mstx::Heap::register_region`

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
mstx: fault: region registered twice
  --> <second>
   = call of `mstx::register_region`
   = 64 bytes at 0x70000040
note: first registered here
  --> <first>
   = call of `mstx::register_region`

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
mstx: fault: release of an unknown region
  --> <release>
   = call of `mstx::Heap::unregister_region`
   = at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000

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
mstx: fault: region released twice
  --> <second>
   = call of `mstx::Heap::unregister_region`
   = at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
note: first released here
  --> <first>
   = call of `mstx::Heap::unregister_region`

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
mstx: fault: release of an address inside a region
  --> <release>
   = call of `mstx::Heap::unregister_region`
   = at slab+0x48 (0x70000048)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
note: the region was registered here
  --> <region>
   = call of `mstx::Heap::register_region`

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
mstx: fault: region released to the wrong heap
  --> <release>
   = call of `mstx::Heap::unregister_region`
   = 64 bytes at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
note: the region was registered here
  --> <region>
   = call of `mstx::Heap::register_region`

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
mstx: fault: region still live at the end of its heap
  --> <end>
   = call of `mstx::Heap::unregister`
   = 64 bytes at slab+0x40 (0x70000040)
   = heap `slab`: 4096 bytes, 0x70000000 to 0x70001000
note: the region was registered here
  --> <region>
   = call of `mstx::Heap::register_region`

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
mstx: fault: address and size go beyond the address space
  --> <wraps>
   = call of `mstx::register_region`
   = {} bytes at 0x70000000

mstx: fault: null address
  --> <null>
   = call of `mstx::register_region`
   = 64 bytes at 0x0

mstx: fault: size of zero, or none
  --> <empty>
   = call of `mstx::register_region`
   = at 0x70000000

",
            usize::MAX
        ),
    );
}
