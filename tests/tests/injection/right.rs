//! Programs that make no mistake: nothing is said but the line at the end.

use crate::programs::{WAYS, compile, run};
use crate::report::assert_silent;

/// Runs it as compiled with and without optimisation, and let in by both ways.
#[track_caller]
fn each(what: &str, printed: &[&str], summary: &str) {
    for optimised in ["-O0", "-O2"] {
        let Some(program) = compile("right", &[optimised]) else { return };
        for way in WAYS {
            let output = run(way, &program, what);
            assert_silent(&output);
            output.assert_printed(printed);
            assert!(output.stderr.contains(summary), "{way:?}: {output:?}");
        }
    }
}

#[test]
fn a_pool() {
    each("pool", &["heap 1 handles 1 tool 1"], "1 heap and 2 regions registered and unregistered, at most 300 bytes");
}

#[test]
fn the_same_places_again_and_again() {
    each("again", &[], "100 heaps and 2400 regions registered and unregistered, at most 1024 bytes");
}

#[test]
fn regions_of_no_heap() {
    // One that a heap begins around moves into it, and one that lies in a heap which ends moves out: each counts once more.
    each("loose", &[], "1 heap and 6 regions registered and unregistered, at most 256 bytes");
}

#[test]
fn the_end_of_a_heap_is_that_of_its_regions() {
    each("end", &[], "3 heaps and 6 regions registered and unregistered, at most 128 bytes");
}

#[test]
fn domains_are_told_apart() {
    each("domains", &["same 1 other 1"], "2 heaps and 2 regions registered and unregistered");
}

#[test]
fn memory_of_a_device() {
    each("device", &[], "1 heap and 1 region registered and unregistered, at most 4096 bytes");
}

#[test]
fn marks_and_ranges() {
    let Some(program) = compile("right", &["-O2"]) else { return };
    for way in WAYS {
        let output = run(way, &program, "marks");
        assert_eq!((&*output.stdout, &*output.stderr), ("ranges 1\n", "mstx: no faults; nothing was registered\n"));
    }
}

#[test]
fn running_totals_as_sizes() {
    for optimised in ["-O0", "-O2"] {
        let Some(program) = compile("right", &[optimised]) else { return };
        for way in WAYS {
            let output = run(way, &program, "totals");
            assert!(output.status.success(), "{output:?}");
            let [note, end] = output.complaints();
            assert!(note.starts_with("mstx: note: a heap of domain `totals` is said to reach into another heap"), "{output:?}");
            let expected =
                "mstx: no faults; 4 heaps and 4 regions registered and unregistered, at most 32768 bytes of regions live";
            assert_eq!(end, expected);
        }
    }
}

#[test]
fn without_the_library_nothing_happens() {
    let Some(program) = compile("right", &["-O2"]) else { return };
    let output = mstx_tests::Run::new(program).arg("pool").output();
    assert_eq!((&*output.stdout, &*output.stderr), ("heap 0 handles 0 tool 0\n", ""));
}

#[test]
fn switched_off_it_is_a_tool_that_does_nothing() {
    let Some(program) = compile("right", &["-O2"]) else { return };
    for way in WAYS {
        let run = mstx_tests::Run::new(&program).arg("pool").env("MSTX_CHECK", "0");
        let output = crate::programs::let_in(way, run).output();
        assert_eq!((&*output.stdout, &*output.stderr), ("heap 0 handles 0 tool 0\n", ""));
    }
}
