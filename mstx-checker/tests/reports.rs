//! What all reports have in common.

mod common;

use common::{at, heap, run};

#[test]
fn distances_to_the_heap() {
    let program = || {
        mstx_checker::install();
        let slab = heap("slab").register(at(0x1000), 4096);
        slab.register_region(at(0xfff), 1);
        slab.register_region(at(0x2000), 16);
        slab.register_region(at(0x2010), 16);
        slab.register_region(at(0x100_0000), 16);
    };
    let Some(run) = run("distances_to_the_heap", program) else { return };
    for place in [
        "   = 1 byte at slab-0x1 (0x70000fff): 1 byte before the heap's start\n",
        "   = 16 bytes at slab+0x1000 (0x70002000): right behind the heap's end\n",
        "   = 16 bytes at slab+0x1010 (0x70002010): 16 bytes behind the heap's end\n",
        "   = 16 bytes at 0x71000000: far from the heap\n",
    ] {
        assert!(run.stderr.contains(place), "expected:\n{place}\nreported:\n{}", run.stderr);
    }
}

#[test]
fn repeats_are_counted() {
    let program = || {
        mstx_checker::install();
        let slab = heap("slab").register(at(0), 4096);
        for _ in 0..12 {
            slab.register_region(at(0xff0), 64);
        }
        // From another call: a fault of its own.
        slab.register_region(at(0xff0), 64);
    };
    let Some(run) = run("repeats_are_counted", program) else { return };
    assert_eq!(run.stderr.matches("mstx: fault: region lies outside its heap").count(), 11, "{}", run.stderr);
    let last = "note: more of this fault, from the same calls, is only counted\n";
    assert_eq!(run.stderr.matches(last).count(), 1, "{}", run.stderr);
    let first = run.summary().lines().take(2).collect::<Vec<_>>();
    assert_eq!(first, ["mstx: 13 faults", "    13 x region lies outside its heap"]);
}

/// Each report is one write, so those of several threads come out whole.
#[test]
fn threads_do_not_mix() {
    let program = || {
        mstx_checker::install();
        let slab = heap("slab").register(at(0), 1 << 20);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let slab = &slab;
                scope.spawn(move || (1..6).for_each(|n| slab.register_region(at(thread * 4096 + n * 64), 1 << 20)));
            }
        });
    };
    let Some(run) = run("threads_do_not_mix", program) else { return };
    let reports: Vec<_> = run.stderr.split_inclusive("\n\n").filter(|report| report.starts_with("mstx: fault:")).collect();
    assert_eq!(reports.len(), 10, "{}", run.stderr);
    for report in reports {
        assert!((8..=9).contains(&report.trim_end().lines().count()), "{report}");
    }
}
