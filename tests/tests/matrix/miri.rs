//! Under Miri nothing of the C library is called, and no assembly is there: reviewed by what is left of the libraries.

use crate::cells::matrix;
use std::env;
use std::path::Path;
use std::process::Command;

/// Functions that the libraries call elsewhere, and the standard library does not in their place. Miri knows hardly any of them.
const OURS: [&str; 22] = [
    "_exit",
    "atexit",
    "dladdr",
    "dlerror",
    "dlopen",
    "dlsym",
    "exit",
    "getauxval",
    "getenv",
    "getpid",
    "mmap",
    "mprotect",
    "on_exit",
    "open",
    "pthread_atfork",
    "pthread_sigmask",
    "read",
    "sigaction",
    "sigfillset",
    "syscall",
    "sysconf",
    "write",
];

#[test]
fn no_function_of_the_c_library_is_called() {
    let target = matrix().ancestors().nth(2).expect("programs are in `target/<profile>`").join("miri");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--package", "mstx-checker", "--offline", "--quiet"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")));
    command.env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", "--cfg miri -D warnings");
    command.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
    let output = command.output().expect("Cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for entry in target.join("debug/deps").read_dir().expect("the libraries were built") {
        let path = entry.expect("a library").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("libmstx_") || !name.ends_with(".rlib") {
            continue;
        }
        let output = Command::new("nm").arg("--undefined-only").arg(&path).output().expect("nm is installed");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let called = said.lines().filter_map(|line| line.trim().strip_prefix("U "));
        let ours: Vec<&str> = called.filter(|name| OURS.contains(name)).collect();
        assert!(ours.is_empty(), "{name}: {ours:?}");
        assert!(!said.is_empty(), "{name}: {output:?}");
    }
}
