//! What is said when the process exits.

mod common;

use common::{POOL, at, heap, run, run_with};
use mstx_runtime::{Heap, domain, register_region, unregister_region};

domain!(static BUFFERS = "buffers");

#[track_caller]
fn assert_summary(test: &str, program: fn(), expected: &str) {
    let Some(run) = run(test, program) else { return };
    assert_eq!(run.summary(), expected, "{}", run.stderr);
    assert_eq!(run.status, Some(0));
}

#[test]
fn nothing_at_all() {
    assert_summary(
        "nothing_at_all",
        || {
            mstx_checker::install();
        },
        "mstx: no faults; nothing was registered\n",
    );
}

#[test]
fn all_is_well() {
    assert_summary(
        "all_is_well",
        || {
            mstx_checker::install();
            let slab = heap("slab").register(at(0), 4096);
            for _ in 0..5 {
                slab.register_region(at(0), 64);
                slab.register_region(at(64), 32);
                slab.unregister_region(at(0));
                slab.unregister_region(at(64));
            }
        },
        "mstx: no faults; 1 heap and 10 regions registered and unregistered, at most 96 bytes of regions live\n",
    );
}

#[test]
fn the_environment_asks_for_it() {
    let program = || {
        register_region(&POOL, at(0), 64);
        unregister_region(&POOL, at(0));
    };
    let Some(run) = run_with("the_environment_asks_for_it", Some("1"), program) else { return };
    assert_eq!(
        run.stderr,
        "mstx: no faults; 0 heaps and 1 region registered and unregistered, at most 64 bytes of regions live\n"
    );
}

#[test]
fn what_is_live_is_listed_by_call() {
    assert_summary(
        "what_is_live_is_listed_by_call",
        || {
            mstx_checker::install();
            let slab = named!(slab: heap("slab").register(at(0), 4096));
            let other = named!(other: heap("other").register(at(0x1000), 8192));
            for n in 0..4 {
                named!(small: slab.register_region(at(n * 64), 64));
            }
            for heap in [&slab, &other] {
                let at = if core::ptr::eq(heap, &other) { at(0x1000) } else { at(0x800) };
                named!(both: heap.register_region(at, 512));
            }
            named!(none: register_region(&BUFFERS, at(0x10_0000), 1));
            slab.unregister_region(at(64));
            core::mem::forget((slab, other));
        },
        "\
mstx: no faults
  heaps: 2 registered, 0 unregistered, at most 12288 bytes live
  regions: 7 registered, 1 unregistered, at most 1281 bytes live
  heap `slab` of 4096 bytes, from <slab>: at most 768 bytes live
  heap `other` of 8192 bytes, from <other>: at most 512 bytes live
  still live at exit: 2 heaps, 12288 bytes
    1 heap, 8192 bytes, named `other`
      --> <other>
       = call of `mstx::Heap::register`
    1 heap, 4096 bytes, named `slab`
      --> <slab>
       = call of `mstx::Heap::register`
    heap `slab` at 0x70000000: 704 of 4096 bytes live in 4 regions, 3392 free, at most 1792 in one piece (fragmentation 47 %)
    heap `other` at 0x70001000: 512 of 8192 bytes live in 1 region, 7680 free, at most 7680 in one piece (fragmentation 0 %)
  still live at exit: 6 regions, 1217 bytes
    2 regions, 1024 bytes, in several heaps
      --> <both>
       = call of `mstx::Heap::register_region`
    3 regions, 192 bytes, in heap `slab`
      --> <small>
       = call of `mstx::Heap::register_region`
    1 region, 1 byte, in no heap, of domain `buffers`
      --> <none>
       = call of `mstx::register_region`
",
    );
}

/// With several pools the most that each held is said even if all is well: those with the most first.
#[test]
fn each_pool_has_its_most() {
    assert_summary(
        "each_pool_has_its_most",
        || {
            mstx_checker::install();
            let small = named!(small: heap("small").register(at(0), 4096));
            // One that grows by further heaps, each of a name of its own.
            let slabs = [1, 2, 3].map(|n| named!(slabs: heap(&format!("slab {n}")).register(at(n * 0x1000), n * 1024)));
            let twins = [4, 5].map(|n| named!(twins: heap("twin").register(at(n * 0x1000), 256)));
            for (n, slab) in slabs.iter().enumerate() {
                let start = at((n + 1) * 0x1000);
                slab.register_region(start, 500);
                slab.unregister_region(start);
                slab.register_region(start, 600);
                slab.unregister_region(start);
            }
            small.register_region(at(0), 7);
            small.reset();
            drop((small, slabs, twins));
        },
        "\
mstx: no faults; 6 heaps and 7 regions registered and unregistered, at most 600 bytes of regions live
  3 heaps of several names, of at most 3072 bytes, from <slabs>: at most 600 bytes live in each
  heap `small` of 4096 bytes, from <small>: at most 7 bytes live
  2 heaps `twin` of at most 256 bytes, from <twins>: at most 0 bytes live in each
",
    );
}

/// An arena that takes all of a pool that hands out all of its memory, in the same domain and in another one.
#[test]
fn heaps_in_one_place() {
    assert_summary(
        "heaps_in_one_place",
        || {
            mstx_checker::install();
            let outer = named!(outer: heap("outer").register(at(0), 4096));
            outer.register_region(at(0), 4096);
            let middle = named!(middle: heap("middle").register(at(0), 4096));
            middle.register_region(at(0), 4096);
            let inner = named!(inner: heap("inner").domain(&BUFFERS).register(at(0), 4096));
            inner.register_region(at(0), 8);
            inner.unregister_region(at(0));
            drop(inner);
            middle.unregister_region(at(0));
            middle.register_region(at(0), 100);
            middle.unregister_region(at(0));
            drop(middle);
            outer.unregister_region(at(0));
            drop(outer);
        },
        "\
mstx: no faults; 3 heaps and 4 regions registered and unregistered, at most 8200 bytes of regions live
  heap `outer` of 4096 bytes, from <outer>: at most 4096 bytes live
  heap `middle` of 4096 bytes, from <middle>: at most 4096 bytes live
  heap `inner` of 4096 bytes, from <inner>: at most 8 bytes live
",
    );
}

/// How full a heap is, and how broken up: at its start, at its end, in between, and where nothing is free.
#[test]
fn live_heaps_as_they_stand() {
    let program = || {
        mstx_checker::install();
        let full = heap("full").register(at(0), 256);
        full.register_region(at(0), 256);
        let empty = heap("empty").register(at(0x1000), 256);
        let comb = heap("comb").register(at(0x2000), 1024);
        (0..8).for_each(|n| comb.register_region(at(0x2000 + n * 128 + 64), 64));
        let end = heap("end").register(at(0x3000), 1000);
        end.register_region(at(0x3064), 200);
        core::mem::forget((full, empty, comb, end));
    };
    let Some(run) = run("live_heaps_as_they_stand", program) else { return };
    let lines: Vec<_> = run.stderr.lines().filter(|line| line.contains(" bytes live in ")).collect();
    let expected = [
        "    heap `comb` at 0x70002000: 512 of 1024 bytes live in 8 regions, 512 free, at most 64 in one piece (fragmentation 87 %)",
        "    heap `full` at 0x70000000: 256 of 256 bytes live in 1 region, none free",
        "    heap `end` at 0x70003000: 200 of 1000 bytes live in 1 region, 800 free, at most 700 in one piece (fragmentation 12 %)",
        "    heap `empty` at 0x70001000: 0 of 256 bytes live in 0 regions, 256 free, at most 256 in one piece (fragmentation 0 %)",
    ];
    assert_eq!(lines, expected, "{}", run.stderr);
}

/// Where a call has nothing live any more, it does not matter where that was.
#[test]
fn a_call_may_move_to_another_heap() {
    let program = || {
        mstx_checker::install();
        for (name, start) in [("slab", at(0)), ("other", at(0x1000))] {
            let heap = heap(name).register(start, 4096);
            heap.register_region(start, 64);
            if name == "slab" {
                heap.unregister_region(start);
            } else {
                core::mem::forget(heap);
            }
        }
    };
    let Some(run) = run("a_call_may_move_to_another_heap", program) else { return };
    assert!(run.stderr.contains("    1 region, 64 bytes, in heap `other`\n"), "{}", run.stderr);
}

#[test]
fn heaps_change_their_size() {
    let program = || {
        mstx_checker::install();
        let slab = heap("slab").register(at(0), 4096);
        slab.resize(8192);
        slab.resize(1024);
        core::mem::forget(slab);
    };
    let Some(run) = run("heaps_change_their_size", program) else { return };
    assert!(run.stderr.contains("  heaps: 1 registered, 0 unregistered, at most 8192 bytes live\n"), "{}", run.stderr);
    assert!(run.stderr.contains("    1 heap, 1024 bytes, named `slab`\n"), "{}", run.stderr);
}

#[test]
fn faults_are_counted_by_kind() {
    assert_summary(
        "faults_are_counted_by_kind",
        || {
            mstx_checker::install();
            let slab = named!(slab: Heap::register(&POOL, at(0), 4096));
            for _ in 0..3 {
                named!(many: slab.register_region(at(4090), 64));
            }
            slab.register_region(at(8192), 64);
            slab.register_region(at(0), 0);
        },
        "\
mstx: 5 faults
     4 x MSTX01 region lies outside its heap
           3 of them at <many>
     1 x MSTX19 size of zero, or none
  heaps: 1 registered, 1 unregistered, at most 4096 bytes live
  regions: 0 registered, 0 unregistered, at most 0 bytes live
  heap `pool` of 4096 bytes, from <slab>: at most 0 bytes live
",
    );
}

/// Of many calls only the largest are listed; a summary that long goes out in several writes.
#[test]
#[rustfmt::skip]
fn many_calls() {
    let program = || {
        mstx_checker::install();
        let s = heap("slab").register(at(0), 4096);
        s.register_region(at(0), 1); s.register_region(at(1), 1); s.register_region(at(2), 1);
        s.register_region(at(3), 1); s.register_region(at(4), 1); s.register_region(at(5), 1);
        s.register_region(at(6), 1); s.register_region(at(7), 1); s.register_region(at(8), 1);
        s.register_region(at(9), 1); s.register_region(at(10), 1); s.register_region(at(11), 1);
        s.register_region(at(12), 1); s.register_region(at(13), 1); s.register_region(at(14), 1);
        s.register_region(at(15), 1); s.register_region(at(16), 1); s.register_region(at(17), 1);
        s.register_region(at(18), 1); s.register_region(at(19), 1); s.register_region(at(20), 1);
        named!(large: s.register_region(at(21), 64));
        core::mem::forget(s);
    };
    let Some(run) = run("many_calls", program) else { return };
    let (_, listed) = run.summary().split_once("  still live at exit: 22 regions, 85 bytes\n").expect("they are listed");
    assert!(listed.starts_with("    1 region, 64 bytes, in heap `slab`\n      --> <large>\n"), "{listed}");
    assert_eq!(listed.matches("      --> ").count(), 20);
    assert!(listed.ends_with("    and those of 2 other calls\n"), "{listed}");
}
