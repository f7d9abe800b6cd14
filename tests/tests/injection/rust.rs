//! A Rust program, whose runtime is a client of its own: with the library in it, nothing is said twice.

use mstx_tests::{Output, Run, valgrind};
use std::path::Path;

use crate::programs::{WAYS, let_in};

const MATRIX: &str = env!("CARGO_BIN_EXE_matrix");

fn scenario(name: &str) -> Run {
    Run::new(env!("CARGO_BIN_EXE_scenario")).arg(name)
}

/// How often a text is said.
fn count(output: &Output, text: &str) -> usize {
    output.stderr.matches(text).count()
}

#[test]
fn a_program_with_a_checker_of_its_own_says_all_there_is_to_say() {
    for way in WAYS {
        let output = let_in(way, Run::new(MATRIX).arg("bump").arg("none")).output();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(count(&output, "mstx: "), 1, "{output:?}");
    }
}

#[test]
fn accesses_are_left_to_the_program() {
    for way in WAYS {
        for pool in ["free-list", "malloc-slab"] {
            let Some(run) = valgrind(Path::new(MATRIX), &[]) else { return };
            let output = let_in(way, run.arg(pool).arg("none")).output();
            assert!(output.status.success() && count(&output, "==") == 0, "{output:?}");
        }
        let Some(run) = valgrind(Path::new(MATRIX), &[]) else { return };
        let output = let_in(way, run.arg("malloc-slab").arg("past-the-end")).output();
        assert_eq!(count(&output, "Invalid write of size 1"), 1, "{output:?}");
    }
}

#[test]
fn heaps_of_the_host_are_seen() {
    for way in WAYS {
        let output = let_in(way, scenario("heaps::devices")).output();
        let alone = scenario("heaps::devices").tool("full").output();
        let told = alone.count("heap_register");
        assert!(output.stderr.starts_with(&format!("mstx: no faults; {} heaps", told + 1)), "{told} {output:?}");
    }
}

#[test]
fn without_a_checker_of_its_own_the_program_is_checked_by_the_library() {
    for way in WAYS {
        let output = let_in(way, scenario("process::one_region")).output();
        assert!(output.status.success(), "{output:?}");
        assert!(output.stdout.contains("listens"), "{output:?}");
        let expected = "mstx: no faults; 1 heap and 1 region registered and unregistered, at most 64 bytes of regions live\n";
        assert_eq!(output.stderr, expected, "{output:?}");
    }
}

#[test]
fn faults_are_shown_once() {
    for way in WAYS {
        let output = let_in(way, scenario("faults::released_twice")).output();
        assert_eq!(count(&output, "region released twice"), 1, "by the program's own runtime: {output:?}");
        assert!(
            output.stderr.contains("= in `scenario::pool::Pool::take`"),
            "what is live is named behind the runtime: {output:?}"
        );

        let output = let_in(way, scenario("faults::released_twice").env("MSTX_CHECK", "exitcode=9")).output();
        assert_eq!(count(&output, "mstx: fault["), 1, "by the program's own checker: {output:?}");
        assert_eq!(count(&output, "heaps: "), 1, "one summary: {output:?}");
        assert_eq!(output.status.code(), Some(9), "{output:?}");
    }
}

#[test]
fn every_way_to_end_ends() {
    for name in ["tools::tour", "process::child_is_silent", "process::exit_in_another_thread", "process::after_main"] {
        for way in WAYS {
            let alone = scenario(name).output();
            let output = let_in(way, scenario(name)).output();
            assert_eq!(output.status.code(), alone.status.code(), "{output:?}");
            assert!(count(&output, "mstx: no faults") <= 1 && count(&output, "mstx: fault[") == 0, "{output:?}");
        }
    }
}
