//! Batches: what is forgotten in them, and what they put into one call.

use mstx_benches::annotated::Pool;
use mstx_benches::blocks::Blocks;
use mstx_benches::tool::counts;

use super::{BASE, BLOCK, OTHER_BASE, each, say};

const LIVE: usize = 10_000;
const PAIRS: usize = 100_000;
const BUILT: usize = 1_000_000;
const ROUNDS: usize = 5;

pub(super) fn run() -> Option<()> {
    let mut blocks = Blocks::new(BASE, BLOCK, LIVE);
    let pool = Pool::new(BASE, blocks.extent());
    blocks.fill(&pool);
    let (mut batched, mut immediate, mut calls) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..ROUNDS {
        immediate = immediate.min(each(PAIRS, || blocks.cancel(PAIRS, &pool)));
        let before = counts()?;
        batched = batched.min(each(PAIRS, || mstx::batch(|| blocks.cancel(PAIRS, &pool))));
        let made = counts()? - before;
        calls += made.register_calls + made.unregister_calls;
    }
    say("calls", calls as f64);
    say("batched", batched);
    say("immediate", immediate);

    let many = Blocks::new(OTHER_BASE, BLOCK, BUILT);
    let pool = Pool::new(OTHER_BASE, many.extent());
    let before = counts()?;
    let time = each(BUILT, || mstx::batch(|| many.fill(&pool)));
    let made = counts()? - before;
    say("built_calls", (made.register_calls + made.unregister_calls) as f64);
    say("built_regions", made.registered as f64);
    say("built", time);
    Some(())
}
