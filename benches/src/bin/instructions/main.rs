//! How many instructions an attribute adds to a function while nobody listens. A gate: it fails where there are more than promised.
//!
//! `cargo run --release -p mstx-benches --bin instructions`. It starts itself again under Valgrind's callgrind, which counts every
//! instruction that is executed: the counts are the same in every run.

mod cases;
mod counts;
mod pair;
mod peers;
mod table;

use std::process::ExitCode;
use std::{env, io};

use crate::table::{Row, TABLE};
use mstx_benches::thin::Pool;

/// The argument with which the program is counted.
const COUNTED: &str = "--counted";
/// Calls of each function.
const TIMES: usize = 1000;

fn main() -> ExitCode {
    if env::args().nth(1).is_some_and(|argument| argument == COUNTED) {
        count();
        return ExitCode::SUCCESS;
    }
    match report() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What callgrind sees. What happens only in the first call of a program is over before it counts.
fn count() {
    peers::prepare();
    let pool = Pool::new();
    for row in TABLE {
        (row.pair.run)(&pool, 1);
    }
    counted(&pool);
}

/// Callgrind counts while this runs: the name is in [`counts`].
#[inline(never)]
fn counted(pool: &Pool) {
    for row in TABLE {
        (row.pair.run)(pool, TIMES);
    }
}

fn report() -> io::Result<bool> {
    println!(
        "Reporting is {}. Instructions and calls per call of a function, with what is in the first column and without:",
        state()
    );
    println!("{:<64} {:>4} {:>7} {:>5} {:>5} {:>6}", "", "with", "without", "more", "calls", "figure");
    let counts = counts::run(COUNTED)?;
    let mut holds = true;
    for row in TABLE {
        let costs = (counts.of(row.pair.with, TIMES)?, counts.of(row.pair.without, TIMES)?);
        holds &= row.print(costs);
    }
    Ok(holds)
}

const fn state() -> &'static str {
    if Row::IS_OFF { "off" } else { "on, and nobody listens" }
}
