//! Times of a pair, an unregister and a register, while the counting tool listens. The lines are for people; what they are to be is told
//! by the program `figures`.
#![allow(missing_docs, reason = "what divan's macros make")]

use std::process::ExitCode;
use std::sync::OnceLock;

use divan::Bencher;
use divan::counter::ItemsCount;
use mstx_benches::annotated::Pool;
use mstx_benches::blocks::Blocks;
use mstx_benches::client::Client;
use mstx_benches::{Reporter, process};

/// Each benchmark has memory of its own.
const BASES: [usize; 4] = [0x12c0_0000_0000, 0x22c0_0000_0000, 0x32c0_0000_0000, 0x42c0_0000_0000];
/// Room for each number of live blocks.
const ROOM: usize = 1 << 32;
const BLOCK: usize = 64;
const LIVE: [usize; 3] = [100, 10_000, 100_000];
/// Pairs in a sample.
const PAIRS: usize = 1_000;

fn main() -> ExitCode {
    process::main_with_tool(divan::main)
}

fn bench<R: Reporter>(bencher: Bencher<'_, '_>, mut blocks: Blocks, reporter: &R, pairs: fn(&mut Blocks, usize, &R)) {
    blocks.fill(reporter);
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| pairs(&mut blocks, PAIRS, reporter));
    blocks.empty(reporter);
}

/// Blocks and the pool that they are of.
fn pool(place: usize, live: usize, new: fn(usize, usize) -> Pool) -> (Blocks, Pool) {
    // A heap for each number, since none is ended.
    let base = BASES[place] + LIVE.iter().position(|number| *number == live).unwrap_or(0) * ROOM;
    let blocks = Blocks::new(base, BLOCK, live);
    let pool = new(base, blocks.extent());
    (blocks, pool)
}

#[divan::bench(args = LIVE)]
fn immediate(bencher: Bencher<'_, '_>, live: usize) {
    let (blocks, pool) = pool(0, live, Pool::new);
    bench(bencher, blocks, &pool, Blocks::exchange);
}

#[divan::bench(args = LIVE)]
fn deferred(bencher: Bencher<'_, '_>, live: usize) {
    let (blocks, pool) = pool(1, live, Pool::deferred);
    bench(bencher, blocks, &pool, Blocks::exchange);
    mstx::flush();
}

#[divan::bench(args = LIVE)]
fn in_a_batch(bencher: Bencher<'_, '_>, live: usize) {
    let (blocks, pool) = pool(2, live, Pool::new);
    bench(bencher, blocks, &pool, |blocks, times, pool| mstx::batch(|| blocks.exchange(times, pool)));
}

#[divan::bench(args = LIVE)]
fn client_in_c(bencher: Bencher<'_, '_>, live: usize) {
    static CLIENT: OnceLock<Option<Client>> = OnceLock::new();
    let Some(client) = CLIENT.get_or_init(|| Client::attach(BASES[3], ROOM)) else { return };
    bench(bencher, Blocks::new(BASES[3], BLOCK, live), client, Blocks::exchange);
}
