//! Annotated functions that call each other.

use super::*;

#[test]
fn a_heap_is_told_before_the_region_of_the_same_function() {
    let region = "register 0x10100+64 in 0x10000";
    assert_told("nesting_calls::heap_and_region_of_one_function", &[HEAP, region, "unregister 0x10100+64", END]);
}

#[test]
fn the_same_region_from_both_functions_is_told_once() {
    assert_told("nesting_calls::alloc_in_alloc", &[HEAP, "register 0x10100+64 in 0x10000", "unregister 0x10100+64", END]);
}

#[test]
fn the_outer_function_knows_the_size() {
    assert_told(
        "nesting_calls::alloc_in_larger_alloc",
        &[
            HEAP,
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            "register 0x10100+256 in 0x10000",
            "unregister 0x10100+256",
            END,
        ],
    );
}

#[test]
fn the_outer_function_knows_the_place() {
    assert_told(
        "nesting_calls::alloc_in_alloc_with_header",
        &[
            HEAP,
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            "register 0x10110+48 in 0x10000",
            "unregister 0x10110+48",
            END,
        ],
    );
}

#[test]
fn the_outer_region_replaces_all_inner_ones() {
    assert_told(
        "nesting_calls::many_allocs_in_one",
        &[
            HEAP,
            "register 0x10100+64 in 0x10000",
            "register 0x10140+64 in 0x10000",
            "register 0x10180+64 in 0x10000",
            "unregister 0x10100+64 0x10140+64 0x10180+64",
            "register 0x10100+192 in 0x10000",
            "unregister 0x10100+192",
            END,
        ],
    );
}

#[test]
fn the_outer_call_site_is_blamed() {
    let output = under("full", "nesting_calls::outer_call_site_wins");
    output.assert_keeps_rules();
    output.assert_printed(&["RegionLeaked 0x10100+64 in 0x10000: close@close; outer_take@outer"]);
}

#[test]
fn an_inner_release_is_silent() {
    let expected = [HEAP, "register 0x10100+64 in 0x10000", "unregister 0x10100+64", END];
    assert_told("nesting_calls::release_in_release", &expected);
    assert_told("nesting_calls::release_of_part_in_release", &expected);
}

#[test]
fn an_inner_heap_of_the_same_extent_is_told_once() {
    assert_told("nesting_calls::heap_in_heap", &[HEAP, "register 0x10100+64 in 0x10000", "unregister 0x10100+64", END]);
}

#[test]
fn calls_on_another_heap_are_not_affected() {
    assert_told(
        "nesting_calls::calls_on_another_heap_count",
        &[
            HEAP,
            "heap 0x20000+4096",
            "register 0x20100+256 in 0x20000",
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            "unregister 0x20100+256",
            END,
            "end 0x20000+4096",
        ],
    );
}

#[test]
fn the_silence_ends_with_the_outer_body() {
    let output = under("full", "nesting_calls::second_release_after_both");
    output.assert_keeps_rules();
    output.assert_printed(&["ReleasedTwice 0x10100 in 0x10000: give@again; give_by@outer"]);
    output.assert_memory(&[HEAP, "register 0x10100+64 in 0x10000", "unregister 0x10100+64", END]);
}
