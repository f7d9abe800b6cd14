//! One mistake each: what it is, where it is, and which call it contradicts.

use mstx::FaultKind;
use std::fs;

use crate::programs::{WAYS, Way, compile, root, run};
use crate::report::faults;

/// What each program does wrong.
const PROGRAMS: [(&str, FaultKind); 23] = [
    ("outside", FaultKind::RegionOutsideHeap),
    ("overlap", FaultKind::RegionOverlap),
    ("registered_twice", FaultKind::RegionRegisteredTwice),
    ("in_one_batch", FaultKind::RegionRegisteredTwice),
    ("unknown_release", FaultKind::UnknownRelease),
    ("released_twice", FaultKind::ReleasedTwice),
    ("stale_handle", FaultKind::ReleasedTwice),
    ("interior", FaultKind::InteriorRelease),
    ("after_the_heap", FaultKind::ReleasedTwice),
    ("under_a_heap", FaultKind::ReleasedUnderHeap),
    ("inner_heap_left", FaultKind::HeapLeaked),
    ("heap_overlap", FaultKind::HeapOverlap),
    ("heap_twice", FaultKind::HeapRegisteredTwice),
    ("unknown_heap", FaultKind::UnknownHeap),
    ("heap_ends_twice", FaultKind::UnknownHeap),
    ("inside_a_heap", FaultKind::UnknownHeap),
    ("wrong_domain", FaultKind::WrongHeap),
    ("too_long", FaultKind::Wraps),
    ("null_address", FaultKind::NullAddress),
    ("no_size", FaultKind::NoSize),
    ("null_heap_address", FaultKind::NullAddress),
    ("heap_without_size", FaultKind::NoSize),
    ("heap_too_long", FaultKind::Wraps),
];

/// The lines of a function that are marked so, as reports name them.
fn marked(function: &str, mark: &str) -> Vec<String> {
    let source = fs::read_to_string(root().join("tests/c/wrong.c")).expect("it is there");
    let lines = source.lines().enumerate().skip_while(|(_, line)| *line != format!("static void {function}(void)"));
    let body = lines.take_while(|(_, line)| *line != "}");
    let is_marked = |line: &str| line.rsplit_once("/* ").is_some_and(|(_, comment)| comment.contains(mark));
    body.filter(|(_, line)| is_marked(line)).map(|(at, _)| format!("tests/c/wrong.c:{}", at + 1)).collect()
}

#[test]
fn each_mistake_is_found_with_both_calls() {
    for optimised in ["-O0", "-O2"] {
        let Some(program) = compile("wrong", &[optimised]) else { return };
        for (function, kind) in PROGRAMS {
            for way in WAYS {
                let output = run(way, &program, function);
                assert!(output.status.success(), "{output:?}");
                let faults = faults(&output);
                let [fault] = &*faults else { unreachable!("one fault, and no more that follow from it: {output:?}") };
                assert_eq!(fault.code, kind.code(), "{output:?}");
                let mut places = marked(function, "fault");
                assert_eq!(places.len(), 1, "{function}");
                places.extend(marked(function, "other"));
                assert_eq!(fault.places, places, "{output:?}");
                assert_eq!(fault.functions, vec![function; places.len()], "{output:?}");
            }
        }
    }
}

#[test]
fn without_lines_functions_are_named_and_without_names_files() {
    let Some(program) = compile("wrong", &["-O1", "-g0"]) else { return };
    let output = run(Way::Path, &program, "released_twice");
    let named = faults(&output);
    assert_eq!(named[0].functions, ["released_twice"; 2], "{output:?}");
    let Some(stripped) = compile("wrong", &["-O1", "-g0", "-s"]) else { return };
    let output = run(Way::Path, &stripped, "released_twice");
    let bare = faults(&output);
    assert!(bare[0].functions.is_empty(), "{output:?}");
    // The code is the same, and so are the places in the file.
    assert_eq!(named[0].places, bare[0].places);
    let [at, other] = &*bare[0].places else { unreachable!("{output:?}") };
    assert!(at.starts_with("wrong+0x") && other.starts_with("wrong+0x") && at != other, "{output:?}");
}

#[test]
fn what_is_left_is_listed_by_call() {
    let Some(program) = compile("wrong", &["-O0"]) else { return };
    for way in WAYS {
        let output = run(way, &program, "left");
        assert_eq!(faults(&output), [], "{output:?}");
        for line in ["1 heap, 4096 bytes", "3 regions, 96 bytes, in heap `buffers`", "1 region, 64 bytes, in heap `buffers`"] {
            assert!(output.stderr.contains(line), "{output:?}");
        }
        assert_eq!(output.stderr.matches("--> tests/c/wrong.c:").count(), 3, "{output:?}");
    }
}

#[test]
fn calls_that_are_wrong_in_themselves_are_ignored() {
    let Some(program) = compile("garbage", &["-O2"]) else { return };
    for way in WAYS {
        let output = run(way, &program, "");
        assert_eq!(output.stdout, "0 0\n", "nothing was handed out: {output:?}");
        let source = fs::read_to_string(root().join("tests/c/garbage.c")).expect("it is there");
        let line = |text: &str| 1 + source.lines().position(|line| line.contains(text)).expect("it is there");
        for (call, wrong, at) in [
            ("mstxMarkA", "the message is null", "mstxMarkA(NULL"),
            ("mstxDomainMarkA", "0x1234567 is no domain of this tool", "mstxDomainMarkA(nowhere"),
            ("mstxGetToolId", "the place for the id is null", "CALL(core.get_tool_id"),
            ("mstxMemHeapRegister", "the description is null", "mstxMemHeapRegister(domain, NULL)"),
            ("mstxMemHeapRegister", "usage 1 is not known", "{1, 0, &range}"),
            ("mstxMemHeapRegister", "type 1 is not known", "{0, 1, &range}"),
            ("mstxMemHeapUnregister", "the heap is null", "mstxMemHeapUnregister(domain, NULL)"),
            ("mstxMemRegionsRegister", "type 9 is not known", "{heap, 9, 1"),
            ("mstxMemRegionsRegister", "the list of 3 regions is null", "3, NULL, NULL"),
            ("mstxMemRegionsRegister", "18446744073709551615 is no number of regions", "SIZE_MAX"),
            ("mstxMemRegionsUnregister", "the list of 2 regions is null", "{2, NULL}"),
            (
                "mstxMemRegionsUnregister",
                "reference type 7 is not known",
                "mstxMemRegionsUnregister(domain, &(struct unregister_batch){1",
            ),
            ("mstxMemRegionsUnregister", "the region is null", "RELEASE_HANDLE(domain, NULL)"),
        ] {
            let expected = format!("mstx: {call}: {wrong}; ignored (called at tests/c/garbage.c:{} in `main`)\n", line(at));
            assert!(output.stderr.contains(&expected), "{expected}{output:?}");
        }
        let ignored = output.stderr.lines().filter(|line| line.contains("; ignored (called at tests/c/garbage.c:")).count();
        assert_eq!(ignored, 30, "{output:?}");
        let end = "mstx: no faults; 1 heap and 1 region registered and unregistered, at most 64 bytes of regions live\n";
        assert!(output.stderr.ends_with(end), "what is right is seen: {output:?}");
    }
}
