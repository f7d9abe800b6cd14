//! What is measured, each in a process of its own: it prints lines of a name and a number.

mod batch;
pub(crate) mod checker;
mod memory;
mod orders;
mod pair;
mod threads;
mod walking;

use std::collections::BTreeMap;
use std::io;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use mstx_benches::{callgrind, process, tool};

/// The argument that makes this program run a scenario.
pub(crate) const RUN: &str = "--run";

/// Where the memory of the pools is: nowhere. The addresses are those of a device.
const BASE: usize = 0x12c0_0000_0000;
/// Of another pool.
const OTHER_BASE: usize = 0x22c0_0000_0000;
const BLOCK: usize = 64;

/// How the tool is.
#[derive(Clone, Copy)]
pub(crate) enum Setting {
    Counting,
    /// It takes msSanitizer's time.
    Walking,
    /// There is none, but the checker with these options.
    Checking(&'static str),
    /// There is none, and no checker.
    Nobody,
}

/// What a scenario says.
#[derive(Default)]
pub(crate) struct Values(BTreeMap<String, f64>);

impl Values {
    pub(crate) fn get(&self, name: &str) -> io::Result<f64> {
        self.0.get(name).copied().ok_or_else(|| io::Error::other(format!("no value `{name}`")))
    }

    pub(crate) fn keep_least(&mut self, other: &Self) {
        for (name, value) in &other.0 {
            self.0.entry(name.clone()).and_modify(|least| *least = least.min(*value)).or_insert(*value);
        }
    }
}

/// A scenario in a process of its own.
fn process(name: &str, argument: &str, setting: Setting) -> io::Result<Command> {
    let arguments = [RUN, name, argument].map(str::to_owned);
    let mut command = match setting {
        Setting::Counting | Setting::Walking => process::with_tool(&arguments)?,
        Setting::Checking(options) => process::with_checker(&arguments, options)?,
        Setting::Nobody => process::with_nobody(&arguments)?,
    };
    if matches!(setting, Setting::Walking) {
        command.env(tool::COSTS, "1");
    }
    // The checker's summary is of no interest.
    command.stderr(if matches!(setting, Setting::Checking(_)) { Stdio::null() } else { Stdio::inherit() });
    Ok(command)
}

/// How many instructions [`counted`] executes in a scenario.
pub(crate) fn instructions(name: &str, argument: &str, setting: Setting) -> io::Result<u64> {
    callgrind::total(&callgrind::count(&process(name, argument, setting)?, "figures::scenarios::counted")?)
}

/// Callgrind counts while this runs.
#[inline(never)]
fn counted(what: impl FnOnce()) {
    what();
}

/// Runs a scenario, and reads what it says.
pub(crate) fn start(name: &str, argument: &str, setting: Setting) -> io::Result<Values> {
    let mut command = process(name, argument, setting)?;
    let output = command.output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("`{name} {argument}`: {}", output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    Ok(Values(pairs.filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?))).collect()))
}

/// Runs the scenario in this process.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let mut arguments = arguments.iter().map(String::as_str);
    let (name, argument) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let done = match (name, argument.parse()) {
        ("pair", Ok(live)) => pair::run(live),
        ("orders", Ok(live)) => orders::run(live),
        ("memory", _) => memory::run(argument),
        ("batch", _) => batch::run(),
        ("checker", _) => checker::run(argument),
        ("walking", _) => walking::run(argument == "deferred"),
        ("threads", _) => threads::run(),
        _ => None,
    };
    // A scenario in which something was wrong is no measurement.
    let faults = mstx::fault_count();
    if faults > 0 {
        eprintln!("{name} {argument}: {faults} faults");
    }
    if done.is_some() && faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn say(name: &str, value: f64) {
    println!("{name} {value}");
}

/// How long something takes, divided by how often it happens: nanoseconds.
fn each(times: usize, what: impl FnOnce()) -> f64 {
    let start = Instant::now();
    what();
    nanoseconds(start.elapsed()) / times as f64
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}
