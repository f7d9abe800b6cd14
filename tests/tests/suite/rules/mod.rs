//! What the tool is told, and when.

mod batches;
mod calls_in_calls;
mod heaps;
mod nested;
mod regions;
mod resize;

use crate::{assert_told, under};

/// Runs a scenario with marks in it, and asserts memory calls and marks.
#[track_caller]
fn assert_told_around_marks(name: &str, expected: &[&str]) {
    let output = under("full", name);
    output.assert_clean();
    let mut memory = output.memory().into_iter();
    let events = output.events().filter_map(|event| match event.strip_prefix("mark message=") {
        Some(mark) => mark.split('"').nth(1).map(|mark| format!("mark {mark}")),
        None => ["heap_", "regions_"].iter().any(|start| event.starts_with(start)).then(|| memory.next())?,
    });
    let events: Vec<String> = events.collect();
    assert_eq!(events, expected, "{output:?}");
}

const HEAP: &str = "heap 0x10000+4096";
const END: &str = "end 0x10000+4096";
