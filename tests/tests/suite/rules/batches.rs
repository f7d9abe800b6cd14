//! What is held back, and how long.

use super::*;
use crate::scenario;
use mstx_tests::Output;

/// How many regions are many in the scenarios.
const MANY: usize = 1000;

const FIRST: &str = "register 0x10100+64 in 0x10000";
const SECOND: &str = "register 0x10200+64 in 0x10000";
const BOTH: &str = "register 0x10100+64 0x10200+64 in 0x10000";

/// Asserts how many regions each call of a kind was about.
#[track_caller]
fn assert_counts(output: &Output, call: &str, expected: &[usize]) {
    let count = |event: &str| event.split(' ').find_map(|word| word.strip_prefix("count=")?.parse().ok());
    let counts: Vec<usize> = output.starting(call).into_iter().filter_map(count).collect();
    assert_eq!(counts, expected, "{output:?}");
}

mod whole_batches {
    use super::*;

    #[test]
    fn many_allocations_are_one_call_at_the_end() {
        for tool in crate::TEMPERS {
            let output = under(tool, "batches::many_allocations");
            output.assert_clean();
            assert_counts(&output, "regions_register", &[MANY]);
            assert_counts(&output, "regions_unregister", &[MANY]);
        }
        let output = under("full", "batches::many_allocations");
        let place = |start: &str| output.events().position(|event| event.starts_with(start));
        let (built, told, returned) =
            (place("mark message=\"built"), place("regions_register"), place("mark message=\"returned"));
        assert!(built < told && told < returned, "{output:?}");
    }

    #[test]
    fn what_comes_and_goes_is_not_told() {
        assert_told("batches::what_comes_and_goes", &[HEAP, END]);
    }

    #[test]
    fn what_comes_and_goes_is_not_remembered() {
        let output = under("full", "batches::memory_of_pairs");
        output.assert_clean();
        output.assert_printed(&["0 bytes", "0 bytes"]);
    }

    #[test]
    fn regions_of_no_heap_are_held_back_too() {
        let expected = ["mark in it", "register 0x10100+64", "mark after it", "mark in another", "unregister 0x10100+64"];
        assert_told_around_marks("batches::regions_of_no_heap", &expected);
    }

    #[test]
    fn there_is_one_call_for_what_goes_and_one_for_what_comes() {
        assert_told(
            "batches::what_comes_and_goes_outside",
            &[
                HEAP,
                FIRST,
                SECOND,
                "unregister 0x10100+64 0x10200+64",
                "register 0x10300+64 0x10400+64 in 0x10000",
                "unregister 0x10300+64 0x10400+64",
                END,
            ],
        );
    }

    #[test]
    fn a_closure_is_a_batch() {
        let expected = [HEAP, "mark in it", BOTH, "mark after it", "unregister 0x10100+64 0x10200+64", END];
        assert_told_around_marks("batches::a_closure", &expected);
    }

    #[test]
    fn an_early_return_ends_it() {
        let expected = [HEAP, "mark in it", FIRST, "mark after it", "unregister 0x10100+64", END];
        assert_told_around_marks("batches::an_early_return", &expected);
        assert_told_around_marks("batches::a_question_mark", &expected);
    }

    #[test]
    fn a_panic_ends_it() {
        assert_told_around_marks(
            "batches::a_panic",
            &[HEAP, "mark in it", FIRST, "mark after it", SECOND, "mark after both", "unregister 0x10100+64 0x10200+64", END],
        );
    }

    #[test]
    fn a_batch_in_a_batch_ends_with_the_outer_one() {
        assert_told_around_marks(
            "batches::batches_in_a_batch",
            &[
                HEAP,
                "mark in it",
                BOTH,
                "mark after it",
                "register 0x10300+64 in 0x10000",
                "unregister 0x10100+64 0x10200+64 0x10300+64",
                END,
            ],
        );
    }

    #[test]
    fn a_thread_that_ends_has_ended_its_batch() {
        let expected = [HEAP, BOTH, "mark joined", "unregister 0x10100+64 0x10200+64", END];
        assert_told_around_marks("batches::a_thread", &expected);
        assert_told_around_marks("batches::a_thread_that_panics", &expected);
    }

    #[test]
    fn there_is_one_call_for_each_heap() {
        assert_told(
            "batches::two_heaps",
            &[
                HEAP,
                "heap 0x20000+4096",
                BOTH,
                "register 0x20100+64 0x20200+64 in 0x20000",
                "unregister 0x10100+64 0x10200+64",
                "unregister 0x20100+64 0x20200+64",
                END,
                "end 0x20000+4096",
            ],
        );
    }

    #[test]
    fn the_checker_in_the_process_is_told_at_once() {
        let output = scenario("batches::a_fault").env("MSTX_CHECK", "1").output();
        let at = |text: &str| output.stderr.find(text);
        let (fault, end) = (at("released"), at("the batch ends"));
        assert!(fault.is_some() && fault < end, "{output:?}");
        let output = scenario("batches::a_fault").tool("full").env("MSTX_CHECK", "1").output();
        output.assert_keeps_rules();
        output.assert_memory(&[HEAP, END]);
    }

    #[test]
    fn a_forked_child_sends_nothing_of_it() {
        let output = under("full", "batches::fork_in_a_batch");
        output.assert_clean();
        output.assert_memory(&[HEAP, "register 0x10100+64 0x10400+64 in 0x10000", "unregister 0x10100+64 0x10400+64", END]);
        assert!(output.lines.iter().all(|line| line.process == output.process), "{output:?}");
    }

    #[test]
    fn what_else_the_environment_says_is_named() {
        let output = scenario("batches::what_comes_and_goes").tool("full").env("MSTX_BATCH", "1000").output();
        let said = "mstx: MSTX_BATCH: `1000` is ignored; expected `immediate`, or nothing";
        assert!(output.stderr.lines().any(|line| line == said), "{output:?}");
        output.assert_memory(&[HEAP, END]);
    }

    #[test]
    fn the_environment_can_have_each_event_told_at_once() {
        let immediate = |name: &str| {
            let output = scenario(name).tool("full").env("MSTX_BATCH", "immediate").output();
            output.assert_clean();
            output
        };
        assert_counts(&immediate("batches::many_allocations"), "regions_register", &[1; MANY]);
        assert_counts(&immediate("batches::what_comes_and_goes"), "regions_unregister", &[1; MANY]);
        assert_counts(&immediate("batches::deferred_pairs"), "regions_register", &[1; MANY]);
        immediate("batches::a_closure").assert_memory(&[HEAP, FIRST, SECOND, "unregister 0x10100+64 0x10200+64", END]);
    }
}

mod exits {
    use super::*;

    /// Once each, and before the tool's own exit handlers.
    #[test]
    fn what_is_pending_goes_out() {
        let expected = [HEAP, FIRST, "unregister 0x10100+64", "register 0x10200+64 0x10300+64 in 0x10000"];
        for name in ["batches::exit_in_a_batch", "batches::exit_with_a_deferred_heap"] {
            for tool in ["full", "msan"] {
                let output = under(tool, name);
                output.assert_clean();
                output.assert_memory(&expected);
                output.assert_open(&["0x10200+64", "0x10300+64"]);
            }
        }
    }

    #[test]
    fn what_is_pending_goes_out_when_main_returns() {
        let output = under("full", "batches::return_with_a_deferred_heap");
        output.assert_clean();
        output.assert_memory(&[HEAP, BOTH]);
    }
}

mod deferred {
    use super::*;

    #[test]
    fn the_events_of_all_threads_wait_for_a_flush() {
        let expected = [
            HEAP,
            "mark before",
            "register 0x10100+64 0x10300+64 in 0x10000",
            "mark after",
            "mark before the end",
            "unregister 0x10100+64 0x10300+64",
            END,
        ];
        assert_told_around_marks("batches::deferred", &expected);
        assert_told_around_marks("batches::deferred_by_option", &expected);
    }

    #[test]
    fn so_many_pending_are_told() {
        assert_told_around_marks(
            "batches::deferred_at_three",
            &[
                HEAP,
                "mark taken",
                "mark taken",
                "register 0x10100+64 0x10200+64 0x10300+64 in 0x10000",
                "mark taken",
                "mark taken",
                "mark taken",
                "register 0x10400+64 0x10500+64 in 0x10000",
            ],
        );
    }

    #[test]
    fn what_comes_and_goes_is_not_told() {
        assert_told("batches::deferred_pairs", &[HEAP, END]);
    }

    #[test]
    fn the_end_of_the_heap_tells_what_went() {
        let expected = [HEAP, FIRST, "mark before", "unregister 0x10100+64", END, "mark after"];
        assert_told_around_marks("batches::end_of_a_deferred_heap", &expected);
    }
}

mod flushes {
    use super::*;

    #[test]
    fn a_flush_function_tells_everything_before_its_body() {
        let expected = [HEAP, FIRST, "mark launched", "unregister 0x10100+64", "mark launched", END];
        assert_told_around_marks("batches::flush_function", &expected);
    }

    #[test]
    fn the_batches_of_other_threads_are_told() {
        assert_told_around_marks(
            "batches::flush_of_another_batch",
            &[HEAP, FIRST, "mark launched", "mark the batch ends", SECOND, "unregister 0x10100+64 0x10200+64", END],
        );
    }
}

mod whole_heaps {
    use super::*;

    #[test]
    fn a_reset_is_one_call() {
        let output = under("full", "batches::reset_of_many");
        output.assert_clean();
        assert_counts(&output, "regions_register", &[MANY]);
        assert_counts(&output, "regions_unregister", &[MANY]);
    }

    /// What was taken and went again between the two resets takes over nothing and leaves nothing behind.
    #[test]
    fn resets_in_a_batch_are_one_call() {
        let output = under("full", "batches::reset_of_many_in_a_batch");
        output.assert_clean();
        assert_counts(&output, "regions_register", &[MANY]);
        assert_counts(&output, "regions_unregister", &[MANY]);
    }

    /// Out of the old heap, and into the new one.
    #[test]
    fn a_change_of_size_is_two_calls_besides_those_of_the_heap() {
        for name in ["batches::growth_of_many", "batches::growth_of_many_in_a_batch"] {
            for tool in crate::TEMPERS {
                let output = under(tool, name);
                output.assert_clean();
                output.assert_open(&[]);
                assert_counts(&output, "regions_register", &[100; 3]);
                assert_counts(&output, "regions_unregister", &[100; 3]);
                assert_eq!(output.starting("heap_register").len(), 3, "{output:?}");
                assert_eq!(output.starting("heap_unregister").len(), 3, "{output:?}");
            }
        }
    }
}
