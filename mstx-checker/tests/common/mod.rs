//! Programs that run in processes of their own: the test binary calls itself.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::fmt::Write as _;
use std::process::Command;

use mstx_runtime::{BUILD, Build, HeapOptions, domain};

/// Says in the child which test's program it is to run.
const PROGRAM: &str = "MSTX_CHECKER_TEST";

domain!(pub(crate) static POOL = "pool");

/// Where the tests' memory is: nobody touches it, so it need not be there.
pub(crate) const BASE: usize = 0x7000_0000;

/// An address in the tests' memory.
pub(crate) const fn at(offset: usize) -> *const u8 {
    core::ptr::without_provenance(BASE + offset)
}

/// A heap of a device, of this name.
pub(crate) fn heap(name: &str) -> HeapOptions<'_> {
    mstx_runtime::Heap::options().domain(&POOL).device(0).name(name)
}

/// Evaluates an expression in a program, and names its line: `<name>` stands for it in what the program has written.
#[macro_export]
macro_rules! named {
    ($name:ident: $call:expr) => {{
        println!("@{}={}:{}", stringify!($name), file!(), line!());
        $call
    }};
}

/// What became of a program.
#[derive(Debug)]
pub(crate) struct Run {
    /// Its exit status; `None` after a signal.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    /// What it wrote on the error stream, with call sites by their names.
    pub(crate) stderr: String,
}

impl Run {
    /// The last report: the summary.
    pub(crate) fn summary(&self) -> &str {
        let start = self.stderr.rfind("mstx: ").expect("there is a summary");
        &self.stderr[start..]
    }
}

/// Runs the program of a test, which gives the test's own name. `None` in the child, once the program has run, and where
/// reporting is switched off.
#[must_use]
pub(crate) fn run(test: &str, program: fn()) -> Option<Run> {
    run_with(test, None, program)
}

/// The same, with `MSTX_CHECK` set.
#[must_use]
pub(crate) fn run_with(test: &str, check: Option<&str>, program: fn()) -> Option<Run> {
    if BUILD != Build::On {
        return None;
    }
    if std::env::var_os(PROGRAM).is_some() {
        program();
        return None;
    }
    let mut child = Command::new(std::env::current_exe().expect("a test binary knows its path"));
    child.args([test, "--exact", "--nocapture"]).env(PROGRAM, test);
    for variable in ["MSTX_CHECK", "MSTX_DOMAINS", "MSTX_INJECTION_PATH"] {
        child.env_remove(variable);
    }
    child.envs(check.map(|check| ("MSTX_CHECK", check)));
    let output = child.output().expect("the test binary starts");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = with_names(&String::from_utf8_lossy(&output.stderr), &stdout);
    Some(Run { status: output.status.code(), stdout, stderr })
}

/// Checks the first reports of a program, to the letter.
#[track_caller]
pub(crate) fn assert_first(test: &str, program: fn(), expected: &str) {
    let Some(run) = run_with(test, Some("1"), program) else { return };
    assert!(run.stderr.starts_with(expected), "expected:\n{expected}\nreported:\n{}", run.stderr);
    assert_eq!(run.status, Some(0), "faults do not change the exit status unless that is asked for");
}

/// Replaces call sites by the names that `named!` gave them.
fn with_names(stderr: &str, stdout: &str) -> String {
    let mut text = stderr.to_owned();
    for (name, line) in stdout.lines().filter_map(|line| line.split_once('@')?.1.split_once('=')) {
        let line = format!("{line}:");
        let mut named = String::new();
        let mut parts = text.split(&line);
        named.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let _ = write!(named, "<{name}>{}", part.trim_start_matches(|column: char| column.is_ascii_digit()));
        }
        text = named;
    }
    text
}
