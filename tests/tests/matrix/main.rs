//! The matrix: pools of every kind, programs with mistakes, and the tools that are to find them.
//!
//! | module | |
//! |---|---|
//! | `cells` | what is run |
//! | `found` | what came of it, in a few words |
//! | `expected` | what is to come of it, and why some mistakes are not found |
//! | `page` | `docs/matrix.md` |
//! | `accesses` | single accesses to pools that make it hard to say whose memory that is |
//! | `cases` | faults that users of comparable tools met |
//! | `odd` | right programs that do with pools what is seldom done |
//! | `examples` | the examples, under the same tools |
#![cfg(target_os = "linux")]

mod accesses;
mod cases;
mod cells;
mod examples;
mod expected;
mod found;
mod odd;
mod page;

use cells::{Cell, MISTAKES, POOLS, Tool, Tools};
use expected::{Expected, expected};
use found::Found;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Runs all cells, several at a time.
fn run_all(tools: &Tools) -> Vec<(Cell, Found)> {
    let cells: Vec<Cell> = Cell::all().filter(|cell| tools.has(cell.tool)).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(&cell) = cells.get(next.fetch_add(1, Relaxed)) {
            let result = Found::read(cell, &cell.run(tools));
            found.lock().expect("no cell panics").push((cell, result));
        }
    };
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
    let mut found = found.into_inner().expect("no cell panics");
    found.sort_by_key(|&(cell, _)| cell);
    found
}

#[test]
fn every_cell_is_as_expected() {
    let tools = Tools::new();
    let all = run_all(&tools);
    assert_eq!(all.len(), POOLS.len() * MISTAKES.len() * tools.count());
    let mut wrong = Vec::new();
    for (cell, found) in &all {
        let right = match expected(*cell) {
            Expected::Says(what) => found.says.contains(what),
            Expected::Silent(_) => found.says.is_empty(),
        };
        if !right {
            wrong.push(format!("{cell:?}: {:?}, and not {:?}\n{}", found.says, expected(*cell), found.output));
        }
        for complaint in &found.complaints {
            wrong.push(format!("{cell:?}: {complaint}\n{}", found.output));
        }
    }
    assert!(wrong.is_empty(), "{} cells of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    if tools.count() == Tool::ALL.len() {
        page::check(&all);
    } else {
        println!("docs/matrix.md is not compared: not all tools are there");
    }
}
