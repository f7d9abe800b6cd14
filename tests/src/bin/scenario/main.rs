//! Programs with annotated pools, each in a process of its own: `scenario faults::released_twice`.
//!
//! Most pools here hand out made-up addresses, so that what the tool is told can be compared word by word. What a scenario
//! shall lead to stands in the test that runs it.
#![expect(clippy::panic, reason = "a scenario that goes wrong ends its process")]

#[macro_use]
mod report;

mod batches;
mod cases;
mod faults;
mod heaps;
mod marks;
mod nested;
mod nesting_calls;
mod pool;
mod process;
mod regions;
mod resize;
mod stub;
mod tools;

/// A scenario's name, and what it does.
type Scenario = (&'static str, fn());

/// The scenarios of a module.
macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        pub(crate) const SCENARIOS: &[$crate::Scenario] =
            &[$((concat!(module_path!(), "::", stringify!($name)), $name)),*];
    };
}
use scenarios;

fn main() {
    let name = std::env::args().nth(1).expect("the name of a scenario is given");
    let modules = [
        batches::SCENARIOS,
        cases::SCENARIOS,
        faults::SCENARIOS,
        heaps::SCENARIOS,
        marks::SCENARIOS,
        nested::SCENARIOS,
        nesting_calls::SCENARIOS,
        process::SCENARIOS,
        regions::SCENARIOS,
        resize::SCENARIOS,
        tools::SCENARIOS,
    ];
    let is_wanted = |(known, _): &&Scenario| known.strip_prefix("scenario::") == Some(name.as_str());
    match modules.into_iter().flatten().find(is_wanted) {
        Some((_, scenario)) => scenario(),
        None => panic!("there is no scenario {name}"),
    }
}
