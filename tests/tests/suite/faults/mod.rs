//! Wrong orders of calls: the fault with both call sites, true books, and nothing for the tool that breaks a rule.
//!
//! How faults are printed: `kind address+size in heap: who; and whom it contradicts`.

mod heaps;
mod regions;

use crate::{TEMPERS, under};

/// Runs a scenario under each tool. `open`: what is live at the end.
#[track_caller]
fn assert_faults(name: &str, faults: &[&str], memory: &[&str], open: &[&str]) {
    let name = format!("faults::{name}");
    let full = under("full", &name);
    full.assert_printed(faults);
    full.assert_memory(memory);
    for tool in TEMPERS {
        let output = if tool == "full" { &full } else { &under(tool, &name) };
        output.assert_keeps_rules();
        output.assert_printed(faults);
        output.assert_open(open);
        // Nobody in the process listens: each fault is written to the standard error stream.
        let told = output.stderr.lines().filter(|line| line.starts_with("mstx: ")).count();
        assert_eq!(told, faults.len(), "{output:?}");
    }
}

const HEAP: &str = "heap 0x10000+4096";
const END: &str = "end 0x10000+4096";
const TAKEN: &str = "register 0x10100+64 in 0x10000";
const GIVEN: &str = "unregister 0x10100+64";
