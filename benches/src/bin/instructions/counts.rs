//! What callgrind has counted of this program.

use std::collections::HashMap;
use std::io;

use mstx_benches::{callgrind, process};

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
    let program = process::with_nobody(&[argument.to_owned()])?;
    Ok(Counts::read(&callgrind::count(&program, "instructions::counted")?))
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
