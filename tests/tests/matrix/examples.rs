//! The examples under tools that see accesses: their mistakes are found where they are made, and what is right is let be.

use crate::cells::matrix;
use mstx_tests::page::{block, lines};
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

/// An example under Valgrind, if it is there.
fn under_valgrind(name: &str) -> Option<Run> {
    valgrind(&plain().join(name), &[])
}

/// An example that was built with AddressSanitizer, if the compiler has it.
fn sanitized(name: &str) -> Option<Run> {
    let folder = with_address_sanitizer(&["--package", "mstx", "--examples", "--features", "checker"])?;
    Some(Run::new(folder.join("examples").join(name)))
}

fn under_both(name: &str) -> impl Iterator<Item = Run> {
    under_valgrind(name).into_iter().chain(sanitized(name))
}

/// The line of the quickstart that has this text.
fn line(part: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/quickstart.rs");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let having: Vec<usize> = (1..).zip(text.lines()).filter(|(_, line)| line.contains(part)).map(|(number, _)| number).collect();
    assert_eq!(having.len(), 1, "one line has {part:?}");
    format!("quickstart.rs:{}", having[0])
}

#[track_caller]
fn assert_silent(output: &Output) {
    assert!(output.status.success(), "{output:?}");
    assert!(!output.stderr.contains("==") && output.stderr.contains("mstx: no faults"), "{output:?}");
}

#[test]
fn right_examples_are_let_be() {
    for run in under_both("quickstart") {
        assert_silent(&run.arg("fixed").output());
    }
    for name in ["arena", "buddy_pool"] {
        for run in under_both(name) {
            assert_silent(&run.env("MSTX_CHECK", "1").output());
        }
    }
}

/// Valgrind says two stacks: that of the access, and that of the allocation.
#[test]
fn valgrind_finds_the_overrun_where_it_is_made() {
    let Some(run) = under_valgrind("quickstart") else { return };
    let output = run.output();
    assert_eq!(output.status.code(), Some(77), "{output:?}");
    let (_, error) = output.stderr.split_once("Invalid write of size 1").expect("it is found");
    assert!(!error.contains("Invalid"), "and nothing else: {output:?}");
    let (access, allocation) = error.split_once("is 0 bytes after a block of size 100").expect("it is the request's end");
    assert!(access.lines().nth(1).is_some_and(|top| top.contains(&line("// one mistake"))), "{output:?}");
    // The stack ends with an empty line.
    let allocation = allocation.split("== \n").next().expect("it has a first part");
    assert!(allocation.contains(&line("let request =")), "{output:?}");
    assert!(!allocation.contains(&line("let answer =")), "{output:?}");
}

/// AddressSanitizer knows the access; of the region, the checker speaks.
#[test]
fn address_sanitizer_finds_the_overrun_where_it_is_made() {
    let Some(run) = sanitized("quickstart") else { return };
    let output = run.output();
    assert!(!output.status.success(), "{output:?}");
    let access = output.stderr.split_once("AddressSanitizer: use-after-poison").expect("it is an access to poisoned memory").1;
    assert!(
        access.lines().find(|line| line.contains("#0")).is_some_and(|top| top.contains(&line("// one mistake"))),
        "{output:?}"
    );
    let region = access.split_once("0 bytes after a region of 100 bytes").expect("it is the request's end").1;
    assert!(region.contains(&format!("--> examples/{}:", line("let request ="))), "{output:?}");
    assert!(!region.contains(&line("let answer =")), "{output:?}");
}

/// The lines that a page shows are in the output, in this order. `...` stands for what it leaves out.
#[track_caller]
fn assert_shows(shown: &str, output: &Output) {
    let said = lines(&output.stderr);
    let mut rest = said.iter();
    for shown in lines(shown).iter().skip(1).filter(|line| line.trim() != "...") {
        assert!(rest.any(|line| line.trim() == shown.trim()), "`{shown}` is not in it, or not there:\n{}", said.join("\n"));
    }
}

#[test]
fn the_readme_shows_what_the_tools_say() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).expect("there is a README");
    let tools = [("$ valgrind ", under_valgrind("quickstart")), ("$ RUSTC_BOOTSTRAP=1 ", sanitized("quickstart"))];
    for (command, run) in tools {
        if let Some(run) = run {
            assert_shows(block(&readme, "console", command), &run.output());
        }
    }
}
