//! Whole heaps: resized, emptied, ended; and their devices.

use super::*;

#[test]
fn growth_is_told_after_the_body_with_all_regions_in_two_calls() {
    assert_told_around_marks(
        "heaps::grows_with_regions",
        &[
            HEAP,
            "register 0x10100+64 0x10200+64 0x10300+64 in 0x10000",
            "mark grown",
            "unregister 0x10100+64 0x10200+64 0x10300+64",
            END,
            "heap 0x10000+8192",
            "register 0x10100+64 0x10200+64 0x10300+64 in 0x10000",
            "register 0x11000+64 in 0x10000",
            "unregister 0x10200+64",
            "unregister 0x10100+64 0x10300+64 0x11000+64",
            "end 0x10000+8192",
        ],
    );
}

#[test]
fn a_shrink_is_told_before_the_body() {
    assert_told_around_marks(
        "heaps::shrinks_with_regions",
        &[
            HEAP,
            "register 0x10100+64 0x10200+64 in 0x10000",
            "unregister 0x10100+64 0x10200+64",
            END,
            "heap 0x10000+2048",
            "register 0x10100+64 0x10200+64 in 0x10000",
            "mark shrunk",
            "unregister 0x10100+64 0x10200+64",
            "end 0x10000+2048",
        ],
    );
}

#[test]
fn an_empty_heap_grows_without_region_calls() {
    assert_told("heaps::grows_when_empty", &[HEAP, END, "heap 0x10000+8192", "end 0x10000+8192"]);
}

#[test]
fn refused_growth_tells_nothing() {
    let region = "register 0x10100+64 in 0x10000";
    assert_told("heaps::growth_is_refused", &[HEAP, region, "unregister 0x10100+64", END]);
}

#[test]
fn the_same_size_tells_nothing() {
    let region = "register 0x10100+64 in 0x10000";
    assert_told("heaps::same_size", &[HEAP, region, "unregister 0x10100+64", END]);
}

#[test]
fn heaps_inside_leave_first_and_come_back_last() {
    assert_told_around_marks(
        "heaps::grows_with_heap_inside",
        &[
            HEAP,
            "register 0x10100+64 in 0x10000",
            "register 0x10400+1024 in 0x10000",
            "unregister 0x10400+1024",
            "heap 0x10500+256",
            "register 0x10400+256 0x10600+512 in 0x10000",
            "register 0x10510+16 in 0x10500",
            "register 0x10520+16 in 0x10500",
            "mark grow",
            "unregister 0x10510+16 0x10520+16",
            "unregister 0x10100+64 0x10400+256 0x10600+512",
            "end 0x10500+256",
            END,
            "heap 0x10000+8192",
            "heap 0x10500+256",
            "register 0x10100+64 0x10400+256 0x10600+512 in 0x10000",
            "register 0x10510+16 0x10520+16 in 0x10500",
            "mark grown",
            "unregister 0x10510+16 0x10520+16",
            "unregister 0x10400+256 0x10600+512",
            "end 0x10500+256",
            "register 0x10400+1024 in 0x10000",
            "unregister 0x10100+64 0x10400+1024",
            "end 0x10000+8192",
        ],
    );
}

#[test]
fn regions_of_an_inner_heap_that_is_not_sent_move_with_the_outer_one() {
    assert_told_around_marks(
        "heaps::grows_with_heap_inside_at_its_start",
        &[
            HEAP,
            "register 0x10000+1024 in 0x10000",
            "unregister 0x10000+1024",
            "register 0x10100+768 in 0x10000",
            "register 0x10010+16 in 0x10000",
            "mark grow",
            "unregister 0x10010+16 0x10100+768",
            END,
            "heap 0x10000+8192",
            "register 0x10100+768 0x10010+16 in 0x10000",
            "mark grown",
            "unregister 0x10010+16",
            "unregister 0x10100+768",
            "register 0x10000+1024 in 0x10000",
            "unregister 0x10000+1024",
            "end 0x10000+8192",
        ],
    );
}

#[test]
fn a_shrink_ends_what_is_being_resized_beyond_it() {
    assert_told(
        "heaps::shrink_ends_what_is_being_resized",
        &[
            HEAP,
            "register 0x10800+64 in 0x10000",
            "unregister 0x10800+64",
            END,
            "heap 0x10000+2048",
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            "end 0x10000+2048",
        ],
    );
}

#[test]
fn a_reset_is_one_call_before_the_body() {
    assert_told_around_marks(
        "heaps::reset",
        &[
            HEAP,
            "register 0x10100+64 0x10200+64 0x10300+64 in 0x10000",
            "unregister 0x10100+64 0x10200+64 0x10300+64",
            "mark reset",
            "register 0x10110+64 in 0x10000",
            "unregister 0x10110+64",
            END,
        ],
    );
}

#[test]
fn a_reset_of_nothing_tells_nothing() {
    assert_told("heaps::reset_of_nothing", &[HEAP, END]);
}

#[test]
fn releases_in_the_body_of_a_reset_are_silent() {
    assert_told(
        "heaps::releases_in_reset_body",
        &[
            HEAP,
            "register 0x10100+64 0x10200+64 in 0x10000",
            "unregister 0x10100+64 0x10200+64",
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            END,
        ],
    );
}

#[test]
fn regions_of_two_heaps_in_one_call_are_one_tool_call_for_each() {
    assert_told(
        "heaps::regions_of_two_heaps_in_one_call",
        &[
            HEAP,
            "heap 0x20000+4096",
            "register 0x10000+64 0x10100+64 in 0x10000",
            "register 0x20000+64 0x20100+64 in 0x20000",
            "unregister 0x10000+64 0x10100+64",
            "unregister 0x20000+64 0x20100+64",
            END,
            "end 0x20000+4096",
        ],
    );
}

#[test]
fn a_region_may_move_to_another_heap() {
    assert_told(
        "heaps::resize_into_another_heap",
        &[
            HEAP,
            "heap 0x20000+4096",
            "register 0x10100+64 in 0x10000",
            "unregister 0x10100+64",
            "register 0x20000+128 in 0x20000",
            "unregister 0x20000+128",
            END,
            "end 0x20000+4096",
        ],
    );
}

#[test]
fn many_heaps_side_by_side() {
    let output = under("full", "heaps::many_heaps");
    output.assert_clean();
    output.assert_open(&[]);
    assert_eq!((output.count("heap_register"), output.count("heap_unregister")), (20, 20));
    assert_eq!((output.count("regions_register"), output.count("regions_unregister")), (20, 20));
}

#[test]
fn devices_are_told_and_host_heaps_are_not() {
    assert_told(
        "heaps::devices",
        &[
            "heap 0x10000+4096",
            "register 0x10100+64 in 0x10000",
            "heap 0x11000+4096 on 1",
            "register 0x11100+64 on 1 in 0x11000",
            "heap 0x12000+4096 on 2",
            "register 0x12100+64 on 2 in 0x12000",
            "unregister 0x10100+64",
            "end 0x10000+4096",
            "unregister 0x11100+64",
            "end 0x11000+4096",
            "unregister 0x12100+64",
            "end 0x12000+4096",
            "register 0x5000+64 on 3",
            "unregister 0x5000+64",
        ],
    );
}
