//! A lock that neither allocates nor poisons, and knows its holder.
//!
//! The standard library does not promise that its `Mutex` can be used inside a global allocator.
//!
//! A model checker goes through the interleavings (`tests/books.rs` includes this file with loom's atomics).
#![allow(unsafe_code, reason = "hands out the locked value")]

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};

use super::process::{fork, single, system, thread};
use super::sync::{AtomicU32, Ordering, TRIES, spin_loop};

const FREE: u32 = 0;
/// Somebody may be waiting; beside it, who holds the lock.
///
/// Both are in one word: a handler of a signal, which may come between any two accesses, sees who has the lock as soon as it is taken,
/// and until it is given back.
const AWAITED: u32 = 1 << 31;

/// A lock around `T`.
pub(crate) struct Lock<T> {
    state: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is only reached through a `Guard`, of which there is one at a time.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    /// `state` must be 0. See `new`, which is in `sync`.
    pub(crate) const fn with(state: AtomicU32, value: T) -> Self {
        Self { state, value: UnsafeCell::new(value) }
    }

    /// What is locked, where nobody else can reach it.
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    /// The same, to look at.
    ///
    /// # Safety
    ///
    /// Nobody holds the lock as long as the reference lives.
    pub(crate) unsafe fn peek(&self) -> &T {
        // SAFETY: there is no guard, through which the value could be changed.
        unsafe { &*self.value.get() }
    }

    /// Whether anybody holds the lock, in one order with all that is done so.
    pub(crate) fn is_taken(&self) -> bool {
        self.state.load(Ordering::SeqCst) != FREE
    }

    /// Whether this thread holds the lock. Only the thread itself stores its own number, so the answer is exact.
    pub(crate) fn is_mine(&self) -> bool {
        self.state.load(Ordering::Relaxed) & !AWAITED == thread::holder()
    }

    /// Takes the lock. `None` where this thread holds it already, and in a forked child, where a thread may hold it that the
    /// child does not have.
    pub(crate) fn lock(&self) -> Option<Guard<'_, T>> {
        let me = thread::holder();
        if fork::is_child() || self.is_mine() {
            return None;
        }
        // In a process with one thread nobody else can hold it, or take it meanwhile.
        if single::is_single() && self.state.load(Ordering::Relaxed) == FREE {
            self.state.store(me, Ordering::Relaxed);
        } else if self.state.compare_exchange(FREE, me, Ordering::SeqCst, Ordering::Relaxed).is_err() {
            self.contend(me);
        }
        Some(Guard { lock: self })
    }

    #[cold]
    fn contend(&self, me: u32) {
        let is_free_for = |state| {
            let is_free = self.state.load(Ordering::Relaxed) == FREE;
            is_free && self.state.compare_exchange(FREE, state, Ordering::SeqCst, Ordering::Relaxed).is_ok()
        };
        for _ in 0..TRIES {
            if is_free_for(me) {
                return;
            }
            spin_loop();
        }
        // Others may wait as well.
        while !is_free_for(me | AWAITED) {
            let held = self.state.load(Ordering::Relaxed);
            let awaited = held | AWAITED;
            let note = || self.state.compare_exchange(held, awaited, Ordering::SeqCst, Ordering::Relaxed).is_ok();
            if held != FREE && (held == awaited || note()) {
                system::wait(&self.state, awaited);
            }
        }
    }
}

/// The lock is held while this lives.
pub(crate) struct Guard<'a, T> {
    lock: &'a Lock<T>,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: this guard is the only one, so nobody writes.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: this guard is the only one, and it is borrowed mutably.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        if single::is_single() {
            // Nobody waits. A thread that begins now sees this.
            self.lock.state.store(FREE, Ordering::Release);
        } else if self.lock.state.swap(FREE, Ordering::Release) & AWAITED != 0 {
            system::wake_one(&self.lock.state);
        }
    }
}
