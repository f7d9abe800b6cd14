//! What `MSTX_CHECK` asks for reaches the library.

use mstx_tests::{Output, Run, scratch};
use std::fs;
use std::path::PathBuf;

use crate::programs::{WAYS, Way, compile, let_in};

fn run(way: Way, source: &str, what: &str, check: &str) -> Option<Output> {
    let program = compile(source, &["-O1"])?;
    Some(let_in(way, Run::new(program).arg(what).env("MSTX_CHECK", check)).output())
}

/// A file that is not there yet.
fn fresh(name: &str) -> PathBuf {
    let path = scratch().join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn the_exit_status() {
    for way in WAYS {
        let Some(output) = run(way, "wrong", "interior", "exitcode=9") else { return };
        assert_eq!(output.status.code(), Some(9), "{output:?}");
        let Some(output) = run(way, "right", "pool", "exitcode=9") else { return };
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

#[test]
fn the_log() {
    for way in WAYS {
        let name = fresh(&format!("log-{way:?}-%p"));
        let Some(output) = run(way, "wrong", "interior", &format!("log={}", name.display())) else { return };
        assert_eq!(output.stderr, "");
        let log = fs::read_to_string(name.with_file_name(format!("log-{way:?}-{}", output.process))).expect("it is written");
        assert!(log.contains("release of an address inside a region") && log.contains("= in `interior`"), "{log}");
        // What is wrong with a call in itself goes there, too.
        let (name, trace) = (fresh(&format!("garbage-{way:?}")), fresh("garbage.json"));
        let check = format!("log={},trace={}", name.display(), trace.display());
        let Some(output) = run(way, "garbage", "", &check) else { return };
        assert_eq!((&*output.stdout, &*output.stderr), ("0 0\n", ""));
        assert!(trace.exists(), "{output:?}");
        let log = fs::read_to_string(name).expect("it is written");
        assert!(log.contains("mstxMarkA: the message is null; ignored"), "{log}");
    }
}

#[test]
fn suppressions() {
    let rules = fresh("rules");
    for rule in ["MSTX06 interior", "* tests/c/wrong.c", "MSTX06 tests/c/*:81"] {
        fs::write(&rules, rule).expect("the target folder can be written to");
        let check = format!("exitcode=9,suppressions={}", rules.display());
        let Some(output) = run(Way::Path, "wrong", "interior", &check) else { return };
        assert!(output.status.success(), "{rule}: {output:?}");
        assert!(output.stderr.contains("suppressed: 1 fault"), "{rule}: {output:?}");
        let Some(output) = run(Way::Path, "wrong", "overlap", &check) else { return };
        assert_eq!(output.status.code() == Some(9), rule.starts_with("MSTX06"), "{rule}: {output:?}");
    }
}

#[test]
fn leaks_as_faults() {
    for way in WAYS {
        let Some(output) = run(way, "wrong", "left", "leaks=2,exitcode=7") else { return };
        assert_eq!(output.status.code(), Some(7), "{output:?}");
        let Some(output) = run(way, "wrong", "left", "leaks=0") else { return };
        assert!(!output.stderr.contains("still live"), "{output:?}");
    }
}

#[test]
fn what_is_unknown_is_said() {
    for way in WAYS {
        let Some(output) = run(way, "right", "pool", "exitcod=9") else { return };
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.starts_with("mstx: MSTX_CHECK: `exitcod=9` is ignored; valid are "), "{output:?}");
    }
}

#[test]
fn files() {
    for way in WAYS {
        let [map, snapshot, trace, dhat] = ["map.svg", "snapshot.pickle", "trace.json", "dhat.json"].map(fresh);
        let names = [&map, &snapshot, &trace, &dhat].map(|path| path.display());
        let check = format!("heapmap={},snapshot={},trace={},dhat={}", names[0], names[1], names[2], names[3]);
        let Some(output) = run(way, "wrong", "left", &check) else { return };
        assert!(output.status.success(), "{output:?}");
        let text = |path: &PathBuf| fs::read_to_string(path).expect("it is written");
        let map = text(&map);
        assert!(map.starts_with("<svg") && map.contains("left") && map.contains("tests/c/wrong.c:"), "{map}");
        let dhat = text(&dhat);
        assert!(dhat.contains("\"left (tests/c/wrong.c:"), "{dhat}");
        let trace = text(&trace);
        assert!(trace.contains("buffers") && trace.contains("left tests/c/wrong.c:"), "{trace}");
        let snapshot = fs::read(&snapshot).expect("it is written");
        for name in ["tests/c/wrong.c", "left"] {
            assert!(snapshot.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
        }
    }
}

#[test]
fn marks_and_ranges_are_in_the_trace() {
    for way in WAYS {
        let trace = fresh("marks.json");
        let Some(output) = run(way, "right", "marks", &format!("trace={}", trace.display())) else { return };
        assert_eq!(output.stdout, "ranges 1\n");
        let trace = fs::read_to_string(trace).expect("it is written");
        for name in ["\"all\"", "\"inner\"", "\"in between\"", "times", " is no text"] {
            assert!(trace.contains(name), "{name}: {trace}");
        }
    }
}
