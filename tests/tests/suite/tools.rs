//! Tools of every kind: the program runs on, no rule is broken, and the tool's books are right.

use crate::{TEMPERS, scenario, under};
use mstx_tests::Output;

/// What is live at the checkpoints of the tour.
const TOUR: [&str; 8] = [
    "taken: 0x10000+16 0x10100+64 0x10200+64 0x10300+64 0x12000+4096",
    "resized: 0x10000+16 0x10100+32 0x10400+128 0x12000+4096",
    "nested: 0x10000+16 0x10100+32 0x10400+128 0x10800+256 0x10900+8 0x10980+128 0x12000+4096",
    "grown: 0x10000+16 0x10100+32 0x10400+128 0x10800+256 0x10900+8 0x10980+128 0x11000+256 0x12000+4096",
    "flat: 0x10000+16 0x10100+32 0x10400+128 0x10800+512 0x11000+256 0x12000+4096",
    "reset:",
    "again: 0x10200+8",
    "end:",
];

#[track_caller]
fn assert_tour(tool: &str) -> Output {
    let output = under(tool, "tools::tour");
    output.assert_clean();
    output.assert_printed(&TOUR);
    output.assert_open(&[]);
    assert_eq!(output.count("bytes"), 0, "{output:?}");
    output
}

#[test]
fn the_books_of_every_tool_are_right_at_every_checkpoint() {
    for tool in TEMPERS {
        let output = assert_tour(tool);
        // The name is asked for once, though it is declared twice.
        assert_eq!(output.starting("domain_create name=ptaCaching ").len(), 1, "{output:?}");
    }
}

#[test]
fn three_modules_of_the_right_sizes_are_offered() {
    for tool in TEMPERS {
        let init = format!("init temper={tool} modules=5,6,5");
        assert_eq!(under(tool, "process::one_region").events().next(), Some(&*init));
    }
}

#[test]
fn a_tool_that_writes_one_function_too_many_does_no_harm() {
    for tool in TEMPERS {
        assert_tour(&format!("{tool},extra"));
    }
}

#[test]
fn a_tool_that_would_fill_function_5_is_not_offered_it() {
    let output = assert_tour("full,permissions");
    assert_eq!(output.count("permissions_assign"), 0, "{output:?}");
}

#[test]
fn a_tool_without_heaps_and_domains_is_told_all_the_same() {
    for words in ["full,null-heaps", "msan,null-heaps", "full,refuses", "full,refuses-second", "full,null-heaps,refuses"] {
        assert_tour(words);
    }
}

#[test]
fn only_what_is_filled_is_called() {
    let output = under("full,partial", "tools::tour");
    output.assert_clean();
    for kind in ["domain_create", "heap_unregister", "regions_unregister", "mark", "range_start", "get_tool_id"] {
        assert_eq!(output.count(kind), 0, "{output:?}");
    }
    assert!(output.count("heap_register") > 0 && output.count("regions_register") > 0, "{output:?}");
}

#[test]
fn a_tool_that_failed_is_not_there() {
    let output = under("full,fails", "tools::tour");
    assert!(output.status.success(), "{output:?}");
    assert_eq!((output.count("calls"), output.count("violations")), (0, 0), "{output:?}");
}

#[test]
fn one_call_at_a_time() {
    for tool in TEMPERS {
        let output = under(&format!("{tool},slow-calls"), "tools::eight_threads");
        output.assert_clean();
        output.assert_printed(&["end:"]);
        assert_eq!((output.count("regions_registered"), output.count("regions_unregistered")), (160, 160), "{output:?}");
    }
}

#[test]
fn accesses_are_right_exactly_where_the_innermost_heap_has_a_region() {
    let output = under("msan", "tools::shadow");
    output.assert_clean();
}

#[test]
fn regions_of_a_heap_that_ended_do_not_come_back_with_it() {
    let output = under("msan", "tools::stale_regions");
    output.assert_keeps_rules();
    output.assert_open(&[]);
}

#[test]
fn what_happens_while_the_tool_initialises_is_told_afterwards() {
    for words in ["full,calls-back", "msan,calls-back", "pta,calls-back", "full,calls-back,slow-init"] {
        let output = under(words, "tools::calls_back");
        output.assert_clean();
        output.assert_printed(&["called back", "both: 0x10100+64 0x20100+64"]);
        output.assert_open(&[]);
        // The region that was gone before the tool was ready was never told.
        assert_eq!(output.count("regions_registered"), 2, "{output:?}");
        let ready = output.events().position(|event| event == "ready -> 0");
        let first = output.events().position(|event| event.contains("_register "));
        assert!(ready < first, "{output:?}");
    }
}

#[test]
fn a_tool_that_fails_after_it_has_called_back_is_told_nothing() {
    let output = under("full,calls-back,fails", "tools::calls_back");
    assert!(output.status.success(), "{output:?}");
    assert_eq!((output.count("calls"), output.count("violations")), (0, 0), "{output:?}");
}

#[test]
fn what_happens_inside_a_tools_call_is_told_after_it() {
    for words in ["full,re-enters", "msan,re-enters", "pta,re-enters"] {
        let output = under(words, "tools::re_enters");
        output.assert_clean();
        output.assert_printed(&["taken: 0x10100+64 0x20100+64", "given:"]);
        output.assert_open(&[]);
        let memory = output.memory();
        let without_heap = memory[2..6].iter().map(|call| call.split(" in ").next().unwrap_or_default());
        let order: Vec<&str> = without_heap.collect();
        let expected = ["register 0x10100+64", "register 0x20100+64", "unregister 0x10100+64", "unregister 0x20100+64"];
        assert_eq!(order, expected, "{output:?}");
    }
}

#[test]
fn a_name_that_the_tool_does_not_know_stops_nothing() {
    for tool in TEMPERS {
        let output = under(tool, "tools::unknown_name");
        output.assert_clean();
        output.assert_open(&[]);
        let knows_few = ["pointer-only", "atb", "pta"].contains(&tool);
        let answer = if knows_few { "Refused" } else { "Accepted" };
        output.assert_printed(&[&format!("my_own_name {answer}"), "ptaCaching Accepted"]);
        assert_eq!(output.count("domain_create"), 2, "{output:?}");
    }
}

#[test]
fn without_a_tool_the_program_is_the_same() {
    let output = scenario("tools::eight_threads").output();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    output.assert_printed(&["end:"]);
}

#[test]
fn what_threads_do_at_random_ends_in_the_same_books() {
    for tool in TEMPERS {
        let output = under(tool, "tools::random");
        output.assert_clean();
        output.assert_printed(&["true regions"]);
        output.assert_alternates();
    }
}

#[test]
fn errno_is_kept() {
    for output in [under("full", "tools::errno_is_kept"), under("msan", "tools::errno_is_kept")] {
        output.assert_keeps_rules();
        output.assert_printed(&["done"]);
    }
    scenario("tools::errno_is_kept").output().assert_printed(&["done"]);
}

#[test]
fn raw_calls_go_to_the_tool_and_past_the_books() {
    let output = under("full", "tools::raw_calls");
    output.assert_clean();
    output.assert_printed(&["false false"]);
    output.assert_memory(&["heap 0x40000+4096", "heap 0x10000+4096", "end 0x10000+4096", "end 0x40000+4096"]);
    scenario("tools::raw_calls").output().assert_printed(&["true true"]);
}

/// It is told of what is live when it comes; of a fault it is told instead of the standard error stream.
#[test]
fn a_tool_in_the_process_listens_next_to_the_injected_one() {
    let output = under("full", "tools::own_tool");
    output.assert_clean();
    output.assert_printed(&[
        "heap ptaCaching 0x10000+4096",
        "register 0x10100+64 in Some(65536)",
        "true false",
        "register 0x10200+64 0x10300+64 in Some(65536)",
        "heap host 0x90000+4096",
        "register 0x90100+64 in Some(589824)",
        "fault RegionLeaked",
        "unregister 0x90100+64",
        "end host 0x90000+4096",
        "fault UnknownRelease",
        "unregister 0x10100+64 0x10200+64 0x10300+64",
        "end ptaCaching 0x10000+4096",
        "end of all",
    ]);
    output.assert_memory(&[
        "heap 0x10000+4096",
        "register 0x10100+64 in 0x10000",
        "register 0x10200+64 0x10300+64 in 0x10000",
        "unregister 0x10100+64 0x10200+64 0x10300+64",
        "end 0x10000+4096",
    ]);
}

/// Before it nobody listened, and there were no books: what they do not know is no fault.
#[test]
fn a_tool_in_the_process_that_comes_late_is_told_of_what_follows() {
    let output = scenario("tools::own_tool").output();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    output.assert_printed(&[
        "true false",
        "register 0x10200+64 0x10300+64 in None",
        "heap host 0x90000+4096",
        "register 0x90100+64 in Some(589824)",
        "fault RegionLeaked",
        "unregister 0x90100+64",
        "end host 0x90000+4096",
        "end of all",
    ]);
}
