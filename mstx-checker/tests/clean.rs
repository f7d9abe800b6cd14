//! Assertions for tests of pools.

mod common;

use common::{POOL, at, heap, run};
use mstx_checker::{Options, assert_clean, assert_clean_in, clean, clean_in, install, install_with};
use mstx_runtime::{AsHeap, BUILD, Build, Heap, HeapKey, domain, register_region, unregister_region};

domain!(static ARENA = "arena");

/// Runs a program whose assertions must hold.
#[track_caller]
fn assert_holds(test: &str, program: fn()) {
    let Some(run) = run(test, program) else { return };
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
}

#[test]
fn where_reporting_is_off_all_is_clean() {
    if BUILD != Build::On {
        assert_clean();
        assert_clean_in(&at(0));
    }
}

#[test]
fn nobody_listens() {
    assert_holds("nobody_listens", || {
        for unclean in [clean().expect_err("it is not clean"), clean_in(&at(0)).expect_err("it is not clean")] {
            assert_eq!((unclean.faults(), unclean.heaps(), unclean.regions()), (0, 0, 0));
            assert!(unclean.to_string().contains("the checker does not listen: call `install()`"), "{unclean}");
        }
    });
}

#[test]
fn the_whole_program() {
    assert_holds("the_whole_program", || {
        install();
        assert_clean();
        let slab = heap("slab").register(at(0), 4096);
        slab.register_region(at(64), 64);
        register_region(&ARENA, at(0x10_0000), 32);
        let unclean = clean().expect_err("it is not clean");
        assert_eq!((unclean.faults(), unclean.heaps(), unclean.regions()), (0, 1, 2));
        let report = unclean.to_string();
        assert!(report.starts_with("not clean: 0 faults, 1 live heap, 2 live regions\n"), "{report}");
        assert!(
            report.contains("live heap: 4096 bytes at 0x70000000, named `slab`\n  --> mstx-checker/tests/clean.rs:"),
            "{report}"
        );
        assert!(report.contains("live region: 64 bytes at slab+0x40\n"), "{report}");
        assert!(report.contains("live region: 32 bytes at 0x70100000\n"), "{report}");
        slab.unregister_region(at(64));
        unregister_region(&ARENA, at(0x10_0000));
        drop(slab);
        assert_clean();

        register_region(&POOL, core::ptr::null::<u8>(), 64);
        let unclean = clean().expect_err("it is not clean");
        assert_eq!((unclean.faults(), unclean.heaps(), unclean.regions()), (1, 0, 0));
        assert!(unclean.to_string().contains("\nmstx: fault[MSTX18]: null address\n"), "{unclean}");
    });
}

/// Other pools do not matter, nor does an earlier one in the same place.
#[test]
fn one_pool_of_several() {
    assert_holds("one_pool_of_several", || {
        install();
        let earlier = heap("earlier").register(at(0), 4096);
        earlier.unregister_region(at(8));
        assert_eq!(clean_in(&earlier).expect_err("it is not clean").faults(), 1);
        drop(earlier);

        let one = heap("one").register(at(0), 4096);
        let other = heap("other").register(at(0x1000), 4096);
        other.register_region(at(0x1000), 64);
        assert_clean_in(&one);
        assert_clean_in(&at(0));
        assert_clean_in(&HeapKey::at(at(0x800).addr()));
        assert_eq!(clean_in(&other).expect_err("it is not clean").regions(), 1);

        one.register_region(at(0), 64);
        one.unregister_region(at(0));
        one.unregister_region(at(0));
        let unclean = clean_in(&one).expect_err("it is not clean");
        assert_eq!((unclean.faults(), unclean.heaps(), unclean.regions()), (1, 0, 0));
        let report = unclean.to_string();
        assert!(report.contains("fault[MSTX05]") && !report.contains("fault[MSTX04]"), "{report}");

        // A heap that grows stays the same.
        other.unregister_region(at(0x1000));
        other.resize(8192);
        assert_clean_in(&other);
        other.register_region(at(0x2f80), 64);
        other.unregister_region(at(0x2f81));
        other.unregister_region(at(0x2f80));
        assert_eq!(clean_in(&other).expect_err("it is not clean").faults(), 1);
    });
}

#[test]
fn a_pool_that_stands_for_its_heap() {
    struct Pool(*const u8);

    impl AsHeap for Pool {
        fn as_heap(&self) -> HeapKey {
            self.0.into()
        }
    }

    assert_holds("a_pool_that_stands_for_its_heap", || {
        install();
        let heap = heap("slab").register(at(0), 4096);
        let pool = Pool(at(0));
        assert_clean_in(&pool);
        heap.register_region(at(0), 64);
        assert_eq!(clean_in(&pool).expect_err("it is not clean").regions(), 1);
        heap.reset();
        assert_clean_in(&pool);
        drop(heap);
        let unclean = clean_in(&pool).expect_err("it is not clean");
        assert!(unclean.to_string().contains("no heap is live here"), "{unclean}");
    });
}

/// An arena at the very start of another pool.
#[test]
fn heaps_at_one_address() {
    assert_holds("heaps_at_one_address", || {
        install();
        let outer = heap("outer").register(at(0), 4096);
        outer.register_region(at(0), 1024);
        let inner = Heap::options().domain(&ARENA).device(0).register(at(0), 1024);
        assert_clean_in(&inner);
        assert_eq!(clean_in(&outer).expect_err("it is not clean").regions(), 1);
        inner.register_region(at(0), 8);
        assert_eq!(clean_in(&inner).expect_err("it is not clean").regions(), 1);
        let unclean = clean_in(&at(0)).expect_err("it is not clean");
        assert!(unclean.to_string().contains("name the one that is meant by its guard"), "{unclean}");
        drop(inner);
        outer.unregister_region(at(0));
    });
}

#[test]
fn deferred_regions_count() {
    assert_holds("deferred_regions_count", || {
        install();
        let slab = heap("slab").deferred().register(at(0), 4096);
        (0..100).for_each(|n| slab.register_region(at(n * 8), 8));
        assert_eq!(clean_in(&slab).expect_err("it is not clean").regions(), 100);
        let report = clean_in(&slab).expect_err("it is not clean").to_string();
        assert_eq!(report.matches("live region: 8 bytes").count(), 20, "{report}");
        assert!(report.ends_with("\nand 80 more of them"), "{report}");
        (0..100).for_each(|n| slab.unregister_region(at(n * 8)));
        assert_clean_in(&slab);
    });
}

#[test]
fn what_is_suppressed_is_clean() {
    assert_holds("what_is_suppressed_is_clean", || {
        install_with(Options::new().suppressions("MSTX18 *\nleak */clean.rs"));
        let slab = heap("slab").register(at(0), 4096);
        slab.register_region(at(0), 64);
        register_region(&POOL, core::ptr::null::<u8>(), 64);
        assert_clean();
        assert_clean_in(&slab);
        slab.reset();
    });
}

#[test]
fn it_panics_where_it_is_asked() {
    let program = || {
        install();
        let slab = heap("slab").register(at(0), 4096);
        slab.register_region(at(0), 64);
        named!(asked: assert_clean_in(&slab));
    };
    let Some(run) = run("it_panics_where_it_is_asked", program) else { return };
    assert_eq!(run.status, Some(101), "{}", run.stderr);
    assert!(run.stderr.contains(" panicked at <asked>:\nnot clean: 0 faults, 0 live heaps, 1 live region\n"), "{}", run.stderr);
}
