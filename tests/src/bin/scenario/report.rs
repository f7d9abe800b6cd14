//! What a scenario prints for its test.

use mstx::{Fault, Origin};
use std::sync::{Mutex, PoisonError};

/// Names of lines, so that tests need not know line numbers.
static LABELS: Mutex<Vec<(&str, u32, &str)>> = Mutex::new(Vec::new());

/// Makes a call, and gives its line a name.
macro_rules! at {
    ($label:literal, $call:expr) => {{
        $crate::report::label(file!(), line!(), $label);
        $call
    }};
}

/// Gives a line a name.
pub(crate) fn label(file: &'static str, line: u32, label: &'static str) {
    LABELS.lock().unwrap_or_else(PoisonError::into_inner).push((file, line, label));
}

/// `take@first`: the annotated function, and the line that called it.
fn shown(origin: Origin) -> String {
    let labels = LABELS.lock().unwrap_or_else(PoisonError::into_inner);
    let caller = origin.caller();
    let label = labels.iter().find(|(file, line, _)| (*file, *line) == (caller.file(), caller.line()));
    let label = label.map_or_else(|| caller.to_string(), |(_, _, label)| (*label).to_owned());
    format!("{}@{label}", origin.site().function())
}

/// `RegionOverlap 0x10010+16 in 0x10000: take@second; take@first`: what is wrong, about what, in which heap, at the fault of
/// whom; and the event that it contradicts.
fn fault(fault: &Fault) -> String {
    let mut text = format!("{:?} {:#x}", fault.kind(), fault.address());
    if fault.size() != 0 {
        text += &format!("+{}", fault.size());
    }
    if let Some(heap) = fault.heap() {
        text += &format!(" in {:#x}", heap.start());
    }
    text += &format!(": {}", shown(fault.origin()));
    if let Some(other) = fault.other() {
        text += &format!("; {}", shown(other));
    }
    text
}

/// Prints a line for each fault.
pub(crate) fn faults() {
    for found in mstx::faults() {
        println!("{}", fault(&found));
    }
}
