//! The state machine of initialisation, over all interleavings that loom finds.
//!
//! Includes the very file that the runtime uses, with loom's atomics in the place of the real ones.

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicUsize, Ordering};
}

#[path = "../src/live/process/once.rs"]
#[allow(dead_code, reason = "not every test uses everything")]
mod once;

use std::sync::Arc;

use once::{Entry, Once};
use sync::{AtomicUsize, Ordering};

struct Shared {
    once: Once,
    /// Written by the one that initialises, without any order of its own.
    table: loom::cell::UnsafeCell<usize>,
    initialised: AtomicUsize,
    /// A pause is over when there is something new; a model checker cannot go through endless loops.
    over: loom::sync::Mutex<bool>,
    news: loom::sync::Condvar,
}

impl Shared {
    fn pause(&self) -> bool {
        let mut over = self.over.lock().expect("no thread panics");
        while !*over {
            over = self.news.wait(over).expect("no thread panics");
        }
        true
    }

    fn announce(&self) {
        *self.over.lock().expect("no thread panics") = true;
        self.news.notify_all();
    }
}

// SAFETY: the cell is only written before `finish`, and only read after `Done`; loom checks just that.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

fn shared() -> Arc<Shared> {
    Arc::new(Shared {
        once: Once::new(AtomicUsize::new(0)),
        table: loom::cell::UnsafeCell::new(0),
        initialised: AtomicUsize::new(0),
        over: loom::sync::Mutex::new(false),
        news: loom::sync::Condvar::new(),
    })
}

/// What each thread does at its first event. Returns what it finds in the table, if it may look.
fn first_event(shared: &Shared, me: usize) -> Option<usize> {
    match shared.once.enter(me, || shared.pause()) {
        Entry::First => {
            // The tool calls back while it initialises: that neither waits nor initialises again.
            assert_eq!(shared.once.enter(me, || unreachable!("waits for itself")), Entry::Reentered);
            assert!(!shared.once.is_done());
            shared.initialised.fetch_add(1, Ordering::Relaxed);
            // SAFETY: nobody else reads or writes before `finish`; loom checks that.
            shared.table.with_mut(|table| unsafe { *table = 7 });
            shared.once.finish();
            shared.announce();
            Some(7)
        }
        // SAFETY: nobody writes after `finish`; loom checks that.
        Entry::Done => Some(shared.table.with(|table| unsafe { *table })),
        entry => unreachable!("{entry:?}"),
    }
}

#[test]
fn one_initialises_and_all_see_what_it_wrote() {
    loom::model(|| {
        let shared = shared();
        let threads = [3, 4].map(|me| {
            let shared = Arc::clone(&shared);
            loom::thread::spawn(move || first_event(&shared, me))
        });
        assert_eq!(first_event(&shared, 2), Some(7));
        for thread in threads {
            assert_eq!(thread.join().ok().flatten(), Some(7));
        }
        assert_eq!(shared.initialised.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn waiting_can_be_called_off() {
    loom::model(|| {
        let shared = shared();
        assert_eq!(shared.once.enter(2, || true), Entry::First);
        // As in a forked child, whose parent's thread never finishes here.
        assert_eq!(shared.once.enter(3, || false), Entry::Abandoned);
        shared.once.finish();
        assert_eq!(shared.once.enter(3, || false), Entry::Done);
        assert!(shared.once.is_done());
    });
}
