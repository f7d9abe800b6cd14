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
    /// What it wrote on the error stream, with call sites by their names, and without threads.
    pub(crate) stderr: String,
    /// The lines with threads.
    pub(crate) threads: String,
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
    let mut child = child(test, program)?;
    child.envs(check.map(|check| ("MSTX_CHECK", check)));
    let output = child.output().expect("the test binary starts");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let threads = stderr.lines().filter(|line| is_thread(line)).collect();
    let stderr = with_names(&without_threads(&stderr), &stdout);
    Some(Run { status: output.status.code(), stdout, stderr, threads })
}

/// The program of a test, ready to run in a process of its own. `None` as for `run`.
fn child(test: &str, program: fn()) -> Option<Command> {
    if BUILD != Build::On {
        return None;
    }
    if std::env::var_os(PROGRAM).is_some() {
        program();
        return None;
    }
    let mut child = Command::new(std::env::current_exe().expect("a test binary knows its path"));
    child.args([test, "--exact", "--nocapture"]).env(PROGRAM, test);
    for variable in ["MSTX_CHECK", "MSTX_DOMAINS", "MSTX_INJECTION_PATH", "NO_COLOR"] {
        child.env_remove(variable);
    }
    Some(child)
}

/// Runs the program of a test with these variables, and its error stream on a terminal. Returns what was written there.
#[cfg(target_os = "linux")]
pub(crate) fn run_on_terminal(test: &str, variables: &[(&str, &str)], program: fn()) -> Option<String> {
    use std::fs::File;
    use std::io::Read as _;
    use std::os::fd::{FromRawFd as _, OwnedFd};
    use std::ptr::null_mut;

    let mut child = child(test, program)?;
    let (mut ours, mut theirs) = (-1, -1);
    // SAFETY: both numbers are written to variables that are there.
    let made = unsafe { libc::openpty(&raw mut ours, &raw mut theirs, null_mut(), null_mut(), null_mut()) };
    assert_eq!(made, 0, "a terminal can be made");
    // SAFETY: it was opened just now, and nobody else has it.
    let mut ours = unsafe { File::from_raw_fd(ours) };
    // SAFETY: so was this.
    let theirs = unsafe { OwnedFd::from_raw_fd(theirs) };
    child.envs(variables.iter().copied()).stdout(std::process::Stdio::null()).stderr(theirs);
    let mut process = child.spawn().expect("the test binary starts");
    // Our copy of their end, too.
    drop(child);
    let mut written = Vec::new();
    // Reading ends with an error once nobody has the other end.
    let _ = ours.read_to_end(&mut written);
    process.wait().expect("it ends");
    Some(String::from_utf8_lossy(&written).into_owned())
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

/// Replaces threads by `<thread>`: the system numbers them.
pub(crate) fn without_threads(text: &str) -> String {
    let without = |line: &str| if is_thread(line) { "   = <thread>\n".to_owned() } else { line.to_owned() };
    text.split_inclusive('\n').map(without).collect()
}

fn is_thread(line: &str) -> bool {
    line.starts_with("   = thread `")
}
