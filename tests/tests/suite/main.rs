//! Process-level tests: programs with annotated pools, run under stub tools or none.
//!
//! | module | |
//! |---|---|
//! | `cases` | faults that users of comparable tools met |
//! | `faults` | wrong orders of calls |
//! | `features` | what needs user crates of its own: features, lints, plug-ins |
//! | `examples` | the examples, under every tool |
//! | `marks` | marks and ranges |
//! | `miri` | what is there under Miri |
//! | `off` | every combination of the features that switch reporting on and off |
//! | `process` | beginnings, ends and forks; where the tool comes from |
//! | `readme` | a new crate, made by following the README |
//! | `rules` | what the tool is told, and when |
//! | `soak` | many events from several threads |
//! | `tools` | tools of every kind |
#![cfg(target_os = "linux")]

mod cases;
mod examples;
mod faults;
mod features;
mod marks;
mod miri;
mod nested;
mod off;
mod process;
mod readme;
mod rules;
mod soak;
mod tools;

use mstx_tests::{Output, Run};

/// Tools that implement the memory functions, and keep books that can be compared.
const TEMPERS: [&str; 6] = ["full", "pointer-only", "handle-only", "msan", "atb", "pta"];

/// The program with the scenarios.
const SCENARIO: &str = env!("CARGO_BIN_EXE_scenario");

/// A scenario, about to be run.
fn scenario(name: &str) -> Run {
    Run::new(SCENARIO).arg(name)
}

/// Runs a scenario under a stub tool.
fn under(tool: &str, name: &str) -> Output {
    scenario(name).tool(tool).output()
}

/// Runs a scenario that is all right under each tool, and asserts what each is told.
#[track_caller]
fn assert_told(name: &str, memory: &[&str]) {
    let full = under("full", name);
    full.assert_memory(memory);
    for tool in TEMPERS {
        let output = if tool == "full" { &full } else { &under(tool, name) };
        output.assert_clean();
        output.assert_open(&[]);
        assert_eq!(output.memory().len(), memory.len(), "{output:?}");
    }
}
