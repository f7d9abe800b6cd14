//! The traces, each with the calls that the tool must get.
//!
//! `a`, `b` and `c` are threads; ranges are slots. The parts of a function (before its body, after it) are calls of their own, so
//! that each trace happens just so.

#![allow(clippy::single_range_in_vec_init, reason = "a list of one range of slots is meant")]

use std::ops::Range;

use crate::TOOL;
use crate::common::{Actor, INNER, Pool, World};

/// A world with one pool in it, and three threads.
struct Scene {
    world: World,
    pool: Pool,
    a: Actor,
    b: Actor,
    c: Actor,
}

impl Scene {
    /// With a pool that is reported already.
    fn new() -> Self {
        Self::with(|pool| pool)
    }

    fn with(describe: impl FnOnce(Pool) -> Pool) -> Self {
        let scene = Self::bare(describe);
        scene.a.begin(scene.pool);
        scene.world.assert_told(&["heap 0..16"]);
        scene
    }

    /// With a pool that is not reported.
    fn bare(describe: impl FnOnce(Pool) -> Pool) -> Self {
        let world = World::under(TOOL);
        let pool = describe(world.pool(0..16));
        Self { world, pool, a: Actor::new(), b: Actor::new(), c: Actor::new() }
    }

    fn told(&self, expected: &[&str]) {
        self.world.assert_told(expected);
        self.world.assert_clean();
    }

    /// What msSanitizer would let be accessed is just this.
    fn accessible(&self, slots: &[Range<usize>]) {
        for slot in 0..16 {
            if let Some(accessible) = self.world.accessible(slot) {
                assert_eq!(accessible, slots.iter().any(|range| range.contains(&slot)), "slot {slot}");
            }
        }
    }
}

/// Whole functions.
impl Actor {
    fn begin(&self, pool: Pool) {
        self.run(move || pool.begun(pool.begin()));
    }

    fn end(&self, pool: Pool) {
        self.run(move || drop(pool.end()));
    }

    fn take(&self, pool: Pool, slots: Range<usize>) {
        self.run(move || pool.taken(pool.take(), &[slots]));
    }

    fn give(&self, pool: Pool, slots: Range<usize>) {
        self.run(move || drop(pool.give(&slots)));
    }

    fn give_refused(&self, pool: Pool, slots: Range<usize>) {
        self.run(move || pool.give(&slots).refused());
    }

    fn change(&self, pool: Pool, slots: Range<usize>, to: Range<usize>) {
        self.run(move || pool.changed(pool.change(&slots, to.len()), to.start));
    }

    fn set_size(&self, pool: Pool, size: usize) {
        self.run(move || pool.set_size(size).succeeded());
    }

    fn flush(&self) {
        self.run(mstx_runtime::flush);
    }
}

mod batches {
    use super::*;

    #[test]
    fn a_region_that_dies_in_another_batch_is_never_sent() {
        let s = Scene::new();
        let first = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        let second = s.b.open_batch();
        s.b.give(s.pool, 1..3);
        s.b.close(second);
        s.a.close(first);
        s.told(&[]);
    }

    #[test]
    fn a_pending_unregister_goes_before_a_register_that_overlaps_it() {
        let s = Scene::new();
        s.b.take(s.pool, 0..2);
        s.told(&["register 0..2"]);
        let theirs = s.b.open_batch();
        s.b.give(s.pool, 0..2);
        let ours = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        s.told(&[]);
        s.a.close(ours);
        s.told(&["unregister 0..2", "register 1..3"]);
        s.b.close(theirs);
        s.told(&[]);
    }

    #[test]
    fn an_event_outside_does_not_end_the_batches_of_others() {
        let s = Scene::new();
        let batch = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        s.b.take(s.pool, 4..5);
        s.told(&["register 4..5"]);
        s.a.give(s.pool, 1..3);
        s.a.close(batch);
        s.told(&[]);
    }

    #[test]
    fn a_release_leaves_nothing_of_its_range_at_the_tool() {
        let s = Scene::new();
        s.a.take(s.pool, 2..4);
        s.told(&["register 2..4"]);
        let batch = s.a.open_batch();
        s.a.give(s.pool, 2..4);
        s.a.take(s.pool, 3..4);
        s.told(&[]);
        s.b.give(s.pool, 3..4);
        s.told(&["unregister 2..4"]);
        s.a.close(batch);
        s.told(&[]);
        s.accessible(&[]);
    }

    #[test]
    fn a_batch_sends_one_unregister_and_one_register() {
        let s = Scene::new();
        s.a.take(s.pool, 0..1);
        s.a.take(s.pool, 1..2);
        s.told(&["register 0..1", "register 1..2"]);
        let batch = s.a.open_batch();
        s.a.take(s.pool, 4..5);
        s.a.give(s.pool, 0..1);
        s.a.take(s.pool, 5..6);
        s.a.give(s.pool, 1..2);
        s.told(&[]);
        s.a.close(batch);
        s.told(&["unregister 0..1 1..2", "register 4..5 5..6"]);
    }

    #[test]
    fn a_batch_in_a_batch_is_part_of_it() {
        let s = Scene::new();
        let outer = s.a.open_batch();
        let inner = s.a.open_batch();
        s.a.take(s.pool, 0..1);
        s.a.close(inner);
        s.told(&[]);
        s.a.close(outer);
        s.told(&["register 0..1"]);
    }

    #[test]
    fn an_equal_region_takes_over_the_place_of_one_that_left_in_the_batch() {
        let s = Scene::new();
        s.a.take(s.pool, 1..3);
        s.told(&["register 1..3"]);
        let batch = s.a.open_batch();
        s.a.give(s.pool, 1..3);
        s.b.take(s.pool, 1..3);
        s.told(&[]);
        s.a.close(batch);
        s.told(&[]);
        s.b.give(s.pool, 1..3);
        s.told(&["unregister 1..3"]);
    }

    #[test]
    fn a_flush_sends_the_batches_of_others() {
        let s = Scene::new();
        let batch = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        s.b.flush();
        s.told(&["register 1..3"]);
        s.a.give(s.pool, 1..3);
        s.told(&[]);
        s.b.flush();
        s.told(&["unregister 1..3"]);
        s.a.close(batch);
        s.told(&[]);
    }

    #[test]
    fn a_flush_in_a_batch_sends_it_and_leaves_it_open() {
        let s = Scene::new();
        let batch = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        s.a.flush();
        s.told(&["register 1..3"]);
        s.a.take(s.pool, 4..5);
        s.told(&[]);
        s.a.close(batch);
        s.told(&["register 4..5"]);
    }

    #[test]
    fn the_end_of_a_heap_forgets_what_was_not_sent() {
        let s = Scene::new();
        s.b.take(s.pool, 0..1);
        s.told(&["register 0..1"]);
        let batch = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        s.a.give(s.pool, 0..1);
        s.a.give(s.pool, 1..3);
        s.b.end(s.pool);
        s.told(&["unregister 0..1", "end 0..16"]);
        s.a.close(batch);
        s.told(&[]);
    }

    #[test]
    fn a_reset_during_the_batch_of_another_thread_sends_only_what_was_sent_before() {
        let s = Scene::new();
        s.b.take(s.pool, 0..1);
        s.told(&["register 0..1"]);
        let batch = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        s.b.run({
            let pool = s.pool;
            move || drop(pool.clear())
        });
        s.told(&["unregister 0..1"]);
        s.a.close(batch);
        s.told(&[]);
    }
}

mod deferred_heaps {
    use super::*;

    #[test]
    fn the_events_of_all_threads_wait_for_a_flush() {
        let s = Scene::with(Pool::deferred);
        s.a.take(s.pool, 0..1);
        s.b.take(s.pool, 1..2);
        s.b.give(s.pool, 0..1);
        s.told(&[]);
        s.c.flush();
        s.told(&["register 1..2"]);
        s.a.give(s.pool, 1..2);
        s.told(&[]);
        s.c.flush();
        s.told(&["unregister 1..2"]);
    }

    #[test]
    fn so_many_pending_are_sent() {
        let s = Scene::with(|pool| pool.deferred_at(3));
        s.a.take(s.pool, 0..1);
        s.b.take(s.pool, 1..2);
        s.told(&[]);
        s.a.take(s.pool, 2..3);
        s.told(&["register 0..1 1..2 2..3"]);
        s.a.take(s.pool, 3..4);
        s.told(&[]);
    }

    #[test]
    fn what_came_and_went_is_not_pending() {
        let s = Scene::with(|pool| pool.deferred_at(3));
        for _ in 0..10 {
            s.a.take(s.pool, 0..1);
            s.a.give(s.pool, 0..1);
        }
        s.a.take(s.pool, 1..2);
        s.a.take(s.pool, 2..3);
        s.told(&[]);
    }

    #[test]
    fn a_batch_that_ends_does_not_flush_them() {
        let s = Scene::with(Pool::deferred);
        let batch = s.a.open_batch();
        s.a.take(s.pool, 0..1);
        s.a.close(batch);
        s.told(&[]);
        s.a.flush();
        s.told(&["register 0..1"]);
    }

    #[test]
    fn their_end_sends_what_the_tool_still_knows() {
        let s = Scene::with(Pool::deferred);
        s.a.take(s.pool, 0..1);
        s.a.flush();
        s.a.give(s.pool, 0..1);
        s.a.take(s.pool, 1..2);
        s.a.give(s.pool, 1..2);
        s.told(&["register 0..1"]);
        s.a.end(s.pool);
        s.told(&["unregister 0..1", "end 0..16"]);
    }

    #[test]
    fn an_event_of_another_heap_does_not_flush_them() {
        let s = Scene::with(Pool::deferred);
        let other = s.world.pool(20..30);
        s.a.begin(other);
        s.a.take(s.pool, 0..1);
        s.a.take(other, 20..21);
        s.told(&["heap 20..30", "register 20..21"]);
    }
}

mod resizes {
    use super::*;

    #[test]
    fn a_region_that_has_moved_makes_way() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        s.told(&["register 1..3"]);
        let resize = s.a.run(move || pool.change(&(1..3), 1));
        s.told(&[]);
        s.b.take(pool, 0..2);
        s.told(&["unregister 1..3", "register 0..2"]);
        s.a.run(move || pool.changed(resize, 3));
        s.told(&["register 3..4"]);
    }

    #[test]
    fn a_refused_resize_changes_nothing() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        let resize = s.a.run(move || pool.change(&(1..3), 5));
        s.b.take(pool, 3..4);
        s.a.run(|| drop(resize));
        s.told(&["register 1..3", "register 3..4"]);
        s.accessible(&[1..4]);
    }

    #[test]
    fn the_same_place_and_size_send_nothing() {
        let s = Scene::new();
        s.a.take(s.pool, 1..3);
        s.told(&["register 1..3"]);
        s.a.change(s.pool, 1..3, 1..3);
        s.told(&[]);
    }

    #[test]
    fn in_a_batch_only_the_last_place_is_sent() {
        let s = Scene::new();
        let batch = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        s.a.change(s.pool, 1..3, 1..5);
        s.a.change(s.pool, 1..5, 8..14);
        s.a.close(batch);
        s.told(&["register 8..14"]);
    }

    #[test]
    fn a_heap_that_shrinks_ends_regions_that_are_being_resized() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 10..14);
        s.told(&["register 10..14"]);
        let resize = s.a.run(move || pool.change(&(10..14), 2));
        s.b.set_size(pool, 8);
        s.a.run(move || pool.changed(resize, 2));
        assert_eq!(s.world.live(), [2..4]);
        s.world.assert_clean();
    }
}

mod resets {
    use super::*;

    #[test]
    fn an_allocation_that_a_reset_overtook_makes_way() {
        let s = Scene::new();
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        let reset = s.b.run(move || pool.clear());
        s.a.run(move || pool.taken(late, &[1..3]));
        s.told(&["register 1..3"]);
        s.b.run(|| drop(reset));
        s.b.take(pool, 2..5);
        s.told(&["unregister 1..3", "register 2..5"]);
        s.accessible(&[2..5]);
    }

    #[test]
    fn an_allocation_made_after_the_reset_began_is_kept() {
        let s = Scene::new();
        let pool = s.pool;
        let early = s.a.run(move || pool.take());
        s.b.run(move || drop(pool.clear()));
        s.a.run(move || pool.taken(early, &[1..3]));
        s.told(&["register 1..3"]);
        s.a.give(pool, 1..3);
        s.told(&["unregister 1..3"]);
    }

    #[test]
    fn an_allocation_that_a_reset_overtook_does_not_displace_another() {
        let s = Scene::new();
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        s.b.run(move || drop(pool.clear()));
        s.b.take(pool, 2..5);
        s.told(&["register 2..5"]);
        s.a.run(move || pool.taken(late, &[1..3]));
        s.told(&[]);
    }

    #[test]
    fn of_two_that_a_reset_overtook_the_later_stays_and_the_release_of_the_other_is_silent() {
        let s = Scene::new();
        let pool = s.pool;
        let first = s.a.run(move || pool.take());
        let second = s.b.run(move || pool.take());
        s.c.run(move || drop(pool.clear()));
        s.a.run(move || pool.taken(first, &[2..5]));
        s.b.run(move || pool.taken(second, &[1..3]));
        s.told(&["register 2..5", "unregister 2..5", "register 1..3"]);
        s.a.give(pool, 2..5);
        s.told(&[]);
    }

    #[test]
    fn the_release_of_the_other_is_silent_also_after_a_third_has_replaced_the_later() {
        let s = Scene::new();
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        let early = s.b.run(move || pool.take());
        s.c.run(move || drop(pool.clear()));
        s.b.run(move || pool.taken(early, &[2..4]));
        s.a.run(move || pool.taken(late, &[2..5]));
        s.c.take(pool, 4..6);
        s.b.give(pool, 2..4);
        s.world.assert_clean();
        assert_eq!(s.world.live(), [4..6]);
    }

    /// A region at 2..5 that is live in the memory, and that another report has displaced from the books.
    fn displaced(s: &Scene) {
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        let early = s.b.run(move || pool.take());
        s.c.run(move || drop(pool.clear()));
        s.b.run(move || pool.taken(early, &[2..5]));
        s.a.run(move || pool.taken(late, &[3..4]));
    }

    #[test]
    fn the_release_of_the_other_is_silent_also_after_a_refused_one() {
        let s = Scene::new();
        displaced(&s);
        s.b.give_refused(s.pool, 2..5);
        s.b.give(s.pool, 2..5);
        s.world.assert_clean();
    }

    #[test]
    fn the_release_of_the_other_is_silent_also_after_a_refused_resize() {
        let s = Scene::new();
        displaced(&s);
        let pool = s.pool;
        s.b.run(move || drop(pool.change(&(2..5), 7)));
        s.b.give(pool, 2..5);
        s.world.assert_clean();
    }

    #[test]
    fn a_release_during_a_reset_is_no_fault() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        let reset = s.b.run(move || pool.clear());
        s.told(&["register 1..3", "unregister 1..3"]);
        s.c.give(pool, 1..3);
        s.b.run(|| drop(reset));
        s.told(&[]);
    }

    #[test]
    fn a_release_during_a_reset_sends_what_is_pending_there() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        s.a.take(pool, 4..5);
        s.told(&["register 1..3", "register 4..5"]);
        let batch = s.b.open_batch();
        let reset = s.b.run(move || pool.clear());
        s.told(&[]);
        s.c.give(pool, 1..3);
        s.told(&["unregister 1..3"]);
        s.b.run(|| drop(reset));
        s.b.close(batch);
        s.told(&["unregister 4..5"]);
    }

    #[test]
    fn a_release_and_an_allocation_during_the_end_of_a_heap_are_no_faults() {
        let s = Scene::new();
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        let end = s.b.run(move || pool.end());
        s.told(&["end 0..16"]);
        s.a.run(move || pool.taken(late, &[1..3]));
        s.a.give(pool, 1..3);
        let later = s.a.run(move || pool.take());
        s.a.run(move || pool.taken(later, &[4..5]));
        s.b.run(|| drop(end));
        s.told(&[]);
    }

    #[test]
    fn a_report_after_its_heap_ended_is_dropped() {
        let s = Scene::new();
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        s.b.end(pool);
        s.a.run(move || pool.taken(late, &[1..3]));
        s.told(&["end 0..16"]);
    }

    #[test]
    fn a_report_after_its_heap_ended_and_another_began_there_makes_way() {
        let s = Scene::new();
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        s.b.end(pool);
        s.b.begin(pool);
        s.a.run(move || pool.taken(late, &[1..3]));
        s.b.take(pool, 2..4);
        assert_eq!(s.world.live(), [2..4]);
        s.world.assert_clean();
    }

    #[test]
    fn a_resize_that_a_reset_overtook_makes_way() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        let resize = s.a.run(move || pool.change(&(1..3), 4));
        s.b.run(move || drop(pool.clear()));
        s.a.run(move || pool.changed(resize, 1));
        s.b.take(pool, 0..2);
        assert_eq!(s.world.live(), [0..2]);
        s.world.assert_clean();
    }

    #[test]
    fn a_refused_release_that_a_reset_overtook_makes_way() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        let refused = s.a.run(move || pool.give(&(1..3)));
        s.b.run(move || drop(pool.clear()));
        s.a.run(|| refused.refused());
        s.b.take(pool, 2..5);
        assert_eq!(s.world.live(), [2..5]);
        s.world.assert_clean();
    }

    #[test]
    fn a_refused_release_takes_its_place_back_from_an_allocation_that_a_reset_overtook() {
        let s = Scene::new();
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        s.b.run(move || drop(pool.clear()));
        s.b.take(pool, 2..5);
        let refused = s.b.run(move || pool.give(&(2..5)));
        s.a.run(move || pool.taken(late, &[1..3]));
        s.b.run(|| refused.refused());
        s.b.give(pool, 2..5);
        s.world.assert_clean();
    }

    #[test]
    fn an_allocation_that_a_reset_overtook_may_lie_beyond_what_its_heap_has_shrunk_to() {
        let s = Scene::new();
        let pool = s.pool;
        let late = s.a.run(move || pool.take());
        s.b.run(move || drop(pool.clear()));
        s.b.set_size(pool, 8);
        s.a.run(move || pool.taken(late, &[9..12]));
        s.world.assert_clean();
        assert_eq!(s.world.live(), []);
    }

    #[test]
    fn an_allocation_that_the_end_of_its_heap_overtook_may_lie_beyond_a_smaller_one_that_began_there() {
        let s = Scene::new();
        let (pool, smaller) = (s.pool, s.world.pool(0..8));
        let late = s.a.run(move || pool.take());
        s.b.end(pool);
        s.b.begin(smaller);
        s.a.run(move || pool.taken(late, &[9..12]));
        s.world.assert_clean();
        assert_eq!(s.world.live(), []);
    }

    #[test]
    fn an_allocation_from_a_new_heap_in_memory_of_one_whose_end_has_not_returned_is_kept() {
        let s = Scene::new();
        let (pool, next) = (s.pool, s.world.pool(4..12));
        let end = s.a.run(move || pool.end());
        s.b.begin(next);
        s.b.run(move || next.taken(next.take_anywhere(), &[5..6]));
        assert_eq!(s.world.live(), [5..6]);
        s.a.run(|| drop(end));
        s.b.give(next, 5..6);
        s.world.assert_clean();
    }

    #[test]
    fn a_release_during_the_reset_of_a_heap_that_starts_with_its_region_is_no_fault() {
        let s = Scene::new();
        let inner = s.world.pool(2..6).of(&INNER);
        s.a.take(s.pool, 2..8);
        s.a.begin(inner);
        s.a.take(inner, 2..4);
        let reset = s.a.run(move || inner.clear());
        s.b.give(inner, 2..4);
        s.a.run(|| drop(reset));
        s.world.assert_clean();
    }
}

mod waiting {
    use super::*;

    #[test]
    fn a_region_may_be_reported_before_its_heap() {
        let s = Scene::bare(|pool| pool);
        let pool = s.pool;
        let heap = s.a.run(move || pool.begin());
        s.b.take(pool, 1..3);
        s.told(&[]);
        s.a.run(move || pool.begun(heap));
        s.told(&["heap 0..16", "register 1..3"]);
    }

    #[test]
    fn a_region_that_came_and_went_before_its_heap_is_not_sent() {
        let s = Scene::bare(|pool| pool);
        let pool = s.pool;
        let heap = s.a.run(move || pool.begin());
        s.b.take(pool, 1..3);
        s.b.give(pool, 1..3);
        s.a.run(move || pool.begun(heap));
        s.told(&["heap 0..16"]);
    }

    #[test]
    fn a_region_that_waited_is_not_held_back_by_the_batch_that_reports_the_heap() {
        let s = Scene::bare(|pool| pool);
        let pool = s.pool;
        let batch = s.a.open_batch();
        let heap = s.a.run(move || pool.begin());
        s.b.take(pool, 1..3);
        s.a.run(move || pool.begun(heap));
        assert_eq!(s.world.live(), [1..3]);
        s.a.close(batch);
        s.told(&["heap 0..16", "register 1..3"]);
    }

    #[test]
    fn a_region_may_be_reported_before_the_growth_of_its_heap() {
        let s = Scene::new();
        let pool = s.pool;
        let growth = s.a.run(move || pool.set_size(32));
        s.b.take(pool, 15..20);
        s.b.take(pool, 20..21);
        s.told(&[]);
        s.a.run(|| growth.succeeded());
        assert_eq!(s.world.live(), [15..20, 20..21]);
        s.world.assert_clean();
    }

    #[test]
    fn a_region_may_be_reported_before_its_heap_on_a_region() {
        let s = Scene::new();
        let inner = s.world.pool(4..8);
        s.a.take(s.pool, 2..10);
        s.told(&["register 2..10"]);
        let heap = s.a.run(move || inner.begin());
        s.b.take(inner, 5..6);
        s.told(&[]);
        s.a.run(move || inner.begun(heap));
        s.told(&["unregister 2..10", "heap 4..8", "register 2..4 8..10", "register 5..6"]);
    }

    #[test]
    fn a_region_may_be_reported_before_the_second_heap_on_a_region() {
        let s = Scene::new();
        let (first, second) = (s.world.pool(2..4), s.world.pool(4..8));
        s.a.take(s.pool, 2..10);
        s.a.begin(first);
        let heap = s.a.run(move || second.begin());
        s.b.take(second, 5..6);
        s.a.run(move || second.begun(heap));
        assert_eq!(s.world.live(), [5..6, 8..10]);
        s.accessible(&[5..6, 8..10]);
        s.world.assert_clean();
    }

    #[test]
    fn a_refused_release_of_a_region_that_waits_changes_nothing() {
        let s = Scene::bare(|pool| pool);
        let pool = s.pool;
        let heap = s.a.run(move || pool.begin());
        s.b.take(pool, 1..3);
        s.b.give_refused(pool, 1..3);
        s.a.run(move || pool.begun(heap));
        s.told(&["heap 0..16", "register 1..3"]);
        s.b.give(pool, 1..3);
        s.told(&["unregister 1..3"]);
    }

    #[test]
    fn a_refused_resize_of_a_region_that_waits_changes_nothing() {
        let s = Scene::bare(|pool| pool);
        let pool = s.pool;
        let heap = s.a.run(move || pool.begin());
        s.b.take(pool, 1..3);
        s.b.run(move || drop(pool.change(&(1..3), 4)));
        s.a.run(move || pool.begun(heap));
        s.told(&["heap 0..16", "register 1..3"]);
        s.b.give(pool, 1..3);
        s.told(&["unregister 1..3"]);
    }

    #[test]
    fn of_two_that_wait_at_one_address_neither_outlives_the_release() {
        let s = Scene::new();
        let pool = s.pool;
        let growth = s.a.run(move || pool.set_size(32));
        let late = s.b.run(move || pool.take());
        s.c.run(move || drop(pool.clear()));
        s.b.run(move || pool.taken(late, &[20..22]));
        s.c.take(pool, 20..21);
        s.c.give(pool, 20..21);
        s.a.run(|| growth.succeeded());
        s.c.take(pool, 20..23);
        s.world.assert_clean();
        assert_eq!(s.world.live(), [20..23]);
    }

    #[test]
    fn what_no_heap_came_for_is_a_fault() {
        let s = Scene::new();
        let elsewhere = s.world.pool(100..110);
        let heap = s.a.run(move || elsewhere.begin());
        s.b.take(s.pool, 40..41);
        s.world.assert_clean();
        s.a.run(|| drop(heap));
        assert_eq!(s.world.wrong().0, 1);
        s.world.assert_told(&[]);
    }
}

mod sizes {
    use super::*;

    #[test]
    fn a_shrink_is_told_before_the_body() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        s.a.take(pool, 4..5);
        s.told(&["register 1..3", "register 4..5"]);
        let shrink = s.a.run(move || pool.set_size(8));
        let expected = ["unregister 1..3 4..5", "end 0..16", "heap 0..8", "register 1..3 4..5"];
        s.told(&expected);
        s.a.run(|| shrink.succeeded());
        s.told(&[]);
    }

    #[test]
    fn a_growth_is_told_after_the_body() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        s.a.take(pool, 4..5);
        s.told(&["register 1..3", "register 4..5"]);
        let growth = s.a.run(move || pool.set_size(24));
        s.told(&[]);
        s.a.run(|| growth.succeeded());
        s.told(&["unregister 1..3 4..5", "end 0..16", "heap 0..24", "register 1..3 4..5"]);
    }

    #[test]
    fn a_shrink_in_a_batch_is_told_before_the_body() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        s.told(&["register 1..3"]);
        let batch = s.a.open_batch();
        let shrink = s.a.run(move || pool.set_size(8));
        let told = s.world.told();
        assert_eq!(told[..3], ["unregister 1..3", "end 0..16", "heap 0..8"]);
        s.a.run(|| shrink.succeeded());
        s.a.close(batch);
        assert_eq!(s.world.live(), [1..3]);
        s.world.assert_clean();
    }

    #[test]
    fn a_resize_in_a_batch_does_not_take_the_regions_of_others_from_the_tool() {
        let s = Scene::new();
        s.b.take(s.pool, 1..3);
        let batch = s.a.open_batch();
        s.a.set_size(s.pool, 8);
        assert_eq!(s.world.live(), [1..3]);
        s.a.close(batch);
        s.world.assert_clean();
    }

    #[test]
    fn a_reset_is_one_call() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.run(move || pool.taken(pool.take(), &[1..2, 3..4, 5..6]));
        s.told(&["register 1..2 3..4 5..6"]);
        s.a.run(move || drop(pool.clear()));
        s.told(&["unregister 1..2 3..4 5..6"]);
    }
}

mod nested {
    use super::*;

    #[test]
    fn a_heap_on_a_pending_region_leaves_only_the_pieces_beside_it_accessible() {
        let s = Scene::new();
        let inner = s.world.pool(3..6);
        let batch = s.a.open_batch();
        s.a.take(s.pool, 1..9);
        s.a.begin(inner);
        s.a.close(batch);
        s.told(&["heap 3..6", "register 1..3 6..9"]);
        s.accessible(&[1..3, 6..9]);
        s.a.take(inner, 4..5);
        s.accessible(&[1..3, 4..5, 6..9]);
    }

    #[test]
    fn a_region_at_the_address_of_the_outer_region_is_known_by_itself() {
        let s = Scene::new();
        let inner = s.world.pool(2..6);
        s.a.take(s.pool, 2..8);
        s.a.begin(inner);
        s.a.take(inner, 2..4);
        s.told(&["register 2..8", "unregister 2..8", "heap 2..6", "register 6..8", "register 2..4"]);
        s.a.give(inner, 2..4);
        s.a.end(inner);
        s.told(&["unregister 2..4", "unregister 6..8", "end 2..6", "register 2..8"]);
        s.accessible(&[2..8]);
    }

    #[test]
    fn a_heap_at_the_base_of_another_is_not_sent_and_its_end_leaves_the_other_alone() {
        let s = Scene::new();
        let inner = s.world.pool(0..4);
        s.a.take(s.pool, 0..8);
        s.a.begin(inner);
        s.a.take(inner, 1..2);
        s.told(&["register 0..8", "unregister 0..8", "register 4..8", "register 1..2"]);
        s.a.give(inner, 1..2);
        s.a.end(inner);
        s.told(&["unregister 1..2", "unregister 4..8", "register 0..8"]);
        s.a.give(s.pool, 0..8);
        s.told(&["unregister 0..8"]);
    }

    #[test]
    fn the_region_below_comes_back_at_once_also_in_a_batch() {
        let s = Scene::new();
        let inner = s.world.pool(3..6);
        s.a.take(s.pool, 1..9);
        s.a.begin(inner);
        s.world.told();
        let batch = s.a.open_batch();
        s.a.end(inner);
        s.told(&["unregister 1..3 6..9", "end 3..6", "register 1..9"]);
        s.a.close(batch);
        s.told(&[]);
    }

    #[test]
    fn a_heap_on_a_region_of_a_deferred_heap_is_true_at_once() {
        let s = Scene::with(Pool::deferred);
        let inner = s.world.pool(3..6);
        s.a.take(s.pool, 1..9);
        s.a.begin(inner);
        s.told(&["heap 3..6", "register 1..3 6..9"]);
        s.a.end(inner);
        s.told(&["unregister 1..3 6..9", "end 3..6", "register 1..9"]);
        s.a.give(s.pool, 1..9);
        s.told(&[]);
        s.a.flush();
        s.told(&["unregister 1..9"]);
    }
}

mod calls_in_calls {
    use super::*;

    #[test]
    fn an_allocation_in_an_allocation_is_replaced() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.run(move || {
            let outer = pool.take();
            pool.taken(pool.take(), &[1..2]);
            pool.taken(outer, &[1..4]);
        });
        s.told(&["register 1..2", "unregister 1..2", "register 1..4"]);
    }

    #[test]
    fn in_a_batch_only_the_outer_one_is_sent() {
        let s = Scene::new();
        let pool = s.pool;
        let batch = s.a.open_batch();
        s.a.run(move || {
            let outer = pool.take();
            pool.taken(pool.take(), &[1..2]);
            pool.taken(pool.take(), &[2..4]);
            pool.taken(outer, &[1..4]);
        });
        s.a.close(batch);
        s.told(&["register 1..4"]);
    }

    #[test]
    fn an_allocation_and_a_release_in_a_resize_are_no_faults() {
        let s = Scene::new();
        let pool = s.pool;
        s.a.take(pool, 1..3);
        s.a.run(move || {
            let resize = pool.change(&(1..3), 4);
            pool.taken(pool.take(), &[8..12]);
            drop(pool.give(&(1..3)));
            pool.changed(resize, 8);
        });
        assert_eq!(s.world.live(), [8..12]);
        s.world.assert_clean();
    }
}

mod refusals {
    use super::*;

    #[test]
    fn a_refused_release_leaves_the_region_live() {
        let s = Scene::new();
        s.a.take(s.pool, 1..3);
        s.a.give_refused(s.pool, 1..3);
        s.told(&["register 1..3", "unregister 1..3", "register 1..3"]);
        s.b.give(s.pool, 1..3);
        s.told(&["unregister 1..3"]);
    }

    #[test]
    fn in_a_batch_nothing_is_sent_of_it() {
        let s = Scene::new();
        s.a.take(s.pool, 1..3);
        s.told(&["register 1..3"]);
        let batch = s.a.open_batch();
        s.a.give_refused(s.pool, 1..3);
        s.a.close(batch);
        s.told(&[]);
        s.b.give(s.pool, 1..3);
        s.told(&["unregister 1..3"]);
    }

    #[test]
    fn a_region_that_was_never_sent_stays_pending() {
        let s = Scene::new();
        let batch = s.a.open_batch();
        s.a.take(s.pool, 1..3);
        s.b.give_refused(s.pool, 1..3);
        s.a.close(batch);
        assert_eq!(s.world.live(), [1..3]);
        s.world.assert_clean();
    }
}
