//! What all reports have in common.

mod common;

use common::{at, heap, run, run_with};

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
        for n in 0..112 {
            // At different addresses, too.
            named!(many: slab.register_region(at(0xff0 - n), 4096));
        }
        // From another call: a fault of its own.
        named!(other: slab.register_region(at(0xff0), 64));
    };
    let Some(run) = run("repeats_are_counted", program) else { return };
    assert_eq!(run.stderr.matches("mstx: fault[MSTX01]: region lies outside its heap\n").count(), 2, "{}", run.stderr);
    for times in ["10", "100"] {
        let line = format!("\nmstx: fault[MSTX01]: {times} times by now, from the same call, at <many>\n");
        assert_eq!(run.stderr.matches(&line).count(), 1, "{}", run.stderr);
    }
    assert_eq!(run.stderr.matches("times by now").count(), 2, "{}", run.stderr);
    assert_eq!(run.stderr.matches("\nhelp: ").count(), 1, "it helps once\n{}", run.stderr);
    let first = run.summary().lines().take(3).collect::<Vec<_>>();
    let expected = ["mstx: 113 faults", "   113 x MSTX01 region lies outside its heap", "           112 of them at <many>"];
    assert_eq!(first, expected);
}

/// What is live around the place of a fault, and how far it is away.
#[test]
fn neighbours() {
    let program = || {
        mstx_checker::install();
        let slab = heap("slab").register(at(0), 4096);
        named!(left: slab.register_region(at(0x40), 0x20));
        named!(right: slab.register_region(at(0x100), 100));
        slab.unregister_region(at(0x80));
        slab.unregister_region(at(0x60));
        named!(over: slab.register_region(at(0x80), 0x90));
        slab.unregister_region(at(0x180));
        named!(inside: slab.unregister_region(at(0x4c)));
        // A fault far from its heap has none.
        slab.register_region(at(0x100_0000), 16);
    };
    let Some(run) = run("neighbours", program) else { return };
    let reports: Vec<_> = run.stderr.split("\n\n").collect();
    let said = [
        &[
            "left: a region of 32 bytes at slab+0x40, which ends 32 bytes before; from <left>",
            "right: a region of 100 bytes at slab+0x100, which begins 128 bytes behind; from <right>",
        ][..],
        &[
            "left: a region of 32 bytes at slab+0x40, which ends right before; from <left>",
            "right: a region of 100 bytes at slab+0x100, which begins 160 bytes behind; from <right>",
        ],
        &[
            "left: a region of 32 bytes at slab+0x40, which ends 32 bytes before; from <left>",
            "right: a region of 100 bytes at slab+0x100, of which 16 bytes are meant, too",
        ],
        &["left: a region of 100 bytes at slab+0x100, which ends 28 bytes before; from <right>"],
        &[
            "inside: a region of 32 bytes at slab+0x40, which begins 12 bytes before",
            "right: a region of 100 bytes at slab+0x100, which begins 180 bytes behind; from <right>",
        ],
        &[],
    ];
    for (report, said) in reports.iter().zip(said) {
        let around = ["   = inside: ", "   = left: ", "   = right: "];
        let found: Vec<_> = report.lines().filter(|line| around.iter().any(|start| line.starts_with(start))).collect();
        let said: Vec<_> = said.iter().map(|line| format!("   = {line}")).collect();
        assert_eq!(found, said, "{}", run.stderr);
    }
}

/// The thread is named as debuggers name it.
#[cfg(target_os = "linux")]
#[test]
fn threads_are_named() {
    let program = || {
        mstx_checker::install();
        let slab = heap("slab").register(at(0), 4096);
        let worker = std::thread::Builder::new().name("a worker of many".to_owned());
        std::thread::scope(|scope| {
            let release = || {
                // SAFETY: no conditions.
                println!("number {}", unsafe { libc::gettid() });
                slab.unregister_region(at(0));
            };
            worker.spawn_scoped(scope, release).expect("a thread can be made").join().expect("it ends");
        });
    };
    let Some(run) = run("threads_are_named", program) else { return };
    let number =
        run.stdout.split_once("number ").and_then(|(_, rest)| rest.split_whitespace().next()).expect("the thread's number");
    // The system knows 15 bytes of the name.
    assert!(run.threads.contains(&format!("thread `a worker of man` ({number})")), "{:?}", run.threads);
}

/// On a terminal reports are colored; elsewhere, or if somebody asks for it, they are plain.
#[cfg(unix)]
#[test]
fn colors() {
    fn program() {
        mstx_checker::install();
        heap("slab").register(at(0), 4096).unregister_region(at(0));
    }
    let Some(plain) = run("colors", program) else { return };
    assert!(!plain.stderr.contains('\x1b'), "{}", plain.stderr);
    let Some(colored) = run_with("colors", Some("color=1"), program) else { return };
    let head = "mstx: \x1b[1;31mfault[MSTX04]\x1b[0m\x1b[1m: release of an unknown region\x1b[0m\n  \x1b[1;34m-->\x1b[0m ";
    assert!(colored.stderr.starts_with(head), "{:?}", colored.stderr);
    assert!(colored.stderr.contains("\n\x1b[1;36mhelp\x1b[0m: "), "{:?}", colored.stderr);
    let mut stripped = colored.stderr.clone();
    for escape in ["1;31", "1", "1;32", "1;36", "1;34", "0"] {
        stripped = stripped.replace(&format!("\x1b[{escape}m"), "");
    }
    assert_eq!(common::without_threads(&stripped), plain.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn colors_on_a_terminal() {
    fn program() {
        mstx_checker::install();
        heap("slab").register(at(0), 4096).unregister_region(at(0));
    }
    let on = |variables: &[(&str, &str)]| common::run_on_terminal("colors_on_a_terminal", variables, program);
    let Some(colored) = on(&[("TERM", "xterm")]) else { return };
    assert!(colored.contains("mstx: \x1b[1;31mfault[MSTX04]\x1b[0m"), "{colored:?}");
    for variables in
        [&[("TERM", "xterm"), ("NO_COLOR", "1")][..], &[("TERM", "dumb")], &[("TERM", "xterm"), ("MSTX_CHECK", "color=0")]]
    {
        let plain = on(variables).expect("it ran before");
        assert!(plain.contains("mstx: fault[MSTX04]") && !plain.contains('\x1b'), "{variables:?}: {plain:?}");
    }
}

/// Each report is one write, so those of several threads come out whole.
#[test]
#[rustfmt::skip]
fn threads_do_not_mix() {
    let program = || {
        mstx_checker::install();
        let slab = heap("slab").register(at(0), 1 << 20);
        let s = &slab;
        // Each from another call: what repeats itself is only counted.
        let fail = |n| (at(n), 1 << 20);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (a, b) = fail(1); s.register_region(a, b); s.register_region(a, b); s.register_region(a, b);
                s.register_region(a, b); s.register_region(a, b);
            });
            scope.spawn(|| {
                let (a, b) = fail(2); s.register_region(a, b); s.register_region(a, b); s.register_region(a, b);
                s.register_region(a, b); s.register_region(a, b);
            });
            scope.spawn(|| {
                let (a, b) = fail(3); s.register_region(a, b); s.register_region(a, b); s.register_region(a, b);
                s.register_region(a, b); s.register_region(a, b);
            });
            scope.spawn(|| {
                let (a, b) = fail(4); s.register_region(a, b); s.register_region(a, b); s.register_region(a, b);
                s.register_region(a, b); s.register_region(a, b);
            });
        });
    };
    let Some(run) = run("threads_do_not_mix", program) else { return };
    let reports: Vec<_> = run.stderr.split_inclusive("\n\n").filter(|report| report.starts_with("mstx: fault[")).collect();
    assert_eq!(reports.len(), 20, "{}", run.stderr);
    for report in reports {
        assert!((9..=10).contains(&report.trim_end().lines().count()), "{report}");
    }
}
