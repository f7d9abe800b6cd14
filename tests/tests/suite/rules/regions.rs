//! Regions come and go.

use super::*;

#[test]
fn allocations_are_told_after_the_body_and_releases_before_it() {
    assert_told_around_marks(
        "regions::told_before_and_after_bodies",
        &[
            HEAP,
            "mark taken",
            "register 0x10100+64 in 0x10000",
            "mark returned",
            "unregister 0x10100+64",
            "mark given",
            END,
            "mark closed",
        ],
    );
}

#[test]
fn one_call_is_one_tool_call() {
    assert_told(
        "regions::many_in_one_call",
        &[
            HEAP,
            "register 0x10100+64 0x10200+64 0x10300+64 in 0x10000",
            "unregister 0x10200+64",
            "unregister 0x10100+64 0x10300+64",
            END,
        ],
    );
}

#[test]
fn a_refused_release_registers_the_region_again() {
    assert_told(
        "regions::refused_release",
        &[
            HEAP,
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            END,
        ],
    );
}

#[test]
fn a_refused_release_does_not_overlap_what_came_meanwhile() {
    assert_told(
        "regions::refused_release_whose_place_is_taken",
        &[
            HEAP,
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            "register 0x10110+32 in 0x10000",
            "unregister 0x10110+32",
            END,
        ],
    );
}

#[test]
fn nothing_is_told_without_success() {
    assert_told("regions::no_success_no_region", &[HEAP, END]);
}

#[test]
fn regions_of_no_heap_are_told_without_one() {
    assert_told(
        "regions::regions_of_no_heap",
        &["register 0x9000+64", "register 0xa000+64", "unregister 0x9000+64", "unregister 0xa000+64"],
    );
}

#[test]
fn plain_calls_do_the_same() {
    assert_told(
        "regions::plain_calls",
        &[
            "heap 0x10000+4096 on 1",
            "register 0x10100+64 on 1 in 0x10000",
            "register 0x10200+64 on 1 in 0x10000",
            "unregister 0x10100+64",
            "unregister 0x10200+64",
            "register 0x10300+64 on 1 in 0x10000",
            "unregister 0x10300+64",
            END,
            "heap 0x10000+8192 on 1",
            "register 0x10300+64 on 1 in 0x10000",
            "unregister 0x10300+64",
            "end 0x10000+8192",
            "register 0x10100+64",
            "unregister 0x10100+64",
        ],
    );
}

#[test]
fn async_functions_tell_at_their_first_poll_and_at_their_end() {
    assert_told_around_marks(
        "regions::async_functions",
        &[
            HEAP,
            "mark called",
            "mark polled",
            "register 0x10100+64 in 0x10000",
            "mark called",
            "unregister 0x10100+64",
            "mark polled",
            "register 0x10200+64 in 0x10000",
            "mark dropped",
            "unregister 0x10200+64",
            END,
        ],
    );
}

#[test]
fn nothing_is_told_where_pointer_or_size_is_none() {
    assert_told("regions::optional", &[HEAP, "register 0x10100+64 in 0x10000", "unregister 0x10100+64", END]);
}

#[test]
fn a_guard_ends_its_heap() {
    assert_told("regions::guard_ends_its_heap", &[HEAP, "register 0x10100+64 in 0x10000", "unregister 0x10100+64", END]);
}

#[test]
fn a_success_value_returned_by_a_macro_is_seen_if_the_attribute_is_told_to_look() {
    let output = under("full", "regions::hidden_returns");
    assert!(output.status.success(), "{output:?}");
    output.assert_memory(&["register 0x10000+64", "register 0x10040+64", "register 0x10080+64"]);
}

#[test]
fn the_callers_location_is_the_callers_to_both() {
    let output = under("full", "regions::callers");
    output.assert_printed(&["true true", "true true"]);
}
