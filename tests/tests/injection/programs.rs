//! The library, and how programs are built and run.

use mstx_tests::{Output, Run, scratch};
use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

/// How a tool gets into a process.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Path,
    Preload,
}

/// Both.
pub(crate) const WAYS: [Way; 2] = [Way::Path, Way::Preload];

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}

/// Builds the library with these further arguments, into a target folder that the tests share. Returns the folder that it is in.
pub(crate) fn build(arguments: &[&str]) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nested/target");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--package", "mstx-checker-injection", "--offline", "--quiet"]).args(arguments);
    command.current_dir(root()).env("CARGO_TARGET_DIR", &target);
    let output = command.output().expect("Cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join(if arguments.contains(&"--release") { "release" } else { "debug" })
}

/// The library.
pub(crate) fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| build(&[]).join("libmstx_checker.so"))
}

/// Whether a test that lacks a program fails: where tests are run for a decision.
fn must_be_there(what: &str) {
    assert!(env::var_os("CI").is_none(), "{what} is not installed, and `CI` is set");
    println!("skipped: {what} is not installed");
}

/// Whether there is such a program.
pub(crate) fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        must_be_there(program);
    }
    there
}

/// Compiles `tests/c/<source>.c`; `None` where there is no C compiler. `more`: further arguments.
pub(crate) fn compile(source: &str, more: &[&str]) -> Option<PathBuf> {
    static BUILT: Mutex<Option<HashMap<String, PathBuf>>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let built = built.get_or_insert_default();
    let name = format!("{source}{}", more.join("").replace('/', "-"));
    if let Some(known) = built.get(&name) {
        return Some(known.clone());
    }
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    if !has(&compiler) {
        return None;
    }
    // A folder of its own: a library keeps its name.
    let folder = scratch().join(&name);
    fs::create_dir_all(&folder).expect("the target folder can be written to");
    let file = folder.join(if more.contains(&"-shared") { format!("lib{source}.so") } else { source.to_owned() });
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-g", "-Wall", "-Wextra", "-Werror"]).args(more);
    command.arg("-o").arg(&file).arg(format!("tests/c/{source}.c")).args(["-ldl", "-pthread"]);
    let output = command.current_dir(root()).output().expect("the compiler was there just now");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    built.insert(name, file.clone());
    Some(file)
}

/// Lets the checker into a program. Its source files are in the working directory, so that they are named by short paths.
pub(crate) fn let_in(way: Way, run: Run) -> Run {
    let variable = match way {
        Way::Path => "MSTX_INJECTION_PATH",
        Way::Preload => "LD_PRELOAD",
    };
    run.env(variable, library()).with(|command| {
        command.current_dir(root());
    })
}

/// Runs what a C program does under a name, with the checker in it.
pub(crate) fn run(way: Way, program: &Path, what: &str) -> Output {
    let_in(way, Run::new(program).arg(what)).output()
}
