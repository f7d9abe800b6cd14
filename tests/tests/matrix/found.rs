//! What came of a program, in a few words.

use crate::cells::{Cell, Tool};
use crate::expected::BEFORE;
use mstx_tests::Output;

/// What a tool says of a program.
pub(crate) struct Found {
    /// Its finding; empty if there is none.
    pub(crate) says: String,
    /// What is wrong with how it says it.
    pub(crate) complaints: Vec<String>,
    pub(crate) output: String,
}

/// What follows `start` in the lines that have it.
fn after<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.split_once(start).map(|(_, rest)| rest)).collect()
}

/// The runtime's own findings, which are there under every tool.
fn faults(stderr: &str) -> String {
    let said = after(stderr, "mstx: fault[MSTX").into_iter().filter_map(|rest| rest.split_once("]: "));
    said.map(|(_, fault)| fault).collect::<Vec<_>>().join("; ")
}

/// `Invalid write of size 1: 0 bytes after a block of size 100 alloc'd`
fn valgrind(stderr: &str) -> String {
    let mut says: Vec<String> = Vec::new();
    for line in stderr.lines().filter_map(|line| line.strip_prefix("==")?.split_once("== ").map(|(_, line)| line)) {
        if line.starts_with(char::is_alphabetic) || line.contains(" lost in loss record") {
            says.push(line.to_owned());
        } else if let Some((_, place)) = line.split_once(" is ").filter(|_| line.starts_with(" Address")) {
            // Which heap it is in it does not know.
            let named = !place.contains("arena \"client\"") && !place.contains("segment");
            if let (Some(last), true) = (says.last_mut(), named) {
                let sides = ["1 bytes before a block of size 100 ", "11 bytes after a block of size 100 "];
                let is_between = last == "Invalid write of size 1" && sides.iter().any(|side| place.starts_with(side));
                *last = if is_between { BEFORE.to_owned() } else { format!("{last}: {place}") };
            }
        }
    }
    says.join("; ")
}

/// `use-after-poison: WRITE of 1 byte is 0 bytes after a region of 100 bytes`
fn address_sanitizer(stderr: &str) -> String {
    let errors = after(stderr, "ERROR: AddressSanitizer: ").into_iter().chain(after(stderr, "ERROR: LeakSanitizer: "));
    let mut says: Vec<String> =
        errors.map(|error| error.split(" on ").next().unwrap_or(error).trim_end_matches(' ').to_owned()).collect();
    let in_terms_of_regions = ["READ", "WRITE"].into_iter().flat_map(|kind| {
        let of_kind = after(stderr, &format!("mstx: {kind}"));
        of_kind.into_iter().map(move |rest| format!("{kind}{}", rest.split(", in heap").next().unwrap_or(rest)))
    });
    says.extend(in_terms_of_regions);
    says.join(": ")
}

impl Found {
    pub(crate) fn read(cell: Cell, output: &Output) -> Found {
        let stderr = &output.stderr;
        let says = match cell.tool {
            Tool::Checker => faults(stderr),
            Tool::Valgrind => valgrind(stderr),
            Tool::AddressSanitizer => address_sanitizer(stderr),
        };
        let mut complaints = Vec::new();
        let mut must = |holds: bool, what: &str| {
            if !holds {
                complaints.push(what.to_owned());
            }
        };
        let access = !says.is_empty() && cell.tool != Tool::Checker;
        let code = output.status.code();
        match cell.tool {
            Tool::Valgrind => must(code == Some(if access { 77 } else { 0 }), "the status is wrong"),
            Tool::AddressSanitizer => must((code == Some(0)) != access, "the status is wrong"),
            Tool::Checker => must(code == Some(0), "the status is wrong"),
        }
        // Where it happened, and where the block came from.
        let line = output.stdout.lines().find_map(|line| line.strip_prefix('@'));
        let has_lines = stderr.contains("user.rs:");
        if let Some(line) = line.filter(|_| !says.is_empty() && has_lines) {
            must(stderr.contains(&format!("user.rs:{line}")), "it does not name the program's line");
        }
        if access && cell.tool == Tool::AddressSanitizer {
            must(stderr.contains("note: the region was registered here\n  --> "), "it does not name the region");
            let is_released = stderr.contains("inside a released region");
            must(stderr.contains("note: it was released here\n  --> ") == is_released, "it does not name the release");
        }
        // What the books find they find under every tool.
        let kinds = faults(stderr);
        must(kinds.is_empty() != crate::expected::is_fault(cell.mistake()), "the books say something else than without a tool");
        Found { says, complaints, output: format!("{output:?}") }
    }
}
