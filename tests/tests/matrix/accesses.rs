//! Single accesses to pools that make it hard to say whose memory that is: to the byte, and where memory changes hands.

use mstx_tests::{Output, Run, valgrind, with_address_sanitizer};
use std::path::Path;

/// The program under Valgrind, and built with AddressSanitizer. Some of its pools live to the end.
fn under_both(program: &str, access: &str) -> Vec<Output> {
    let plain = valgrind(Path::new(env!("CARGO_BIN_EXE_accesses")), &["--leak-check=no"]);
    let folder = with_address_sanitizer(&["--package", "mstx-tests", "--bin", "accesses"]);
    let sanitized = folder.map(|folder| Run::new(folder.join("accesses")).env("ASAN_OPTIONS", "detect_leaks=0"));
    plain.into_iter().chain(sanitized).map(|run| run.arg(program).arg(access).output()).collect()
}

/// No tool says anything, and the books find these faults.
#[track_caller]
fn assert_let_be(program: &str, access: &str, faults: &[&str]) -> Vec<Output> {
    let outputs = under_both(program, access);
    for output in &outputs {
        assert!(output.status.success(), "{output:?}");
        assert!(!output.stderr.contains("=="), "{output:?}");
        let found: Vec<&str> = output.stdout.lines().filter(|line| !line.starts_with('@')).collect();
        assert_eq!(found, faults, "{output:?}");
    }
    outputs
}

/// The line of the program that ends with this comment, as call sites are said.
fn line(comment: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin/accesses.rs");
    let text = std::fs::read_to_string(path).expect("the program is there");
    let number = text.lines().position(|line| line.ends_with(comment)).expect("the line is there") + 1;
    format!("accesses.rs:{number}")
}

/// There is one report, of the line that the program has marked. Returns it, as each tool says it.
#[track_caller]
fn assert_found(program: &str, access: &str) -> Vec<String> {
    let outputs = under_both(program, access);
    let reports = outputs.into_iter().map(|output| {
        assert!(!output.status.success(), "{output:?}");
        let starts = output.stderr.match_indices("Invalid write").chain(output.stderr.match_indices("ERROR: AddressSanitizer"));
        let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
        let [start] = starts[..] else { unreachable!("one report: {output:?}") };
        let marked = output.stdout.lines().find_map(|line| line.strip_prefix('@')).expect("the access is marked");
        let report = output.stderr[start..].to_owned();
        assert!(report.contains(&format!("accesses.rs:{marked}")), "{output:?}");
        report
    });
    reports.collect()
}

/// It is said how far from which region the access is, and where that was registered.
#[track_caller]
fn assert_names(reports: &[String], places: [&str; 2], allocation: &str) {
    for report in reports {
        assert!(places.iter().any(|place| report.contains(place)), "{report}");
        assert!(report.contains(&line(allocation)), "{report}");
    }
}

#[test]
fn headers_and_rounding_are_not_the_users() {
    for access in ["last of 5", "last of 33", "all"] {
        assert_let_be("headers", access, &[]);
    }
    let places = ["0 bytes after a block of size 5 ", "0 bytes after a region of 5 bytes"];
    assert_names(&assert_found("headers", "behind 5"), places, "// the block of 5");
    let places = ["0 bytes after a block of size 33 ", "0 bytes after a region of 33 bytes"];
    assert_names(&assert_found("headers", "behind 33"), places, "// the block of 33");
}

#[test]
fn links_in_free_blocks_are_the_pools() {
    assert_let_be("links", "none", &[]);
    assert_let_be("links", "annotated seeding", &["UnknownRelease"; 8]);
    assert_found("links", "after the release");
}

#[test]
fn an_address_that_comes_back_is_anybodys() {
    for output in assert_let_be("pages", "none", &["RegionLeaked"; 2]) {
        assert!(output.stderr.contains("region still live at the end of its heap"), "{output:?}");
        for leak in ["// one leak", "// another leak"] {
            assert!(output.stderr.contains(&line(leak)), "{output:?}");
        }
    }
    assert_found("pages", "behind the new region");
}

#[test]
fn tools_are_asked_of_the_hosts_memory_only() {
    assert_let_be("device", "none", &[]);
    let places = ["0 bytes after a block of size 64 ", "0 bytes after a region of 64 bytes"];
    assert_names(&assert_found("device", "behind the host's block"), places, "// the host's block");
}
