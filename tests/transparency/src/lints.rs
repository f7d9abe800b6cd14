//! What the compiler and clippy say of a program.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// How often which lint fires in which line.
#[derive(Debug, Default)]
pub(crate) struct Lints(BTreeMap<(u64, String), usize>);

impl Lints {
    /// Reads the compiler's messages, one JSON object in each line.
    pub(crate) fn read(messages: &str) -> Lints {
        let mut lints = Lints::default();
        for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let spans = message["spans"].as_array().map_or(&[][..], Vec::as_slice);
            let line =
                spans.iter().filter(|span| span["is_primary"] == true).filter_map(|span| span["line_start"].as_u64()).min();
            let name = message["code"]["code"].as_str().or(message["message"].as_str()).unwrap_or_default();
            // Without a place it is a summary, unless it is an error.
            if line.is_some() || (message["level"] == "error" && !name.starts_with("aborting due to")) {
                *lints.0.entry((line.unwrap_or(0), name.to_owned())).or_default() += 1;
            }
        }
        lints
    }

    /// Those that `other` does not have.
    pub(crate) fn minus(&self, other: &Lints) -> Lints {
        let left = self.0.iter().filter_map(|(lint, count)| {
            let left = count.saturating_sub(other.0.get(lint).copied().unwrap_or(0));
            (left > 0).then(|| (lint.clone(), left))
        });
        Lints(left.collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Lints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, ((line, name), count)) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            let times = if *count == 1 { String::new() } else { format!(" ({count} times)") };
            write!(f, "{separator}{name} in line {line}{times}")?;
        }
        Ok(())
    }
}
