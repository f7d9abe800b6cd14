//! Programs in Python.

use mstx::FaultKind;
use mstx_tests::{Output, Run};

use crate::programs::{WAYS, Way, has, let_in, root};
use crate::report::{assert_silent, faults};

const PROGRAM: &str = "tests/python/pool.py";

fn run(way: Way, what: &str) -> Option<Output> {
    has("python3").then(|| let_in(way, Run::new("python3").arg("-B").arg(PROGRAM).arg(what)).output())
}

/// The line of the program that ends so, as reports name it.
fn line(end: &str) -> String {
    let source = std::fs::read_to_string(root().join(PROGRAM)).expect("it is there");
    let line = source.lines().position(|line| line.ends_with(end)).expect("it is there");
    format!("{PROGRAM}:{}", line + 1)
}

#[test]
fn what_is_right_is_let_be() {
    for (what, summary) in [
        ("right", "1 heap and 3 regions registered and unregistered, at most 192 bytes"),
        ("threads", "1 heap and 2000 regions registered and unregistered"),
        ("shutdown", "1 heap and 2 regions registered and unregistered"),
    ] {
        for way in WAYS {
            let Some(output) = run(way, what) else { return };
            assert_silent(&output);
            assert!(output.stderr.contains(summary), "{output:?}");
        }
    }
}

#[test]
fn mistakes_are_found_with_both_calls() {
    for way in WAYS {
        let Some(output) = run(way, "wrong") else { return };
        assert!(output.status.success(), "{output:?}");
        let faults = faults(&output);
        assert_eq!(faults.len(), 1, "{output:?}");
        assert_eq!(faults[0].code, FaultKind::ReleasedTwice.code());
        // Behind the module that makes the calls, and with the functions that called.
        let place = line("mstx.regions_unregister(self.domain, pointers=[block[0]])");
        assert_eq!(faults[0].places, [&*place; 2], "{output:?}");
        for (function, call) in faults[0].functions.iter().zip(["# fault", "# other"]) {
            // Before version 3.11 functions have no more than their own names.
            let function = function.trim_start_matches("Pool.");
            assert!(function.starts_with(&format!("free <- wrong ({})", line(call))), "{function} {output:?}");
        }
        for text in ["heap `python`", "still live at exit: 1 heap, 4096 bytes", "still live at exit: 1 region, 64 bytes"] {
            assert!(output.stderr.contains(text), "{text}: {output:?}");
        }
    }
}
