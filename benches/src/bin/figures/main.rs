//! What reporting costs in time and memory while a tool listens, and what it is to cost.
//!
//! `cargo run --release -p mstx-benches --bin figures`: one line for each figure. With `--gate` the exit status says whether all were
//! reached. Arguments that are parts of names (`memory`, `threads`) choose among them.
//!
//! Each measurement has a process of its own: this program starts itself again with the scenario's name.

mod checker;
mod figure;
mod plan;
mod scenarios;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == scenarios::RUN) {
        return scenarios::run(&arguments[1..]);
    }
    let gate = arguments.iter().any(|argument| argument == "--gate");
    arguments.retain(|argument| argument != "--gate");
    let mut all_reached = true;
    for group in plan::GROUPS {
        if !arguments.is_empty() && !arguments.iter().any(|part| group.name.contains(part.as_str())) {
            continue;
        }
        match (group.measure)() {
            Ok(figures) => {
                for figure in figures {
                    println!("{figure}");
                    all_reached &= figure.is_reached();
                }
            }
            Err(error) => {
                println!("FAILED       {}: {error}", group.name);
                all_reached = false;
            }
        }
    }
    if gate && !all_reached { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
