//! Which scenarios are run for which figure, and what is made of what they say.

use std::io;

use crate::checker;
use crate::figure::{Figure, Target};
use crate::scenarios::{Setting, Values, start};

/// Figures that belong together.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) measure: fn() -> io::Result<Vec<Figure>>,
}

pub(crate) const GROUPS: &[Group] = &[
    Group { name: "client", measure: client },
    Group { name: "growth", measure: growth },
    Group { name: "orders", measure: orders },
    Group { name: "memory", measure: memory },
    Group { name: "batch", measure: batch },
    Group { name: "walking", measure: walking },
    Group { name: "threads", measure: threads },
    Group { name: "checker", measure: checker::figures },
    Group { name: "checker_instructions", measure: checker::counts },
];

pub(crate) fn figure(what: impl Into<String>, target: Target, value: f64, unit: &'static str, details: String) -> Figure {
    Figure { what: what.into(), target, value, unit, details }
}

/// Runs scenarios in turn, several times, and keeps the least of each value.
pub(crate) fn least(scenarios: &[(&str, &str, Setting)], rounds: usize) -> io::Result<Vec<Values>> {
    let mut all: Vec<Values> = Vec::new();
    for round in 0..rounds {
        for (index, (name, argument, setting)) in scenarios.iter().enumerate() {
            let values = start(name, argument, *setting)?;
            if round == 0 {
                all.push(values);
            } else {
                all[index].keep_least(&values);
            }
        }
    }
    Ok(all)
}

fn client() -> io::Result<Vec<Figure>> {
    let values = start("pair", "10000", Setting::Counting)?;
    let (ours, theirs) = (values.get("mstx")?, values.get("client")?);
    let details = format!("{ours:.0} ns, C {theirs:.0} ns");
    Ok(vec![figure("a pair at 10,000 live, of the C client's", Target::AtMost(2.0), ours / theirs, "times", details)])
}

fn growth() -> io::Result<Vec<Figure>> {
    let scenarios = [("pair", "100", Setting::Counting), ("pair", "1000000", Setting::Counting)];
    let both = least(&scenarios, 2)?;
    let (few, many) = (both[0].get("mstx")?, both[1].get("mstx")?);
    let (client_few, client_many) = (both[0].get("client")?, both[1].get("client")?);
    let details = format!("{few:.0} ns and {many:.0} ns");
    let client = format!("{client_few:.0} ns and {client_many:.0} ns");
    Ok(vec![
        figure("a pair at 1,000,000 live, of one at 100", Target::AtMost(3.0), many / few, "times", details),
        figure("  the same of the C client", Target::None, client_many / client_few, "times", client),
    ])
}

fn orders() -> io::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (live, shown) in [("10000", "10,000"), ("1000000", "1,000,000")] {
        let values = start("orders", live, Setting::Counting)?;
        for (kind, what) in [("free", "freed"), ("cycle", "allocated and freed")] {
            let times = ["fifo", "lifo", "shuffled"].map(|order| values.get(&format!("{order}_{kind}")));
            let [fifo, lifo, shuffled] = times;
            let (fifo, lifo, shuffled) = (fifo?, lifo?, shuffled?);
            let ratio = fifo.max(lifo).max(shuffled) / fifo.min(lifo).min(shuffled);
            let details = format!("FIFO {fifo:.0} ns, LIFO {lifo:.0} ns, shuffled {shuffled:.0} ns each");
            let what = format!("{shown} {what}, slowest order of fastest");
            figures.push(figure(what, Target::AtMost(2.0), ratio, "times", details));
        }
    }
    Ok(figures)
}

fn memory() -> io::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (kind, what) in [
        ("ordered", "filled in the order of addresses"),
        ("random", "filled in random order"),
        ("churned", "after 2,000,000 exchanges"),
    ] {
        let values = start("memory", kind, Setting::Counting)?;
        let details = format!("allocated {:.1}", values.get("allocated")?);
        let what = format!("memory at 1,000,000 live, {what}");
        figures.push(figure(what, Target::AtMost(64.0), values.get("resident")?, "bytes each", details));
    }
    Ok(figures)
}

fn batch() -> io::Result<Vec<Figure>> {
    let values = start("batch", "", Setting::Counting)?;
    let (batched, immediate) = (values.get("batched")?, values.get("immediate")?);
    let details = format!("{batched:.0} ns, immediate {immediate:.0} ns");
    let built = format!("{} regions, {:.0} ns each", values.get("built_regions")?, values.get("built")?);
    Ok(vec![
        figure("a batch of 100,000 pairs that cancel", Target::Exactly(0.0), values.get("calls")?, "tool calls", String::new()),
        figure("  a pair in it, of an immediate one", Target::Below(1.0), batched / immediate, "times", details),
        figure("a batch that builds 1,000,000 regions", Target::Exactly(1.0), values.get("built_calls")?, "tool calls", built),
    ])
}

fn walking() -> io::Result<Vec<Figure>> {
    let scenarios = [("walking", "immediate", Setting::Walking), ("walking", "deferred", Setting::Walking)];
    let both = least(&scenarios, 3)?;
    let times = |kind: &str| Ok::<_, io::Error>((both[0].get(kind)?, both[1].get(kind)?));
    let ((immediate, deferred), (exchanged_now, exchanged_later)) = (times("reuse")?, times("exchange")?);
    let details = |now: f64, later: f64| format!("{:.1} us and {:.3} us a pair", now / 1000.0, later / 1000.0);
    let what = "deferred under a tool that walks, 1,000 pairs at 10,000 live: less time by";
    Ok(vec![
        figure(what, Target::AtLeast(100.0), immediate / deferred, "times", details(immediate, deferred)),
        figure(
            "  where other blocks are handed out than came back, and nothing cancels",
            Target::None,
            exchanged_now / exchanged_later,
            "times",
            details(exchanged_now, exchanged_later),
        ),
    ])
}

fn threads() -> io::Result<Vec<Figure>> {
    let values = start("threads", "", Setting::Counting)?;
    let mut figures = Vec::new();
    for (kind, what) in [("exchange", "exchanges"), ("cancel", "pairs that cancel")] {
        let (one, two) = (values.get(&format!("{kind}_one"))?, values.get(&format!("{kind}_two"))?);
        let details = format!("{one:.0} ns a pair alone, {two:.0} ns both");
        let what = format!("two threads on two deferred heaps, {what}: throughput of one");
        figures.push(figure(what, Target::AtLeast(1.6), 2.0 * one / two, "times", details));
    }
    // What this machine makes of two threads that share nothing.
    let (one, two) = (values.get("nothing_one")?, values.get("nothing_two")?);
    figures.push(figure("  threads that report nothing", Target::None, 2.0 * one / two, "times", String::new()));
    Ok(figures)
}
