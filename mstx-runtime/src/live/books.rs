//! The lock of the books: one has them alone, or several share them.
//!
//! Hardly ever are they shared (see `ledger::plain`), so that costs those who want them alone next to nothing until it happens for the
//! first time. Those who share them announce it each in a place of its own; whoever wants them alone takes the lock, and waits until
//! all those places are empty. Nobody waits to share: where the books are taken, the long way is gone.
//!
//! A model checker goes through the interleavings (`tests/books.rs` includes this file with loom's atomics).
#![allow(unsafe_code, reason = "hands out the locked value")]

use super::lock::{Guard, Lock};
use super::process::{fork, thread};
use super::sync::{AtomicBool, AtomicU32, Ordering, PLACES, spin_loop, yield_now};

/// How many in this place share the books; on cache lines of its own.
#[repr(align(128))]
pub(crate) struct Place(AtomicU32);

impl Place {
    /// `count` must be 0.
    pub(crate) const fn new(count: AtomicU32) -> Self {
        Self(count)
    }
}

/// A lock around `T`, which can be shared.
pub(crate) struct Books<T> {
    lock: Lock<T>,
    /// Whether they were ever shared.
    shared: AtomicBool,
    places: [Place; PLACES],
}

impl<T> Books<T> {
    /// `shared` must be false. See `new`, which is in `sync`.
    pub(crate) const fn with(lock: Lock<T>, shared: AtomicBool, places: [Place; PLACES]) -> Self {
        Self { lock, shared, places }
    }

    /// Takes the books alone. `None` where this thread has them already, and in a forked child.
    pub(crate) fn lock(&self) -> Option<Guard<'_, T>> {
        if thread::shares() {
            return None;
        }
        let guard = self.lock.lock()?;
        // In one order for all threads: either this one sees that they are shared, or those who want to share see the lock.
        if self.shared.load(Ordering::SeqCst) {
            self.wait();
        }
        Some(guard)
    }

    fn wait(&self) {
        for place in &self.places {
            let mut tries = 0_u32;
            while place.0.load(Ordering::SeqCst) > 0 {
                tries += 1;
                if tries % 64 == 0 {
                    // Whoever shares them may not be running.
                    yield_now();
                }
                spin_loop();
            }
        }
    }

    /// Shares the books, if nobody has or wants them alone.
    pub(crate) fn share(&self) -> Option<Shared<'_, T>>
    where
        T: Sync,
    {
        if fork::is_child() || thread::shares() {
            return None;
        }
        // In the one order, too: who sees that they were shared before must come after that.
        if !self.shared.load(Ordering::SeqCst) {
            self.shared.store(true, Ordering::SeqCst);
        }
        thread::set_shares(true);
        let place = &self.places[thread::number() as usize % PLACES].0;
        place.fetch_add(1, Ordering::SeqCst);
        let shared = Shared { books: self, place };
        // Dropping it takes the announcement back.
        (!self.lock.is_taken()).then_some(shared)
    }
}

/// The books are shared while this lives.
pub(crate) struct Shared<'a, T> {
    books: &'a Books<T>,
    place: &'a AtomicU32,
}

impl<T> Shared<'_, T> {
    /// What is shared; of that, what can be changed has locks of its own.
    pub(crate) fn get(&self) -> &T {
        // SAFETY: nobody has the books alone while somebody shares them.
        unsafe { self.books.lock.peek() }
    }
}

impl<T> Drop for Shared<'_, T> {
    fn drop(&mut self) {
        self.place.fetch_sub(1, Ordering::Release);
        thread::set_shares(false);
    }
}
