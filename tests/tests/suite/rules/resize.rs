//! Regions that change their size or their place.

use super::*;

/// One region of 64 bytes is taken first; at the end the heap ends.
#[track_caller]
fn assert_resize_told(name: &str, between: &[&str]) {
    let all = [&[HEAP, "register 0x10100+64 in 0x10000"], between, &[END]].concat();
    assert_told(&format!("resize::{name}"), &all);
}

#[test]
fn the_old_region_leaves_and_the_new_one_comes() {
    let moved = ["unregister 0x10100+64", "register 0x10400+128 in 0x10000", "unregister 0x10400+128"];
    assert_resize_told("moved", &moved);
}

#[test]
fn a_region_may_move_over_itself() {
    let moved = ["unregister 0x10100+64", "register 0x10120+64 in 0x10000", "unregister 0x10120+64"];
    assert_resize_told("moved_over_itself", &moved);
}

#[test]
fn another_size_in_place() {
    let resized = ["unregister 0x10100+64", "register 0x10100+128 in 0x10000", "unregister 0x10100+128"];
    assert_resize_told("in_place", &resized);
    assert_told_around_marks(
        "resize::in_place",
        &[
            HEAP,
            "register 0x10100+64 in 0x10000",
            "mark resized",
            "unregister 0x10100+64",
            "register 0x10100+128 in 0x10000",
            "unregister 0x10100+128",
            END,
        ],
    );
}

#[test]
fn true_is_success_in_place_and_false_is_refusal() {
    let resized = ["unregister 0x10100+64", "register 0x10100+32 in 0x10000", "unregister 0x10100+32"];
    assert_resize_told("in_place_by_bool", &resized);
}

#[test]
fn same_place_and_size_tell_nothing() {
    assert_resize_told("unchanged", &["unregister 0x10100+64"]);
}

#[test]
fn refusal_tells_nothing() {
    assert_resize_told("refused", &["unregister 0x10100+64"]);
}

#[test]
fn panic_tells_nothing() {
    assert_resize_told("panicked", &["unregister 0x10100+64"]);
}

#[test]
fn a_resize_of_null_is_an_allocation() {
    assert_resize_told("of_null", &["unregister 0x10100+64", "register 0x10200+128 in 0x10000", "unregister 0x10200+128"]);
}

#[test]
fn who_takes_the_old_place_meanwhile_shows_that_the_region_has_moved() {
    assert_resize_told(
        "place_taken_meanwhile",
        &[
            "unregister 0x10100+64",
            "register 0x10120+64 in 0x10000",
            "register 0x10400+128 in 0x10000",
            "unregister 0x10120+64",
            "unregister 0x10400+128",
        ],
    );
}

#[test]
fn a_refusal_does_not_bring_back_what_has_moved() {
    assert_resize_told(
        "place_taken_meanwhile_then_refused",
        &["unregister 0x10100+64", "register 0x10120+64 in 0x10000", "unregister 0x10120+64"],
    );
}

#[test]
fn it_may_be_made_of_an_annotated_alloc_and_free() {
    assert_resize_told(
        "released_in_its_body",
        &["register 0x10400+128 in 0x10000", "unregister 0x10100+64", "unregister 0x10400+128"],
    );
}

#[test]
fn back_and_forth() {
    assert_resize_told(
        "twice_in_a_row",
        &[
            "unregister 0x10100+64",
            "register 0x10400+128 in 0x10000",
            "unregister 0x10400+128",
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
        ],
    );
}
