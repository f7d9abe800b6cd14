//! Runs this program under callgrind, and reads what it writes.

use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::{env, fs, io, process};

/// What a function costs in one call.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    /// Instructions, its own and those of what it calls.
    pub(crate) instructions: u64,
    /// Calls that it makes. A jump into another function counts as one.
    pub(crate) calls: u64,
}

/// What the functions of the program have cost together.
#[derive(Default)]
pub(crate) struct Counts(HashMap<String, Cost>);

pub(crate) fn run(argument: &str) -> io::Result<Counts> {
    let program = env::current_exe()?;
    let out = env::temp_dir().join(format!("mstx-instructions-{}", process::id()));
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=instructions::counted"]);
    valgrind.args(["--compress-strings=no", "--compress-pos=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", out.display())).arg(program).arg(argument);
    // Nobody is to listen.
    valgrind.env_remove("MSTX_INJECTION_PATH").env_remove("MSTX_CHECK").stdin(Stdio::null());
    let output = valgrind.output().map_err(|error| io::Error::other(format!("valgrind is needed: {error}")))?;
    let text = fs::read_to_string(&out);
    // Where there is none, the next line says so.
    let _ = fs::remove_file(&out);
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(Counts::read(&text?))
}

impl Counts {
    /// After a line `fn=name` come lines of a position and a count: the function's own instructions. After a line `calls=times ..` the
    /// count is that of what was called.
    fn read(text: &str) -> Self {
        let mut counts = Self::default();
        let mut current = None;
        for line in text.lines() {
            let line = line.trim_end();
            if let Some(name) = line.strip_prefix("fn=") {
                current = Some(counts.0.entry(name.to_owned()).or_insert(Cost { instructions: 0, calls: 0 }));
                continue;
            }
            let Some(cost) = &mut current else { continue };
            let first_number = |text: &str| text.split(' ').next().and_then(|number| number.parse::<u64>().ok());
            if let Some(calls) = line.strip_prefix("calls=") {
                cost.calls += first_number(calls).unwrap_or(0);
            } else if let Some((position, count)) = line.split_once(' ') {
                if position.bytes().all(|byte| byte.is_ascii_digit()) {
                    cost.instructions += first_number(count).unwrap_or(0);
                }
            } else if line.is_empty() {
                current = None;
            }
        }
        counts
    }

    /// What one of `times` calls has cost.
    pub(crate) fn of(&self, function: &str, times: usize) -> io::Result<Cost> {
        let cost = self.0.get(function).ok_or_else(|| io::Error::other(format!("`{function}` was not counted")))?;
        let times = times as u64;
        if cost.instructions % times != 0 {
            return Err(io::Error::other(format!("the calls of `{function}` were not alike")));
        }
        // Callgrind also counts the calls before it was switched on, of which there was one.
        Ok(Cost { instructions: cost.instructions / times, calls: cost.calls / times })
    }
}
