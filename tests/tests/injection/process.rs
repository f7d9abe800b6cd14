//! Threads, forks, beginnings and ends, and several modules.

use mstx::FaultKind;
use mstx_tests::Output;

use crate::programs::{WAYS, Way, compile, let_in};
use crate::report::{assert_silent, faults};

fn run(way: Way, what: &str) -> Option<Output> {
    let module = compile("module", &["-O1", "-shared", "-fPIC"])?;
    let program = compile("process", &["-O1"])?;
    // Where the program looks for the module.
    let run = mstx_tests::Run::new(program).arg(what).env("MODULE", module);
    Some(let_in(way, run).output())
}

#[test]
fn several_threads() {
    for way in WAYS {
        let Some(output) = run(way, "threads") else { return };
        assert_silent(&output);
        assert!(output.stderr.contains("2000 heaps and 16000 regions registered and unregistered"), "{output:?}");
    }
}

#[test]
fn the_end_while_threads_still_call() {
    for way in WAYS {
        for _ in 0..5 {
            let Some(output) = run(way, "running") else { return };
            assert!(output.status.success(), "{output:?}");
            assert_eq!(output.stderr.matches("mstx: no faults").count(), 1, "{output:?}");
            assert_eq!(faults(&output), [], "{output:?}");
        }
    }
}

#[test]
fn a_forked_child_says_nothing() {
    for way in WAYS {
        let Some(output) = run(way, "forked") else { return };
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stdout, "", "children end well: {output:?}");
        assert_eq!(output.stderr.matches("mstx: ").count(), 1, "one process has an end: {output:?}");
        assert!(output.stderr.starts_with("mstx: no faults"), "{output:?}");
    }
}

#[test]
fn a_child_that_calls_first_is_a_process_like_any_other() {
    for way in WAYS {
        let Some(output) = run(way, "fork_first") else { return };
        assert_silent(&output);
    }
}

#[test]
fn calls_before_main() {
    for way in WAYS {
        let Some(output) = run(way, "early") else { return };
        let faults = faults(&output);
        assert_eq!(faults.len(), 1, "{output:?}");
        assert_eq!((faults[0].code, &*faults[0].functions), (FaultKind::ReleasedTwice.code(), &["early"; 2][..]));
        assert!(output.stderr.contains("heaps: 2 registered, 2 unregistered"), "those of `main` are seen, too: {output:?}");
    }
}

#[test]
fn calls_after_the_end() {
    for way in WAYS {
        let Some(output) = run(way, "late") else { return };
        assert_silent(&output);
        assert_eq!(output.stdout, "after the end\n");
        assert!(output.stderr.contains("1 heap and 1 region registered"), "{output:?}");
    }
}

#[test]
fn modules_share_the_books() {
    for way in WAYS {
        let Some(output) = run(way, "modules") else { return };
        assert_eq!(output.stdout, "same 1\n", "{output:?}");
        let faults = faults(&output);
        assert_eq!(faults.len(), 1, "{output:?}");
        assert_eq!(faults[0].code, FaultKind::ReleasedTwice.code());
        assert_eq!(faults[0].functions, ["module_give", "modules"], "{output:?}");
        assert!(faults[0].places[0].starts_with("tests/c/module.c:") && faults[0].places[1].starts_with("tests/c/process.c:"));
        assert_eq!(output.stderr.matches("mstx: 1 fault\n").count(), 1, "{output:?}");
    }
}

#[test]
fn clients_that_offer_less_get_what_they_have_room_for() {
    let Some(program) = compile("offer", &["-O1"]) else { return };
    for (what, printed, registers) in [
        ("all", "0:++++ +++++ ++++", true),
        ("no_getter", "1:---- ----- ----", false),
        ("no_module_2", "0:++++ ----- ++++", true),
        ("no_table", "0:---- ----- ----", false),
        ("nothing", "0:---- ----- ----", false),
        ("three", "0:++-- ++--- ++--", true),
        ("holes", "0:+-++ +-+++ +-++", true),
    ] {
        for way in WAYS {
            let output = crate::programs::run(way, &program, what);
            assert!(output.status.success(), "{what}: {output:?}");
            assert_eq!(output.printed(), [printed], "{what}: {output:?}");
            assert_eq!(
                output.stderr.contains("1 registered") || output.stderr.contains("1 heap"),
                registers,
                "{what}: {output:?}"
            );
        }
    }
}
