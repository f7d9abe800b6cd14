//! An unregister and a register, told at once, by our client and by the hand-written one, in turn.

use mstx_benches::Nobody;
use mstx_benches::annotated::Pool;
use mstx_benches::blocks::Blocks;
use mstx_benches::client::Client;

use super::{BASE, BLOCK, OTHER_BASE, each, say};

const ROUNDS: usize = 9;
const PAIRS: usize = 50_000;

pub(super) fn run(live: usize) -> Option<()> {
    let mut ours = Blocks::new(BASE, BLOCK, live);
    let mut theirs = Blocks::new(OTHER_BASE, BLOCK, live);
    let mut nothing = Blocks::new(0, BLOCK, live);
    let pool = Pool::new(BASE, ours.extent());
    let client = Client::attach(OTHER_BASE, theirs.extent())?;
    ours.fill(&pool);
    theirs.fill(&client);
    let mut least = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        let times = [
            each(PAIRS, || ours.exchange(PAIRS, &pool)),
            each(PAIRS, || theirs.exchange(PAIRS, &client)),
            each(PAIRS, || nothing.exchange(PAIRS, &Nobody)),
        ];
        for (least, time) in least.iter_mut().zip(times) {
            *least = least.min(time);
        }
    }
    // The loop itself: random numbers, and the list of blocks.
    let [mstx, client, nothing] = least;
    say("mstx", mstx - nothing);
    say("client", client - nothing);
    Some(())
}
