//! Two threads with a deferred heap each, and one of them alone.

use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use mstx_benches::annotated::Pool;
use mstx_benches::blocks::Blocks;
use mstx_benches::{Nobody, Reporter};

use super::{BASE, BLOCK, OTHER_BASE, nanoseconds, say};

const LIVE: usize = 10_000;
const BETWEEN_FLUSHES: usize = 100_000;
const FLUSHES: usize = 3;
const PAIRS: usize = BETWEEN_FLUSHES * FLUSHES;
const ROUNDS: usize = 5;

/// What a thread works on. Aligned: two threads that write to one cache line would wait for each other here already.
#[repr(align(128))]
struct Thread<R> {
    blocks: Blocks,
    reporter: R,
}

/// What a thread does so many times.
type Work<R> = fn(&mut Blocks, usize, &R);

/// The time for a pair, by the clock on the wall: one thread alone, and two at once.
fn compare<R: Reporter + Send + Sync>(name: &str, threads: &mut [Thread<R>; 2], work: Work<R>, flush: bool) {
    let [mut one, mut two] = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        one = one.min(time(&mut threads[..1], work, flush));
        two = two.min(time(threads, work, flush));
    }
    say(&format!("{name}_one"), one);
    say(&format!("{name}_two"), two);
}

/// From when the first thread begins to when the last ends.
fn time<R: Reporter + Send + Sync>(threads: &mut [Thread<R>], work: Work<R>, flush: bool) -> f64 {
    let ready = Barrier::new(threads.len());
    let times: Vec<(Instant, Instant)> = thread::scope(|scope| {
        let threads = threads.iter_mut().enumerate();
        let running: Vec<_> = threads
            .map(|(index, Thread { blocks, reporter })| {
                let ready = &ready;
                scope.spawn(move || {
                    ready.wait();
                    let start = Instant::now();
                    for _ in 0..FLUSHES {
                        work(blocks, BETWEEN_FLUSHES, reporter);
                        // One of them launches kernels.
                        if flush && index == 0 {
                            mstx::flush();
                        }
                    }
                    (start, Instant::now())
                })
            })
            .collect();
        running.into_iter().flat_map(|thread| thread.join()).collect()
    });
    let start = times.iter().map(|(start, _)| *start).min();
    let end = times.iter().map(|(_, end)| *end).max();
    // Without a thread, there is no time.
    start.zip(end).map_or(f64::NAN, |(start, end)| nanoseconds(end - start) / PAIRS as f64)
}

pub(super) fn run() -> Option<()> {
    let mut pools = [BASE, OTHER_BASE].map(|base| {
        let blocks = Blocks::new(base, BLOCK, LIVE);
        let pool = Pool::deferred(base, blocks.extent());
        blocks.fill(&pool);
        Thread { blocks, reporter: pool }
    });
    mstx::flush();
    compare("exchange", &mut pools, Blocks::exchange, true);
    // What the last exchanges of the second thread left pending would make its pairs others than those of the first.
    mstx::flush();
    compare("cancel", &mut pools, Blocks::cancel, false);
    let mut idle = [BASE, OTHER_BASE].map(|base| Thread { blocks: Blocks::new(base, BLOCK, LIVE), reporter: Nobody });
    // It takes so little time that as many pairs would be over before the second thread has a core of its own.
    let often: Work<Nobody> = |blocks, times, nobody| blocks.exchange(100 * times, nobody);
    compare("nothing", &mut idle, often, false);
    Some(())
}
