//! Programs of up to three threads, whose functions are cut into parts (what is done before the body, the body, what is done
//! after it) and run in any order, against a naive model and the books of a stub tool.
//!
//! The bodies work on a memory that really hands out what is free, and nothing else; so every program is legal, however its
//! parts interleave, and raises no fault. After every part, the tool knows what it must know and nothing that it must not.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test")]

mod after;
mod before;
mod check;
#[path = "../common/mod.rs"]
mod common;
mod memory;
mod reports;

use std::fmt;
use std::ops::Range;

use mstx_runtime::__private::{Batch, Body, Call, HeapResize, Release, Resize};
use proptest::prelude::*;

use common::{Actor, Pool, World};

/// Two pools that are always there, one of which is deferred; one that comes and goes; and two on regions of others.
const PLACES: [Range<usize>; 3] = [0..24, 32..56, 64..80];
const POOLS: usize = 5;

/// Who holds back what was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Nobody,
    Batch(usize),
    Heap(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Handed out by the body, not reported yet.
    Fresh,
    Live,
    /// Its release was reported.
    Leaving,
    /// It has moved, which was not reported yet.
    Moved,
    /// Reported after a reset or the end of its heap took it: the tool may know it until something else is reported there.
    Phantom,
}

#[derive(Clone, Debug)]
struct Region {
    pool: usize,
    slots: Range<usize>,
    state: State,
    /// Whether the memory is its own: not after a reset, however late its report comes.
    memory: bool,
    holder: Holder,
    /// Its report was held back, and nothing has made it go early.
    unsent: bool,
    /// A reset or the end of its heap was reported since.
    swept: bool,
    /// Reported after a reset or beginning of its heap that it was in flight with.
    doubtful: bool,
    /// In doubt, and it met another region: nobody knows which of them is there.
    uncertain: bool,
    /// It came before its heap.
    waits: bool,
    ticket: usize,
    /// A thread is resizing it.
    busy: bool,
    /// How many heaps lie on it.
    heaps: usize,
}

/// What was released and may still be at the tool.
#[derive(Clone, Debug)]
struct Dead {
    slots: Range<usize>,
    holder: Holder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Absent,
    /// Being made; its memory may be there already.
    Starting,
    Live,
    /// Its end was reported; its memory is there.
    Ending,
}

#[derive(Clone, Debug)]
struct Heap {
    pool: Pool,
    deferred: bool,
    /// The memory that it has; none before its beginning and after its end.
    memory: Range<usize>,
    /// How far the tool was told that it reaches.
    told: usize,
    limit: usize,
    standing: Standing,
    /// The region that it lies on.
    on: Option<usize>,
    /// When it was last begun, reset or ended.
    changed: usize,
    resets: usize,
    /// Functions in flight, besides allocations and releases.
    busy: usize,
    /// How many heaps there were in this place.
    made: usize,
}

/// A function in flight.
enum Doing {
    Take { pool: usize, made: usize, call: Call, ticket: usize, got: Option<Vec<usize>> },
    Give { region: usize, guard: Release, waited: bool, refused: Option<bool> },
    Change { region: usize, guard: Resize, size: usize, ticket: usize, outcome: Option<Outcome> },
    Reset { pool: usize, guard: Body, done: bool },
    End { pool: usize, guard: Body, done: bool },
    SetSize { pool: usize, guard: HeapResize, end: usize, done: bool },
    Begin { pool: usize, call: Call, done: bool },
}

#[derive(Clone, Copy, Debug)]
enum Outcome {
    Refused,
    Same,
    Moved(usize),
}

struct Thread {
    actor: Actor,
    batch: Option<(usize, Batch)>,
    doing: Option<Doing>,
}

struct Model {
    world: World,
    threads: Vec<Thread>,
    heaps: Vec<Heap>,
    regions: Vec<Option<Region>>,
    dead: Vec<Dead>,
    /// Reported after the end of their heap, while another may be about to begin there: the tool may be told of them with that one.
    ghosts: Vec<Range<usize>>,
    batches: usize,
    clock: usize,
    /// The heaps that the tool knows.
    told: Vec<Range<usize>>,
    /// Where each holder was ever asked to hold something back: what starts there later may go with it, which is early.
    held: Vec<(Holder, usize)>,
    /// What happened, for the message of a failure.
    history: Vec<String>,
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

fn pick(list: &[usize], by: usize) -> Option<usize> {
    list.get(by % list.len().max(1)).copied()
}

impl Model {
    fn new(threads: usize) -> Self {
        let world = World::under("msan");
        let thread = || Thread { actor: Actor::new(), batch: None, doing: None };
        let heap = |place: Range<usize>| Heap {
            pool: world.pool(place.clone()),
            deferred: false,
            memory: place.start..place.start,
            told: place.start,
            limit: place.end,
            standing: Standing::Absent,
            on: None,
            changed: 0,
            resets: 0,
            busy: 0,
            made: 0,
        };
        let heaps = PLACES.into_iter().chain([0..0, 0..0]).map(heap).collect();
        let threads = (0..threads).map(|_| thread()).collect();
        let mut model = Self {
            world,
            threads,
            heaps,
            regions: vec![],
            dead: vec![],
            ghosts: vec![],
            batches: 0,
            clock: 1,
            told: vec![],
            held: vec![],
            history: vec![],
        };
        for (pool, place) in PLACES.into_iter().enumerate().take(2) {
            model.start_begin(0, pool, place.start..place.end - 8, pool == 1);
            model.advance(0, 0, 0);
            model.advance(0, 0, 0);
        }
        model
    }

    fn ids(&self, which: impl Fn(&Region) -> bool) -> Vec<usize> {
        let is = |&id: &usize| self.regions[id].as_ref().is_some_and(&which);
        (0..self.regions.len()).filter(is).collect()
    }

    fn region(&mut self, id: usize) -> &mut Region {
        self.regions[id].as_mut().unwrap()
    }

    fn holder(&self, thread: usize, pool: usize) -> Holder {
        match &self.threads[thread].batch {
            _ if self.heaps[pool].deferred => Holder::Heap(pool),
            Some((batch, _)) => Holder::Batch(*batch),
            None => Holder::Nobody,
        }
    }

    fn note(&mut self, thread: usize, what: impl fmt::Display) {
        self.history.push(format!("thread {thread}: {what}"));
    }

    fn tick(&mut self) -> usize {
        self.clock += 1;
        self.clock
    }

    fn step(&mut self, Step(thread, kind, a, b): Step) {
        let thread = usize::from(thread) % self.threads.len();
        let (a, b) = (usize::from(a), usize::from(b));
        if self.threads[thread].doing.is_some() {
            self.advance(thread, a, b);
        } else {
            self.start(thread, kind, a, b);
        }
    }

    /// Every function returns, every batch ends, everything is given back, and the pools end.
    fn finish_all(&mut self) -> Result<(), TestCaseError> {
        while self.threads.iter().any(|thread| thread.doing.is_some()) {
            for thread in 0..self.threads.len() {
                self.advance(thread, 1, 1);
                self.check("a function returns")?;
            }
        }
        for thread in 0..self.threads.len() {
            if self.threads[thread].batch.is_some() {
                self.toggle_batch(thread);
                self.check("a batch ends")?;
            }
        }
        self.flush(0);
        self.check("a flush")?;
        for pool in [4, 3, 4, 2, 1, 0] {
            for id in self.ids(|region| region.pool == pool && region.state == State::Live && region.memory && region.heaps == 0)
            {
                self.start_give(0, id);
                self.advance(0, 1, 1);
                self.advance(0, 1, 1);
                self.check("a last release")?;
            }
            self.start_end(0, pool);
            self.advance(0, 1, 1);
            self.advance(0, 1, 1);
            self.check("the end of a pool")?;
        }
        prop_assert_eq!(self.world.live(), Vec::new(), "in {:#?}", self.history);
        prop_assert_eq!(&self.told, &Vec::new());
        Ok(())
    }
}

/// A failed case leaves nothing behind for the next one.
impl Drop for Model {
    fn drop(&mut self) {
        for thread in 0..self.threads.len() {
            let (doing, batch) = (self.threads[thread].doing.take(), self.threads[thread].batch.take());
            self.run(thread, || drop((doing, batch)));
        }
        for pool in (0..POOLS).rev().filter(|&pool| self.heaps[pool].standing == Standing::Live) {
            let handle = self.heaps[pool].pool;
            self.run(0, move || drop(handle.end()));
        }
    }
}

/// A thread, what it starts if it is doing nothing, and two numbers that choose on what.
#[derive(Clone, Copy)]
struct Step(u8, u8, u8, u8);

/// On one line, however deep in a structure.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(thread, kind, a, b) = self;
        write!(f, "Step({thread}, {kind}, {a}, {b})")
    }
}

fn step() -> impl Strategy<Value = Step> {
    (0..3_u8, 0..18_u8, any::<u8>(), any::<u8>()).prop_map(|(thread, kind, a, b)| Step(thread, kind, a, b))
}

/// How many programs are tried: 300, or as many as `PROPTEST_CASES` says.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 8000, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn the_tool_knows_what_is_live_however_threads_interleave(
        threads in 1..4_usize,
        steps in proptest::collection::vec(step(), 1..100),
    ) {
        let mut model = Model::new(threads);
        for (number, step) in steps.iter().enumerate() {
            model.step(*step);
            model.check((number, step))?;
        }
        model.finish_all()?;
    }
}
