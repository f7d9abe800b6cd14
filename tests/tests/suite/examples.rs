//! The examples: each is a real pool that verifies itself, and compares its books with the tool's at its checkpoints.

use crate::nested;
use mstx_tests::{Output, Run};
use std::path::PathBuf;
use std::sync::OnceLock;

/// An example, and its domains renamed for the tools that know only a few names.
struct Example {
    name: &'static str,
    atb: &'static str,
    pta: &'static str,
}

const EXAMPLES: [Example; 6] = [
    Example { name: "quickstart", atb: "buffers=atb", pta: "buffers=ptaCaching" },
    Example { name: "device_pool", atb: "kv_cache=atb", pta: "kv_cache=ptaCaching" },
    Example { name: "arena", atb: "blocks=atb,arenas=mindsporeMemPool", pta: "blocks=ptaCaching,arenas=msleaks" },
    Example { name: "buddy_pool", atb: "buddy_pool=atb", pta: "buddy_pool=ptaCaching" },
    Example { name: "offset_pool", atb: "staging=atb", pta: "staging=ptaCaching" },
    Example { name: "global_allocator", atb: "rust_heap=atb", pta: "rust_heap=ptaCaching" },
];

/// Builds all of them, once. Returns the folder that they are in.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(nested::examples)
}

fn example(name: &str) -> Run {
    let run = Run::new(folder().join(name));
    // Without its planted mistake.
    if name == "quickstart" { run.arg("fixed") } else { run }
}

/// It succeeded, said of no fault, broke no rule, and left nothing at the tool. What the process itself keeps to its end is std's
/// own memory, where the pool is the global allocator.
#[track_caller]
fn assert_right(name: &str, output: &Output) {
    assert!(output.status.success(), "{output:?}");
    // One of them always has the checker, which says so.
    assert!(output.stderr.is_empty() || output.stderr.starts_with("mstx: no faults"), "{output:?}");
    output.assert_keeps_rules();
    let open = output.starting("open ").len();
    assert!(open <= usize::from(name == "global_allocator"), "{output:?}");
}

#[test]
fn without_a_tool() {
    for Example { name, .. } in EXAMPLES {
        let output = example(name).output();
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn with_the_checker() {
    for Example { name, .. } in EXAMPLES {
        let output = example(name).env("MSTX_CHECK", "exitcode=9").output();
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.contains("mstx: no faults"), "{output:?}");
    }
}

#[test]
fn the_planted_mistake_is_found_by_the_checker_and_under_a_tool() {
    let run = || Run::new(folder().join("quickstart"));
    for output in [run().output(), run().tool("full").output()] {
        assert!(output.status.success(), "{output:?}");
        assert!(output.stderr.contains("region released twice"), "{output:?}");
        assert!(output.stderr.matches("examples/quickstart.rs:").count() >= 2, "both call sites: {output:?}");
    }
    let output = run().env("MSTX_CHECK", "exitcode=9").output();
    assert_eq!(output.status.code(), Some(9), "{output:?}");
}

#[test]
fn under_each_tool() {
    for Example { name, atb, pta } in EXAMPLES {
        for words in [
            "full",
            "msan",
            "pointer-only",
            "handle-only",
            "null-heaps",
            "refuses",
            "refuses-second",
            "walking",
            "slow-init",
            "extra",
        ] {
            assert_right(name, &example(name).tool(words).output());
        }
        for (words, domains) in [("atb", atb), ("pta", pta), ("pointer-only", pta)] {
            let output = example(name).tool(words).env("MSTX_DOMAINS", domains).output();
            assert_right(name, &output);
            assert!(!output.starting("regions_register").is_empty(), "{output:?}");
        }
    }
}

#[test]
fn under_a_tool_and_the_checker_at_once() {
    for Example { name, .. } in EXAMPLES {
        let output = example(name).tool("msan").env("MSTX_CHECK", "exitcode=9").output();
        assert!(output.status.success(), "{output:?}");
        output.assert_keeps_rules();
    }
}
