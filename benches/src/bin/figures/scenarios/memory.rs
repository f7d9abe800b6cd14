//! How much memory the books of small regions take.

use mstx_benches::annotated::Pool;
use mstx_benches::blocks::Blocks;
use mstx_benches::process::{allocated, resident};

use super::{BASE, say};

const LIVE: usize = 1_000_000;
const BLOCK: usize = 16;
const EXCHANGES: usize = 2_000_000;

pub(super) fn run(kind: &str) -> Option<()> {
    // The lists of the benchmark itself are there, and in memory, before the first look.
    let mut blocks = Blocks::new(BASE, BLOCK, LIVE);
    if kind != "ordered" {
        blocks.shuffle();
    }
    let pool = Pool::new(BASE, blocks.extent());
    let before = (resident()?, allocated());
    blocks.fill(&pool);
    if kind == "churned" {
        blocks.exchange(EXCHANGES, &pool);
    }
    let after = (resident()?, allocated());
    let per_region = |before: usize, after: usize| after.saturating_sub(before) as f64 / LIVE as f64;
    say("resident", per_region(before.0, after.0));
    say("allocated", per_region(before.1?, after.1?));
    Some(())
}
