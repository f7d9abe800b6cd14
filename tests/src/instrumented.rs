//! Programs under tools that see accesses.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::Run;
use crate::run::program;

/// Whether a test that lacks a tool fails: where tests are run for a decision.
fn must_be_there(what: &str) {
    assert!(env::var_os("CI").is_none(), "{what}, and `CI` is set");
    println!("skipped: {what}");
}

/// Valgrind, with this program and some more options; `None` where it is not installed.
#[must_use]
pub fn valgrind(program: &Path, more: &[&str]) -> Option<Run> {
    let found = Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        must_be_there("valgrind is not installed");
        return None;
    }
    // The checker and the runtime are in the stacks of allocations: with the usual 12 callers the program's own line is cut off.
    let options = ["--quiet", "--leak-check=full", "--num-callers=40", "--error-exitcode=77"];
    let options = options.iter().chain(more);
    Some(options.fold(Run::new("valgrind"), |run, option| run.arg(option)).arg(program))
}

/// Builds programs of the workspace with AddressSanitizer, and returns the folder that they are in; `None` where this compiler has
/// none. `what`: the arguments for Cargo that say which programs.
///
/// # Panics
///
/// If the programs do not compile.
#[must_use]
pub fn with_address_sanitizer(what: &[&str]) -> Option<PathBuf> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let host = match env::consts::ARCH {
        "x86_64" => "x86_64-unknown-linux-gnu",
        "aarch64" => "aarch64-unknown-linux-gnu",
        _ => {
            must_be_there("there is no AddressSanitizer for this machine");
            return None;
        }
    };
    let target = program().ancestors().nth(3).expect("test programs are in `target/<profile>/deps`").join("asan");
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // The sanitizer is unstable, and without `--target` procedural macros would be built with it, too.
        command
            .args(arguments)
            .args(["--target", host, "--offline", "--quiet"])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")));
        command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address").env("CARGO_TARGET_DIR", &target);
        command.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
        command.output().expect("Cargo can be run")
    };
    let output = cargo(&[&["build"], what].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success()
        && (said.contains("-Zsanitizer") || said.contains("sanitizer is not supported") || said.contains("_asan"))
    {
        must_be_there("this compiler has no AddressSanitizer");
        return None;
    }
    assert!(output.status.success(), "{said}");
    Some(target.join(host).join("debug"))
}
