//! Marks and ranges.

use crate::{TEMPERS, under};
use mstx_tests::Output;

/// Everything but the beginning and the end of the log.
fn calls(output: &Output) -> Vec<&str> {
    let around = ["init ", "ready ", "exit ", "get_tool_id ", "domain_create "];
    output.events().filter(|event| !around.iter().any(|start| event.starts_with(start))).collect()
}

#[track_caller]
fn assert_calls(scenario: &str, expected: &[&str]) {
    let output = under("full", scenario);
    output.assert_clean();
    assert_eq!(calls(&output), expected, "{output:?}");
}

#[test]
fn marks_reach_the_tool() {
    assert_calls(
        "marks::marks",
        &[
            r#"mark message="step 7" stream=0x0"#,
            r#"domain_mark domain=d1 message="full" stream=0x0"#,
            r#"mark message="" stream=0x0"#,
        ],
    );
}

#[test]
fn ranges_end_where_their_guards_go() {
    assert_calls(
        "marks::ranges",
        &[
            r#"range_start message="outer" stream=0x0 -> 1"#,
            r#"domain_range_start domain=d1 message="inner" stream=0x0 -> 2"#,
            "domain_range_end domain=d1 id=2",
            "range_end id=1",
        ],
    );
}

#[test]
fn annotated_functions_are_ranges_on_every_way_out() {
    assert_calls(
        "marks::annotated",
        &[
            r#"range_start message="step" stream=0x0 -> 1"#,
            r#"mark message="in step" stream=0x0"#,
            "range_end id=1",
            r#"domain_range_start domain=d1 message="step 0" stream=0x0 -> 2"#,
            "domain_range_end domain=d1 id=2",
            r#"domain_range_start domain=d1 message="step 3" stream=0x0 -> 3"#,
            "domain_range_end domain=d1 id=3",
            r#"range_start message="launch" stream=0x5000 -> 4"#,
            "range_end id=4",
        ],
    );
}

#[test]
fn messages_are_cut_cleanly_at_nul_length_and_character() {
    let long = |letter: &str, length| format!(r#"mark message="{}" stream=0x0"#, letter.repeat(length));
    // Of the last one, the two bytes of the character fit.
    let last = format!(r#"mark message="{}\xc3\xa4" stream=0x0"#, "z".repeat(154));
    let range = format!(r#"range_start message="{}" stream=0x0 -> 1"#, "r".repeat(156));
    assert_calls(
        "marks::cut",
        &[
            r#"mark message="before" stream=0x0"#,
            &long("x", 156),
            &long("y", 155),
            &last,
            &range,
            "range_end id=1",
            r#"domain_mark domain=d1 message="k" stream=0x0"#,
        ],
    );
}

#[test]
fn streams_are_passed_on() {
    assert_calls(
        "marks::streams",
        &[
            r#"mark message="on" stream=0x5000"#,
            r#"domain_mark domain=d1 message="kv on" stream=0x5000"#,
            r#"range_start message="range on" stream=0x5000 -> 1"#,
            "range_end id=1",
            r#"domain_range_start domain=d1 message="kv range on" stream=0x5000 -> 2"#,
            "domain_range_end domain=d1 id=2",
        ],
    );
}

/// msSanitizer has none of these functions, msMemScope none of a domain.
#[test]
fn tools_without_these_functions_are_left_alone() {
    for scenario in ["marks", "ranges", "annotated", "cut", "streams"] {
        for tool in TEMPERS {
            let output = under(tool, &format!("marks::{scenario}"));
            output.assert_clean();
            if tool == "msan" {
                assert_eq!(calls(&output), [""; 0], "{output:?}");
            }
        }
    }
}
