//! The examples under tools that see accesses: their mistakes are found where they are made, and what is right is let be.

use crate::cells::matrix;
use mstx_tests::{Output, Run, valgrind, with_address_sanitizer};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder of the examples, which are built once.
fn plain() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // Next to the test programs' folder, which holds no examples of another package: they are built here.
        let target = matrix().ancestors().nth(2).expect("programs are in `target/<profile>`").join("plain");
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["build", "--package", "mstx", "--examples", "--features", "checker", "--offline", "--quiet"]);
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR"))).env("CARGO_TARGET_DIR", &target);
        let output = command.output().expect("Cargo can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        target.join("debug/examples")
    })
}

/// An example under Valgrind, and with AddressSanitizer; those that are there.
fn under_both(name: &str) -> Vec<Run> {
    let arguments = ["--package", "mstx", "--examples", "--features", "checker"];
    let sanitized = with_address_sanitizer(&arguments).map(|folder| Run::new(folder.join("examples").join(name)));
    valgrind(&plain().join(name), &[]).into_iter().chain(sanitized).collect()
}

/// The line of an example that has this comment.
fn line(name: &str, comment: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name).with_extension("rs");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let line = text.lines().position(|line| line.ends_with(comment)).expect("the line is there") + 1;
    format!("{name}.rs:{line}")
}

#[track_caller]
fn assert_silent(output: &Output) {
    assert!(output.status.success(), "{output:?}");
    assert!(!output.stderr.contains("==") && output.stderr.contains("mstx: no faults"), "{output:?}");
}

#[test]
fn right_examples_are_let_be() {
    for name in ["quickstart", "overrun"] {
        for run in under_both(name) {
            assert_silent(&run.arg("fixed").output());
        }
    }
    for name in ["arena", "buddy_pool"] {
        for run in under_both(name) {
            assert_silent(&run.env("MSTX_CHECK", "1").output());
        }
    }
}

#[test]
fn the_overrun_is_found_where_it_is_made() {
    let (overrun, allocation) = (line("overrun", "// one too many"), line("overrun", "// the buffer"));
    for run in under_both("overrun") {
        let output = run.output();
        assert!(!output.status.success(), "{output:?}");
        assert!(output.stderr.contains(&overrun) || !output.stderr.contains("main.rs"), "the line of the access: {output:?}");
        assert!(output.stderr.contains(&allocation), "the line of the allocation: {output:?}");
    }
}
