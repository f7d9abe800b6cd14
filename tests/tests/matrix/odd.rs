//! Right programs that do with pools what is seldom done: no tool says anything of them.

use crate::cases::{assert_silent, under_all};
use crate::cells::{Tools, matrix};
use mstx_tests::Run;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The programs' names.
fn programs() -> Vec<String> {
    let output = Run::new(matrix()).arg("odd").arg("list").output();
    output.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn right_programs() {
    let tools = Tools::new();
    let programs: Vec<String> = programs().into_iter().filter(|name| !name.starts_with("mistake")).collect();
    assert!(programs.len() > 20, "{programs:?}");
    let runs = |name: &String| {
        under_all(matrix(), tools.sanitized.as_ref(), "1").into_iter().map(|run| run.arg("odd").arg(name)).collect()
    };
    let runs: Vec<Mutex<Option<Run>>> =
        programs.iter().flat_map(|name| -> Vec<Run> { runs(name) }).map(|run| Mutex::new(Some(run))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(run) = runs.get(next.fetch_add(1, Relaxed)) {
            let run = run.lock().expect("nobody has it").take();
            assert_silent(&run.expect("it is run once").output());
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
}

/// While a function of the pool's is suspended the thread is the program's.
#[test]
fn mistakes_between_the_turns_of_async_functions() {
    let tools = Tools::new();
    let programs: Vec<String> = programs().into_iter().filter(|name| name.starts_with("mistake")).collect();
    assert!(programs.len() == 3, "{programs:?}");
    for name in programs {
        for run in under_all(matrix(), tools.sanitized.as_ref(), "1") {
            let output = run.arg("odd").arg(&name).output();
            // On one page with what is live: that is not seen without a tool.
            if output.status.success() {
                assert_silent(&output);
                assert!(output.stderr.contains("mstx: no faults"), "{output:?}");
                continue;
            }
            let found = ["is 0 bytes after a region of 100 bytes", "is 0 bytes after a block of size 100 alloc'd"];
            assert!(found.iter().any(|found| output.stderr.contains(found)), "{output:?}");
        }
    }
}
