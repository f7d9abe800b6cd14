//! The state machine of initialisation: once, others wait, re-entry does not.
//!
//! Small and free of everything else, so that a model checker can go through all its interleavings (`tests/once.rs`
//! includes this file with loom's atomics).
//!
//! | state | meaning | next |
//! |---|---|---|
//! | `NEW` | nobody has come yet | a thread's identity |
//! | an identity | that thread initialises | `DONE` |
//! | `DONE` | it is over, for good | |

use super::sync::{AtomicUsize, Ordering};

const NEW: usize = 0;
const DONE: usize = 1;

/// Initialisation that happens once.
pub(crate) struct Once {
    state: AtomicUsize,
}

/// What a thread that comes by has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Initialise, then say `finish`.
    First,
    /// Go on: this very thread is initialising.
    Reentered,
    /// Go on: it is done, and everything that was written before `finish` is visible.
    Done,
    /// It never will be done: the waiting was called off.
    Abandoned,
}

impl Once {
    /// `state` must be 0. (It comes from outside since loom's atomics cannot be made in a constant.)
    pub(crate) const fn new(state: AtomicUsize) -> Self {
        Self { state }
    }

    /// Comes by as thread `me` (neither 0 nor 1). While another thread initialises, `pause` is called until it is done or
    /// `pause` says to give up (`false`).
    pub(crate) fn enter(&self, me: usize, mut pause: impl FnMut() -> bool) -> Entry {
        loop {
            match self.state.compare_exchange(NEW, me, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => return Entry::First,
                Err(DONE) => return Entry::Done,
                Err(other) if other == me => return Entry::Reentered,
                Err(_) if !pause() => return Entry::Abandoned,
                Err(_) => {}
            }
        }
    }

    /// The first thread says that it is through.
    pub(crate) fn finish(&self) {
        self.state.store(DONE, Ordering::Release);
    }

    /// Whether initialisation is over.
    pub(crate) fn is_done(&self) -> bool {
        self.state.load(Ordering::Acquire) == DONE
    }
}
