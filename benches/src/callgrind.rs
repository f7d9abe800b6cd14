//! A program under Valgrind's callgrind, which counts every instruction that is executed: the counts are the same in every run.

use std::process::{Command, Stdio};
use std::{env, fs, io, process};

/// Runs it, and returns what callgrind writes. Only what `function` executes is counted, and what is called there.
///
/// # Errors
///
/// If there is no Valgrind, or the program fails.
pub fn count(program: &Command, function: &str) -> io::Result<String> {
    let out = env::temp_dir().join(format!("mstx-callgrind-{}", process::id()));
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--collect-atstart=no"]).arg(format!("--toggle-collect={function}"));
    valgrind.args(["--compress-strings=no", "--compress-pos=no"]).arg(format!("--callgrind-out-file={}", out.display()));
    valgrind.arg(program.get_program()).args(program.get_args()).stdin(Stdio::null());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => valgrind.env(name, value),
            None => valgrind.env_remove(name),
        };
    }
    let output = valgrind.output().map_err(|error| io::Error::other(format!("valgrind is needed: {error}")))?;
    let text = fs::read_to_string(&out);
    // Where there is none, the last line says so.
    let _ = fs::remove_file(&out);
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    text
}

/// All instructions that were counted.
///
/// # Errors
///
/// If the text has no such line, or nothing was counted.
pub fn total(text: &str) -> io::Result<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let total = line.and_then(|total| total.trim().parse().ok()).filter(|&total| total > 0);
    total.ok_or_else(|| io::Error::other("callgrind has counted nothing"))
}
