//! What the checker costs, or a tool in the process that does nothing, or what there is when nobody listens: that depends on how this
//! process was started.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use mstx::{Handle, Tool, ToolDomain, ToolHeap, ToolRegion};
use mstx_benches::annotated::Pool;
use mstx_benches::blocks::Blocks;
use mstx_benches::process::{most_resident, resident};
use mstx_benches::{Nobody, Reporter};
use mstx_checker::Format;

use super::{BASE, BLOCK, counted, each, nanoseconds, say};

pub(crate) const LIVE: usize = 10_000;
const MANY: usize = 1_000_000;
const ROUNDS: usize = 9;
const PAIRS: usize = 50_000;

/// A tool in the process that does nothing: what is left is the books' own.
struct Idle;

impl Tool for Idle {
    fn regions_register(&self, _: ToolDomain<'_>, _: Option<&ToolHeap<'_>>, regions: &[ToolRegion], _: &mut [Handle]) {
        std::hint::black_box(regions);
    }
}

static IDLE: Idle = Idle;

pub(super) fn run(what: &str) -> Option<()> {
    let (what, idle) = what.strip_suffix(" idle").map_or((what, false), |what| (what, true));
    if idle && !mstx::attach(&IDLE) {
        return None;
    }
    match what {
        "pair" => pair(LIVE),
        "pair at many" => pair(MANY),
        "pair counted" => pair_counted(),
        "memory" => memory(false),
        "memory of the host" => memory(true),
        "recording" => recording()?,
        _ => return None,
    }
    Some(())
}

/// A block is given back, and another handed out.
fn pair(live: usize) {
    let mut blocks = Blocks::new(BASE, BLOCK, live);
    let mut nothing = Blocks::new(0, BLOCK, live);
    let pool = Pool::new(BASE, blocks.extent());
    blocks.fill(&pool);
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let times = [each(PAIRS, || blocks.exchange(PAIRS, &pool)), each(PAIRS, || nothing.exchange(PAIRS, &Nobody))];
        for (least, time) in least.iter_mut().zip(times) {
            *least = least.min(time);
        }
    }
    say("pair", least[0] - least[1]);
}

/// The same, for callgrind; the tables have had time to grow, and a recording of as many events as there are regions to become full.
fn pair_counted() {
    let mut blocks = Blocks::new(BASE, BLOCK, LIVE);
    let pool = Pool::new(BASE, blocks.extent());
    blocks.fill(&pool);
    blocks.exchange(LIVE, &pool);
    counted(|| blocks.exchange(LIVE, &pool));
}

/// A million regions are live.
fn memory(host: bool) {
    let mut blocks = Blocks::new(BASE, BLOCK, MANY);
    // Nobody touches it, and it outlives the pool.
    let memory = if host { Vec::leak(vec![0_u8; blocks.extent()]).as_ptr().addr() } else { BASE };
    if host {
        blocks.move_to(memory);
    }
    let pool = if host { Pool::host(memory, blocks.extent()) } else { Pool::new(memory, blocks.extent()) };
    let before = resident().unwrap_or_default();
    blocks.fill(&pool);
    say("resident", resident().unwrap_or_default().saturating_sub(before) as f64 / MANY as f64);
}

/// Ten million events are recorded, and then written.
fn recording() -> Option<()> {
    let mut blocks = Blocks::new(BASE, BLOCK, LIVE);
    let pool = Pool::new(BASE, blocks.extent());
    let before = resident()?;
    blocks.fill(&pool);
    blocks.exchange(MANY, &pool);
    say("after_2", (resident()? - before) as f64);
    blocks.exchange(4 * MANY, &pool);
    say("after_10", (resident()? - before) as f64);
    let path = env::temp_dir().join(format!("mstx-bench-{}", std::process::id()));
    for (format, name) in
        [(Format::HeapMap, "map"), (Format::Snapshot, "snapshot"), (Format::Trace, "trace"), (Format::Dhat, "dhat")]
    {
        let start = Instant::now();
        let written = mstx_checker::write(format, &path);
        say(&format!("{name}_time"), nanoseconds(start.elapsed()) / 1e9);
        say(&format!("{name}_bytes"), fs::metadata(&path).map_or(0, |file| file.len()) as f64);
        if let Format::Trace = format {
            say("kept", said(&path, "events_kept")?);
            say("dropped", said(&path, "events_dropped")?);
        }
        // It may not be there.
        let _ = fs::remove_file(&path);
        written.ok()?;
    }
    say("most", (most_resident()? - before) as f64);
    // The blocks are still live.
    pool.unregister(BASE);
    Some(())
}

/// A number that the trace says at its end.
fn said(path: &Path, name: &str) -> Option<f64> {
    let mut file = fs::File::open(path).ok()?;
    file.seek(SeekFrom::End(-1000)).ok()?;
    let mut end = Vec::new();
    file.read_to_end(&mut end).ok()?;
    let end = String::from_utf8_lossy(&end);
    let (_, number) = end.split_once(&format!("\"{name}\":\""))?;
    number.split('"').next()?.parse().ok()
}
