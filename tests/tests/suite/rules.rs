//! What the tool is told, and when.

use crate::{assert_told, under};

/// Runs a scenario with marks in it, and asserts memory calls and marks.
#[track_caller]
fn assert_told_around_marks(name: &str, expected: &[&str]) {
    let output = under("full", name);
    output.assert_clean();
    let mut memory = output.memory().into_iter();
    let events = output.events().filter_map(|event| match event.strip_prefix("mark message=") {
        Some(mark) => mark.split('"').nth(1).map(|mark| format!("mark {mark}")),
        None => ["heap_", "regions_"].iter().any(|start| event.starts_with(start)).then(|| memory.next())?,
    });
    let events: Vec<String> = events.collect();
    assert_eq!(events, expected, "{output:?}");
}

const HEAP: &str = "heap 0x10000+4096";
const END: &str = "end 0x10000+4096";

mod regions {
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
}

mod resize {
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
}

mod heaps {
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
}

mod nested {
    use super::*;

    const OUTER: &str = "register 0x10100+1024 in 0x10000";
    const OUTER_GONE: &str = "unregister 0x10100+1024";

    #[test]
    fn the_pieces_beside_an_inner_heap_are_told_instead_of_the_region() {
        assert_told(
            "nested::inside_a_region",
            &[
                HEAP,
                OUTER,
                OUTER_GONE,
                "heap 0x10200+256",
                "register 0x10100+256 0x10300+512 in 0x10000",
                "register 0x10210+16 in 0x10200",
                "register 0x10800+64 in 0x10000",
                "unregister 0x10210+16",
                "unregister 0x10100+256 0x10300+512",
                "end 0x10200+256",
                OUTER,
                OUTER_GONE,
                "unregister 0x10800+64",
                END,
            ],
        );
    }

    #[test]
    fn no_piece_where_the_inner_heap_begins_with_the_region() {
        assert_told(
            "nested::at_the_start_of_a_region",
            &[
                HEAP,
                OUTER,
                OUTER_GONE,
                "heap 0x10100+256",
                "register 0x10200+768 in 0x10000",
                "register 0x10100+16 in 0x10100",
                "unregister 0x10100+16",
                "unregister 0x10200+768",
                "end 0x10100+256",
                OUTER,
                OUTER_GONE,
                END,
            ],
        );
    }

    #[test]
    fn no_pieces_where_the_inner_heap_is_all_of_the_region() {
        assert_told(
            "nested::all_of_a_region",
            &[
                HEAP,
                OUTER,
                OUTER_GONE,
                "heap 0x10100+1024",
                "register 0x10100+1024 in 0x10100",
                "unregister 0x10100+1024",
                "end 0x10100+1024",
                OUTER,
                OUTER_GONE,
                END,
            ],
        );
    }

    #[test]
    fn an_inner_heap_with_the_base_of_the_outer_one_is_not_sent_but_its_regions_are() {
        assert_told(
            "nested::at_the_base_of_the_outer_heap",
            &[
                HEAP,
                "register 0x10000+1024 in 0x10000",
                "unregister 0x10000+1024",
                "register 0x10100+768 in 0x10000",
                "register 0x10010+16 in 0x10000",
                "unregister 0x10010+16",
                "register 0x10000+256 in 0x10000",
                "unregister 0x10000+256",
                "unregister 0x10100+768",
                "register 0x10000+1024 in 0x10000",
                "unregister 0x10000+1024",
                END,
            ],
        );
    }

    #[test]
    fn two_heaps_of_one_domain_at_one_address() {
        assert_told(
            "nested::same_domain_at_the_base_of_the_outer_heap",
            &[
                HEAP,
                "register 0x10000+4096 in 0x10000",
                "unregister 0x10000+4096",
                "register 0x10100+3840 in 0x10000",
                "register 0x10010+16 in 0x10000",
                "unregister 0x10010+16",
                "unregister 0x10100+3840",
                "register 0x10000+4096 in 0x10000",
                "unregister 0x10000+4096",
                END,
            ],
        );
    }

    #[test]
    fn two_inner_heaps_on_one_region() {
        assert_told(
            "nested::side_by_side_on_one_region",
            &[
                HEAP,
                OUTER,
                OUTER_GONE,
                "heap 0x10100+256",
                "register 0x10200+768 in 0x10000",
                "unregister 0x10200+768",
                "heap 0x10300+256",
                "register 0x10200+256 0x10400+256 in 0x10000",
                "register 0x10100+16 in 0x10100",
                "register 0x10300+16 in 0x10300",
                "unregister 0x10100+16",
                "unregister 0x10200+256 0x10400+256",
                "end 0x10100+256",
                "register 0x10100+512 0x10400+256 in 0x10000",
                "unregister 0x10300+16",
                "unregister 0x10100+512 0x10400+256",
                "end 0x10300+256",
                OUTER,
                OUTER_GONE,
                END,
            ],
        );
    }

    #[test]
    fn a_heap_in_a_heap_in_a_heap() {
        assert_told(
            "nested::three_deep",
            &[
                HEAP,
                OUTER,
                OUTER_GONE,
                "heap 0x10100+1024",
                "register 0x10200+512 in 0x10100",
                "unregister 0x10200+512",
                "heap 0x10280+128",
                "register 0x10200+128 0x10300+256 in 0x10100",
                "register 0x10280+16 in 0x10280",
                "unregister 0x10280+16",
                "unregister 0x10200+128 0x10300+256",
                "end 0x10280+128",
                "register 0x10200+512 in 0x10100",
                "unregister 0x10200+512",
                "end 0x10100+1024",
                OUTER,
                OUTER_GONE,
                END,
            ],
        );
    }

    #[test]
    fn a_heap_on_a_region_of_no_heap() {
        assert_told(
            "nested::on_a_region_of_no_heap",
            &[
                "register 0x10000+4096",
                "unregister 0x10000+4096",
                "heap 0x10400+1024",
                "register 0x10000+1024 0x10800+2048",
                "register 0x10400+64 in 0x10400",
                "unregister 0x10400+64",
                "unregister 0x10000+1024 0x10800+2048",
                "end 0x10400+1024",
                "register 0x10000+4096",
                "unregister 0x10000+4096",
            ],
        );
    }

    #[test]
    fn an_inner_heap_grows_over_a_piece() {
        assert_told(
            "nested::inner_heap_grows",
            &[
                HEAP,
                OUTER,
                OUTER_GONE,
                "heap 0x10200+256",
                "register 0x10100+256 0x10300+512 in 0x10000",
                "register 0x10210+16 in 0x10200",
                // Everything that the growth changes, in four calls.
                "unregister 0x10210+16",
                "unregister 0x10100+256 0x10300+512",
                "end 0x10200+256",
                "heap 0x10200+512",
                "register 0x10210+16 in 0x10200",
                "register 0x10100+256 0x10400+256 in 0x10000",
                "register 0x10300+16 in 0x10200",
                "unregister 0x10210+16 0x10300+16",
                "unregister 0x10100+256 0x10400+256",
                "end 0x10200+512",
                OUTER,
                OUTER_GONE,
                END,
            ],
        );
    }

    #[test]
    fn an_arena_calls_its_backing_pool() {
        assert_told(
            "nested::moves_with_outer_alloc",
            &[
                HEAP,
                "register 0x10400+512 in 0x10000",
                "unregister 0x10400+512",
                "heap 0x10400+512",
                "register 0x10a00+64 in 0x10000",
                "unregister 0x10a00+64",
                "register 0x10400+32 in 0x10400",
                "unregister 0x10400+32",
                "end 0x10400+512",
                "register 0x10400+512 in 0x10000",
                "unregister 0x10400+512",
                END,
            ],
        );
    }
}

mod calls_in_calls {
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
}
