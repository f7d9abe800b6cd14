//! A tool whose unregister looks at all live regions, and a heap whose events wait for a flush.

use mstx_benches::annotated::Pool;
use mstx_benches::blocks::Blocks;

use super::{BASE, BLOCK, each, say};

const LIVE: usize = 10_000;
/// Between two flushes.
const PAIRS: usize = 1_000;
/// Where it takes next to no time.
const DEFERRED_ROUNDS: usize = 50;

pub(super) fn run(deferred: bool) -> Option<()> {
    let mut blocks = Blocks::new(BASE, BLOCK, LIVE);
    let pool = if deferred { Pool::deferred(BASE, blocks.extent()) } else { Pool::new(BASE, blocks.extent()) };
    blocks.fill(&pool);
    mstx::flush();
    let mut least = f64::INFINITY;
    for _ in 0..if deferred { DEFERRED_ROUNDS } else { 1 } {
        let time = each(PAIRS, || {
            blocks.reuse(PAIRS, &pool);
            mstx::flush();
        });
        least = least.min(time);
    }
    say("reuse", least);
    let exchanged = each(PAIRS, || {
        blocks.exchange(PAIRS, &pool);
        mstx::flush();
    });
    say("exchange", exchanged);
    Some(())
}
