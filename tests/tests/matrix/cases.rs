//! Right programs under tools that see accesses: none of them says anything. Some are faults that users of comparable tools met.

use crate::cells::{Tools, matrix};
use mstx_tests::{Output, Run, valgrind, with_address_sanitizer};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program under Valgrind, with AddressSanitizer, and with protected pages.
pub(crate) fn under_all(program: &Path, sanitized: Option<&PathBuf>, check: &str) -> Vec<Run> {
    let plain = Run::new(program).env("MSTX_CHECK", format!("guard=1,{check}"));
    // Of a handle that the standard library keeps for each thread it says that it is "possibly lost".
    let runs = [valgrind(program, &["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]), sanitized.map(Run::new)]
        .into_iter()
        .flatten();
    let runs = runs.map(|run| run.env("MSTX_CHECK", check)).chain([plain]);
    runs.map(|run| run.limit(Duration::from_secs(120))).collect()
}

/// No tool has said anything.
#[track_caller]
pub(crate) fn assert_silent(output: &Output) {
    assert!(output.status.success(), "{output:?}");
    for said in ["==", "mstx: READ", "mstx: WRITE", "mstx: ACCESS"] {
        // That a process ends while a thread is in the allocator's code is what Valgrind says in these lines, and no error.
        let is_warning = |line: &&str| {
            [
                "exiting thread has error reporting disabled",
                "possibly as a result of some mistake",
                "VALGRIND_DISABLE_ERROR_REPORTING",
            ]
            .iter()
            .any(|text| line.contains(text))
        };
        assert!(!output.stderr.lines().filter(|line| !is_warning(line)).any(|line| line.contains(said)), "{output:?}");
    }
}

#[test]
fn heaps_and_regions_in_no_order() {
    let tools = Tools::new();
    for seed in ["1", "2", "3"] {
        for check in ["1", "uninit=0,strict=1"] {
            for run in under_all(matrix(), tools.sanitized.as_ref(), check) {
                let output = run.arg("random").arg(seed).output();
                assert_silent(&output);
                assert!(output.stderr.contains("mstx: no faults"), "{output:?}");
            }
        }
    }
}

#[test]
fn unusual_lives() {
    let tools = Tools::new();
    for name in ["remap", "fork", "exit", "threads", "late", "resize", "reserved"] {
        for run in under_all(matrix(), tools.sanitized.as_ref(), "1") {
            // What asks for the checker would install it at once.
            let run = if name == "late" { run.with(|command| _ = command.env_remove("MSTX_CHECK")) } else { run };
            assert_silent(&run.arg("lives").arg(name).output());
        }
    }
}

#[test]
fn right_pools_without_anything_asked_for() {
    let tools = Tools::new();
    for pool in crate::cells::POOLS {
        for run in under_all(matrix(), tools.sanitized.as_ref(), "1") {
            assert_silent(&run.arg(pool).arg("none").output());
        }
    }
}

#[test]
fn faults_that_users_met() {
    let program = Path::new(env!("CARGO_BIN_EXE_scenario"));
    let folder = with_address_sanitizer(&["--package", "mstx-tests", "--bin", "scenario"]);
    let sanitized = folder.map(|folder| folder.join("scenario"));
    // Headers and padding, blocks of no bytes, devices' memory, links in free blocks. (For a heap whose address comes back: `remap`.)
    for case in ["c11", "c13", "c17", "c45"] {
        for run in under_all(program, sanitized.as_ref(), "1") {
            // One of them never gives its pool back.
            let run = run.env("ASAN_OPTIONS", "detect_leaks=0");
            let output = run.arg(format!("cases::{case}")).output();
            let leaks = output.stderr.contains("loss record") && !output.stderr.contains("Invalid");
            if !leaks {
                assert_silent(&output);
            }
        }
    }
}
