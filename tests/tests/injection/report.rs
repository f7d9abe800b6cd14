//! What the checker says.

use mstx_tests::Output;

/// A fault, as it was shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shown<'a> {
    /// What it is called: `MSTX05`.
    pub(crate) code: &'a str,
    /// The places that were named, first that of the fault itself: `file:line`, or a file with an offset.
    pub(crate) places: Vec<&'a str>,
    /// The functions that were named, in the same order.
    pub(crate) functions: Vec<&'a str>,
}

const FAULT: &str = "mstx: fault[";

/// The faults that were shown.
pub(crate) fn faults(output: &Output) -> Vec<Shown<'_>> {
    let mut faults = Vec::new();
    for block in output.stderr.split("\n\n") {
        let mut lines = block.lines().skip_while(|line| !line.starts_with(FAULT));
        let Some((code, _)) = lines.next().and_then(|line| line.strip_prefix(FAULT)?.split_once("]: ")) else { continue };
        let mut shown = Shown { code, places: Vec::new(), functions: Vec::new() };
        for line in lines {
            if let Some((_, place)) = line.split_once("--> ") {
                shown.places.push(place);
            }
            if let Some((_, function)) = line.split_once("= in `") {
                shown.functions.push(function.trim_end_matches('`'));
            }
        }
        faults.push(shown);
    }
    faults
}

/// Asserts that nothing was found, and nothing said but that, and how much each pool held.
#[track_caller]
pub(crate) fn assert_silent(output: &Output) {
    assert!(output.status.success(), "{output:?}");
    let mut lines = output.stderr.lines();
    let first = lines.next().unwrap_or_default();
    assert!(first.starts_with("mstx: no faults; ") && first.contains(" registered and unregistered"), "{output:?}");
    assert!(lines.all(|line| line.starts_with("  ") && line.contains("at most ")), "{output:?}");
}
