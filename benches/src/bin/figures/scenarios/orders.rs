//! All blocks are handed out in the order of their addresses, and then given back: oldest first, newest first, shuffled.

use mstx_benches::annotated::Pool;
use mstx_benches::blocks::Blocks;

use super::{BASE, BLOCK, each, say};

/// How many blocks change hands for a time, at least.
const ENOUGH: usize = 100_000;
const ROUNDS: usize = 3;

/// Its name, and how the blocks are brought into it.
type Order = (&'static str, fn(&mut Blocks));

const ORDERS: [Order; 3] = [("fifo", |_| {}), ("lifo", Blocks::reverse), ("shuffled", Blocks::shuffle)];

pub(super) fn run(live: usize) -> Option<()> {
    let mut blocks = Blocks::new(BASE, BLOCK, live);
    let pool = Pool::new(BASE, blocks.extent());
    let repeats = ENOUGH.div_ceil(live);
    let mut least = [[f64::INFINITY; 2]; ORDERS.len()];
    for _ in 0..ROUNDS {
        for ((_, order), least) in ORDERS.iter().zip(&mut least) {
            let (mut filling, mut emptying) = (0.0, 0.0);
            for _ in 0..repeats {
                blocks.sort();
                filling += each(live, || blocks.fill(&pool));
                order(&mut blocks);
                emptying += each(live, || blocks.empty(&pool));
            }
            let repeats = repeats as f64;
            *least = [least[0].min(emptying / repeats), least[1].min((filling + emptying) / repeats)];
        }
    }
    for ((name, _), [free, cycle]) in ORDERS.iter().zip(least) {
        say(&format!("{name}_free"), free);
        say(&format!("{name}_cycle"), cycle);
    }
    Some(())
}
