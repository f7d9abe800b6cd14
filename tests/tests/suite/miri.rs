//! What a pool's author has who tests under Miri. Miri itself is not asked for here: the same code is built as Miri would have it, run, and
//! looked at for functions that Miri does not know.

use crate::nested::root;
use mstx_tests::Run;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// What the standard library calls where we use memory, threads, files and numbers. Miri knows all of it.
const KNOWN: [&str; 22] = [
    "_Unwind_Resume",
    "__errno_location",
    "__tls_get_addr",
    "bcmp",
    "calloc",
    "ceil",
    "ceilf",
    "close",
    "fcntl",
    "floor",
    "floorf",
    "free",
    "isatty",
    "malloc",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "posix_memalign",
    "realloc",
    "rust_eh_personality",
    "strlen",
];

/// The folder of what is built for Miri, without a warning: the checker's quickstart, and all that it needs.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("miri");
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["build", "--package", "mstx", "--example", "quickstart", "--features", "checker", "--offline", "--quiet"]);
        command.current_dir(root()).env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", "--cfg miri -D warnings");
        command.env("CARGO_INCREMENTAL", "0").env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
        let output = command.output().expect("Cargo can be run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        target.join("debug")
    })
}

/// The program itself asserts what the checker has found.
#[test]
fn the_checker_works() {
    for arguments in [&[][..], &["fixed"]] {
        let run = arguments.iter().fold(Run::new(folder().join("examples/quickstart")), |run, argument| run.arg(argument));
        let output = run.output();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stderr.contains("region released twice"), arguments.is_empty(), "{output:?}");
    }
}

/// No tool is loaded, or asked to load; no library is asked for a function; nothing is registered with the C library.
#[test]
fn no_function_is_called_that_miri_does_not_know() {
    let mut objects = 0;
    for file in std::fs::read_dir(folder().join("deps")).expect("it was built").flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if !name.starts_with("libmstx") || !name.ends_with(".rlib") || name.starts_with("libmstx_macros") {
            continue;
        }
        let output = Command::new("nm").arg("--undefined-only").arg(file.path()).output().expect("nm can be run");
        let symbols = String::from_utf8_lossy(&output.stdout).into_owned();
        objects += symbols.lines().filter(|line| line.ends_with(".o:")).count();
        let called = symbols.lines().filter_map(|line| line.trim().split_once(' ')).map(|(_, name)| name);
        let foreign = called.filter(|name| !name.starts_with("_R") && !name.starts_with("_ZN") && !name.contains(":"));
        let unknown: Vec<&str> = foreign.filter(|name| !KNOWN.contains(name)).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
    assert!(objects >= 3, "the crates, the runtime and the checker");
}
