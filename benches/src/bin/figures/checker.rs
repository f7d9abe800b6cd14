//! The figures of the checker.

use std::io;

use crate::figure::{Figure, Target};
use crate::plan::{figure, least};
use crate::scenarios::checker::LIVE;
use crate::scenarios::{Setting, instructions, start};

const CHECKED: Setting = Setting::Checking("1");
const RECORDED: Setting = Setting::Checking("recording=1000000");

/// The same in every run.
pub(crate) fn counts() -> io::Result<Vec<Figure>> {
    let count = |what, setting| instructions("checker", what, setting).map(|count| count as f64 / LIVE as f64);
    let nobody = count("pair counted", Setting::Nobody)?;
    let idle = count("pair counted idle", Setting::Nobody)? - nobody;
    // Under callgrind the checker would take itself to be under memcheck.
    let checked = count("pair counted", Setting::Checking("access=0"))? - nobody;
    let recorded = count("pair counted", Setting::Checking("access=0,recording=10000"))? - nobody;
    let of = |more: f64| format!("{more:.0}, {idle:.0}");
    Ok(vec![
        figure("a pair at 10,000 live, under a tool that does nothing", Target::None, idle, "instructions", String::new()),
        figure("  under the checker, of that", Target::AtMost(1.2), checked / idle, "times", of(checked)),
        figure("  under the checker that records, of that", Target::AtMost(1.5), recorded / idle, "times", of(recorded)),
    ])
}

pub(crate) fn figures() -> io::Result<Vec<Figure>> {
    let mut figures = times("pair", "10,000")?;
    figures.extend(times("pair at many", "1,000,000")?);
    figures.extend(memory()?);
    figures.extend(recording()?);
    Ok(figures)
}

fn times(what: &str, live: &str) -> io::Result<Vec<Figure>> {
    let idle = format!("{what} idle");
    let all = least(
        &[
            ("checker", what, Setting::Nobody),
            ("checker", what, Setting::Counting),
            ("checker", &idle, Setting::Nobody),
            ("checker", what, CHECKED),
            ("checker", what, RECORDED),
        ],
        3,
    )?;
    let mut times = [0.0; 5];
    for (time, values) in times.iter_mut().zip(&all) {
        *time = values.get("pair")?;
    }
    let [nobody, counting, idle, checked, recorded] = times;
    let of = |time: f64| format!("{time:.0} ns, {idle:.0} ns");
    let details = format!("nobody listens {nobody:.1} ns, the C tool that counts {counting:.0} ns");
    Ok(vec![
        figure(format!("a pair at {live} live, under a tool that does nothing"), Target::None, idle, "ns", details),
        figure("  under the checker, of that", Target::AtMost(2.0), checked / idle, "times", of(checked)),
        figure("  under the checker that records, of that", Target::AtMost(3.0), recorded / idle, "times", of(recorded)),
    ])
}

fn memory() -> io::Result<Vec<Figure>> {
    let all = least(
        &[
            ("checker", "memory idle", Setting::Nobody),
            ("checker", "memory", CHECKED),
            ("checker", "memory of the host", Setting::Checking("access=0")),
            ("checker", "memory of the host", Setting::Checking("guard=1")),
            ("checker", "memory", RECORDED),
        ],
        1,
    )?;
    let mut each = [0.0; 5];
    for (each, values) in each.iter_mut().zip(&all) {
        *each = values.get("resident")?;
    }
    let [idle, checked, without, guarded, recorded] = each;
    let of = |more: f64, less: f64| format!("{more:.1} and {less:.1}");
    Ok(vec![
        figure("memory at 1,000,000 live, under a tool that does nothing", Target::None, idle, "bytes each", String::new()),
        figure("  more under the checker", Target::AtMost(1.0), checked - idle, "bytes each", of(checked, idle)),
        figure("  more where accesses are checked", Target::AtMost(64.0), guarded - without, "bytes each", of(guarded, without)),
        figure(
            "  more where it records a million events",
            Target::AtMost(40.0),
            recorded - idle,
            "bytes each",
            of(recorded, idle),
        ),
    ])
}

fn recording() -> io::Result<Vec<Figure>> {
    let values = start("checker", "recording", RECORDED)?;
    let megabytes = |bytes: f64| bytes / f64::from(1 << 20);
    let (early, late) = (values.get("after_2")?, values.get("after_10")?);
    let details = format!("after 2,000,000 {:.1} MiB, after 10,000,000 {:.1} MiB", megabytes(early), megabytes(late));
    let what = "10,000,000 events are recorded: memory after all, of that after the first fifth";
    let dropped = format!("{} dropped, as the trace says", values.get("dropped")?);
    let mut figures = vec![
        figure(what, Target::AtMost(1.05), late / early, "times", details),
        figure("  of them are kept", Target::Exactly(1e6), values.get("kept")?, "events", dropped),
    ];
    for (name, what) in [("map", "heap map"), ("snapshot", "snapshot"), ("trace", "trace"), ("dhat", "DHAT profile")] {
        let size = format!("{:.1} MiB", megabytes(values.get(&format!("{name}_bytes"))?));
        let what = format!("  the {what} of it is written in");
        figures.push(figure(what, Target::AtMost(3.0), values.get(&format!("{name}_time"))?, "s", size));
    }
    let most = values.get("most")?;
    let details = format!("{:.0} MiB in all", megabytes(most));
    figures.push(figure(
        "  memory that writing takes for a while",
        Target::AtMost(160.0),
        (most - late) / 1e6,
        "bytes an event",
        details,
    ));
    Ok(figures)
}
