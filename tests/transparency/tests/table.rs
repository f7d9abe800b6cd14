//! Prints the table, and fails where something has changed.

use mstx_transparency::Shape;
use mstx_transparency::check::{Row, Suite};
use mstx_transparency::table;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Instant;
use std::{env, thread};

fn main() -> ExitCode {
    // Flags are meant for the usual harness.
    let (flags, names): (Vec<String>, Vec<String>) = env::args().skip(1).partition(|argument| argument.starts_with('-'));
    if cfg!(not(target_os = "linux")) || flags.iter().any(|flag| flag == "--list") {
        return ExitCode::SUCCESS;
    }
    let begin = Instant::now();
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shapes = Shape::load(&package.join("shapes"), &names);
    if shapes.is_empty() {
        // The names are those of other tests.
        println!("no shape of {names:?}");
        return ExitCode::SUCCESS;
    }
    let program = env::current_exe().expect("a test program has a path");
    let target = program.ancestors().nth(3).expect("test programs are in `target/<profile>/deps`");
    let suite = Suite::build(package, target.join("transparency"));
    println!("facades built in {} s\n\n{}", begin.elapsed().as_secs(), table::head());

    let rows = check_all(&suite, &shapes);
    let failures: Vec<&String> = rows.iter().flat_map(|row| &row.failures).collect();
    for failure in &failures {
        println!("\n{failure}");
    }
    println!("\n{}\n{} shapes in {} s", table::sum(&rows), shapes.len(), begin.elapsed().as_secs());
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks as many shapes at a time as there are processors, and prints the rows in order.
fn check_all(suite: &Suite, shapes: &[Shape]) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut rows = Vec::new();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((index, shape)) = Some(next.fetch_add(1, Relaxed)).and_then(|n| Some((n, shapes.get(n)?))) {
                    // Nobody receives any more after a panic.
                    let _ = sender.send((index, suite.check(shape)));
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut printed = 0;
        for (index, checked) in receiver {
            waiting.insert(index, checked);
            while let Some(checked) = waiting.remove(&printed) {
                printed += 1;
                checked.iter().for_each(|row| println!("{}", table::line(row)));
                rows.extend(checked);
            }
        }
    });
    rows
}
