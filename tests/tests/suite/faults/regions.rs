//! What is wrong with regions.

use super::*;

#[test]
fn region_before_heap() {
    assert_faults(
        "region_before_heap",
        &["UnknownHeap 0x10000: take@early"],
        &[HEAP, "register 0x10100+32 in 0x10000"],
        &["0x10100+32"],
    );
}

#[test]
fn region_of_no_heap_moves_into_a_heap_that_comes_later() {
    assert_faults(
        "region_of_no_heap_before_heap",
        &["RegionBeforeHeap 0x10100+64 in 0x10000: open@late; take_at@early"],
        &["register 0x10100+64", GIVEN, HEAP, TAKEN, GIVEN, "register 0x10100+32 in 0x10000"],
        &["0x10100+32"],
    );
}

#[test]
fn region_of_no_heap_across_the_start_of_a_new_heap_is_not_booked_any_more() {
    assert_faults(
        "region_of_no_heap_across_heap",
        &["RegionOutsideHeap 0xff80+256 in 0x10000: open@late; take_at@early"],
        &["register 0xff80+256", "unregister 0xff80+256", HEAP, "register 0x10000+32 in 0x10000"],
        &["0x10000+32"],
    );
}

#[test]
fn region_of_no_heap_just_behind_a_new_heap_is_left_alone() {
    assert_faults(
        "region_of_no_heap_behind_heap",
        &["RegionBeforeHeap 0x10fc0+64 in 0x10000: open@late; take_at@early"],
        &[
            "register 0x10fc0+64",
            "register 0x11000+64",
            "unregister 0x10fc0+64",
            HEAP,
            "register 0x10fc0+64 in 0x10000",
            "unregister 0x11000+64",
        ],
        &["0x10fc0+64"],
    );
}

#[test]
fn released_twice() {
    assert_faults(
        "released_twice",
        &["ReleasedTwice 0x10100 in 0x10000: give@second; give@first"],
        &[HEAP, TAKEN, GIVEN, "register 0x10100+32 in 0x10000"],
        &["0x10100+32"],
    );
}

#[test]
fn stranger_released() {
    assert_faults(
        "stranger_released",
        &[
            "UnknownRelease 0x10200 in 0x10000: give@named",
            "UnknownRelease 0x10300 in 0x10000: give_at@found",
            "UnknownRelease 0x9000: give_at@nowhere",
        ],
        &[HEAP, TAKEN],
        &["0x10100+64"],
    );
}

#[test]
fn interior_released() {
    assert_faults(
        "interior_released",
        &["InteriorRelease 0x10110 in 0x10000: give@inside; take@take"],
        &[HEAP, TAKEN, GIVEN, "register 0x10110+16 in 0x10000"],
        &["0x10110+16"],
    );
}

#[test]
fn released_to_wrong_heap() {
    assert_faults(
        "released_to_wrong_heap",
        &["WrongHeap 0x10100+64 in 0x10000: give@wrong; take@take"],
        &[HEAP, "heap 0x20000+4096", TAKEN, GIVEN, "register 0x20100+32 in 0x20000"],
        &["0x20100+32"],
    );
}

#[test]
fn region_outside() {
    assert_faults(
        "region_outside",
        &["RegionOutsideHeap 0x11000+64 in 0x10000: take@outside; open@heap"],
        &[HEAP, TAKEN],
        &["0x10100+64"],
    );
}

#[test]
fn region_straddles() {
    assert_faults(
        "region_straddles",
        &["RegionOutsideHeap 0x10fe0+64 in 0x10000: take@straddles; open@heap"],
        &[HEAP, "register 0x10fe0+32 in 0x10000"],
        &["0x10fe0+32"],
    );
}

#[test]
fn region_outside_without_heap() {
    assert_faults(
        "region_outside_without_heap",
        &[
            "RegionOutsideHeap 0x9000+64 in 0x10000: take_at@outside; open@heap",
            "RegionOutsideHeap 0x10fe0+64 in 0x10000: take_at@straddles; open@heap",
        ],
        &[HEAP, TAKEN],
        &["0x10100+64"],
    );
}

#[test]
fn region_twice() {
    assert_faults(
        "region_twice",
        &["RegionRegisteredTwice 0x10100+64 in 0x10000: take@second; take@first"],
        &[HEAP, TAKEN, GIVEN, "register 0x10100+32 in 0x10000"],
        &["0x10100+32"],
    );
}

#[test]
fn region_longer_at_same_start() {
    assert_faults(
        "region_longer_at_same_start",
        &["RegionRegisteredTwice 0x10100+128 in 0x10000: take@second; take@first"],
        &[HEAP, TAKEN, GIVEN, "register 0x10100+128 in 0x10000", "register 0x10200+64 in 0x10000"],
        &["0x10100+128", "0x10200+64"],
    );
}

#[test]
fn region_overlaps() {
    assert_faults(
        "region_overlaps",
        &["RegionOverlap 0x10120+64 in 0x10000: take@second; take@first"],
        &[HEAP, TAKEN, GIVEN, "register 0x10120+64 in 0x10000"],
        &["0x10120+64"],
    );
}

#[test]
fn region_encloses() {
    assert_faults(
        "region_encloses",
        &["RegionOverlap 0x100f0+256 in 0x10000: take@second; take@first"],
        &[HEAP, TAKEN, "register 0x10200+64 in 0x10000"],
        &["0x10100+64", "0x10200+64"],
    );
}

#[test]
fn null_and_zero_from_a_function_are_no_success() {
    assert_faults("null_and_zero", &[], &[HEAP, TAKEN], &["0x10100+64"]);
}

#[test]
fn null_and_zero_in_plain_calls() {
    assert_faults(
        "null_and_zero_in_plain_calls",
        &[
            "NullAddress 0x0+4096: Heap::register@null heap",
            "NoSize 0x10000: Heap::register@empty heap",
            "NullAddress 0x0+64: Heap::register_region@null",
            "NoSize 0x10100: Heap::register_region@empty",
            "NullAddress 0x0+64: register_region@loose null",
        ],
        &[HEAP, TAKEN],
        &["0x10100+64"],
    );
}

#[test]
fn regions_leaked() {
    assert_faults(
        "regions_leaked",
        &[
            "RegionLeaked 0x10100+64 in 0x10000: close@close; take@first",
            "RegionLeaked 0x10300+32 in 0x10000: close@close; take@third",
        ],
        &[
            HEAP,
            TAKEN,
            "register 0x10200+64 in 0x10000",
            "register 0x10300+32 in 0x10000",
            "unregister 0x10200+64",
            "unregister 0x10100+64 0x10300+32",
            END,
            HEAP,
            "register 0x10300+64 in 0x10000",
        ],
        &["0x10300+64"],
    );
}

#[test]
fn released_under_heap() {
    assert_faults(
        "released_under_heap",
        &[
            "ReleasedUnderHeap 0x10400+1024 in 0x10000: give@give; open@inner",
            "ReleasedUnderHeap 0x10400+1024 in 0x10000: resize@resize; open@inner",
        ],
        &[
            HEAP,
            "register 0x10400+1024 in 0x10000",
            "unregister 0x10400+1024",
            "heap 0x10400+512",
            "register 0x10600+512 in 0x10000",
            "register 0x10800+256 in 0x10000",
            "unregister 0x10600+512",
            "end 0x10400+512",
            "register 0x10400+1024 in 0x10000",
            "unregister 0x10400+1024",
            "register 0x10400+64 in 0x10000",
        ],
        &["0x10400+64", "0x10800+256"],
    );
}

#[test]
fn unknown_resize_books_the_new_region() {
    assert_faults(
        "unknown_resize",
        &["UnknownResize 0x10100 in 0x10000: resize@resize"],
        &[HEAP, "register 0x10200+64 in 0x10000"],
        &["0x10200+64"],
    );
}

#[test]
fn bad_device_counts_as_device_0() {
    assert_faults(
        "bad_device",
        &["BadDevice 0x0: take_on@take"],
        &[HEAP, TAKEN, "register 0x9000+64"],
        &["0x9000+64", "0x10100+64"],
    );
}

#[test]
fn a_release_in_the_body_of_a_heaps_end_comes_too_late_and_is_no_second_fault() {
    for scenario in ["heaps::releases_in_end_body", "heaps::releases_in_end_body_without_heap"] {
        let output = under("full", scenario);
        output.assert_keeps_rules();
        output.assert_printed(&["RegionLeaked 0x10100+64 in 0x10000: close_by@close; take@take"]);
        output.assert_memory(&[HEAP, TAKEN, GIVEN, END]);
    }
}

#[test]
fn what_is_right_in_a_call_is_told_though_some_of_it_is_wrong() {
    assert_faults(
        "some_of_many_registered",
        &[
            "RegionOverlap 0x10220+64 in 0x10000: take_many@many; take@first",
            "RegionOutsideHeap 0x11000+64 in 0x10000: take_many@many; open@heap",
        ],
        &[HEAP, "register 0x10200+64 in 0x10000", "register 0x10100+64 0x10300+64 in 0x10000"],
        &["0x10100+64", "0x10200+64", "0x10300+64"],
    );
    assert_faults(
        "some_of_many_released",
        &["UnknownRelease 0x10900 in 0x10000: give_many@many"],
        &[
            HEAP,
            "register 0x10100+64 0x10200+64 0x10300+64 0x10400+64 in 0x10000",
            "unregister 0x10200+64",
            "unregister 0x10100+64 0x10300+64",
        ],
        &["0x10400+64"],
    );
}

#[test]
fn region_under_inner_heap() {
    assert_faults(
        "region_under_inner_heap",
        &["RegionOverlap 0x10500+128 in 0x10000: take@again; take@under"],
        &[
            HEAP,
            "register 0x10400+1024 in 0x10000",
            "unregister 0x10400+1024",
            "heap 0x10500+256",
            "register 0x10400+256 0x10600+512 in 0x10000",
            "register 0x10500+128 in 0x10500",
        ],
        &["0x10400+256", "0x10500+128", "0x10600+512"],
    );
}

/// 1024 are kept; 100 are written, and a line that says so.
#[test]
fn very_many_faults_are_counted() {
    let output = under("full", "faults::very_many");
    output.assert_keeps_rules();
    output.assert_printed(&["1500 1024"]);
    output.assert_memory(&[HEAP, TAKEN]);
    let written = output.stderr.lines().filter(|line| line.starts_with("mstx: ")).count();
    assert_eq!(written, 101, "{output:?}");
}
