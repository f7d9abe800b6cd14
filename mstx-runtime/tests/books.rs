//! The locks, over all interleavings that loom finds.
//!
//! Includes the very files that the runtime uses, with loom's atomics in the place of the real ones. Loom fails where two threads can
//! reach the value at once (it is a cell of loom's), where all threads sleep, and where one spins without end.

/// What `src/live/sync.rs` is in the runtime.
mod sync {
    use core::cell::Cell;

    use loom::sync::atomic::fence;

    pub(crate) use loom::sync::atomic::Ordering;
    pub(crate) use loom::thread::yield_now;

    /// Loom lets the others go on first: they are what is waited for.
    pub(crate) use loom::thread::yield_now as spin_loop;

    /// Few, since each doubles what a model checker has to go through; the loop after it looks again all the same.
    pub(crate) const TRIES: u32 = 1;

    /// Two threads in one place, and one in another: three threads are all that there are.
    pub(crate) const PLACES: usize = 2;

    /// Where the fences are that make loom keep all that is `SeqCst` in one order.
    ///
    /// Loom takes such an access for one that acquires or releases, and would find faults where there are none; of fences it knows the
    /// order. As on processors without such accesses, one before each will do, or one after each: either way there is a fence between
    /// any two of one thread. Every model must hold with either. Both at once would hide an access that should be `SeqCst` and is
    /// not, since the fence of its neighbour would do for it. With those before, that is seen of the second of two; with those after,
    /// of the first.
    ///
    /// What this cannot show: a fence orders more than the language promises of the access, also what is `Relaxed` next to it.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Fences {
        Before,
        After,
    }

    // All threads of a model run in one real thread; what is its own, they have in common, and other models do not see it.
    std::thread_local! {
        static FENCES: Cell<Fences> = const { Cell::new(Fences::Before) };
    }

    /// From now on, in the models of this test.
    pub(crate) fn set_fences(fences: Fences) {
        FENCES.set(fences);
    }

    fn access<T>(how: Ordering, perform: impl FnOnce() -> T) -> T {
        let fence_if = |place| {
            if how == Ordering::SeqCst && FENCES.get() == place {
                fence(Ordering::SeqCst);
            }
        };
        fence_if(Fences::Before);
        let result = perform();
        fence_if(Fences::After);
        result
    }

    /// Loom's atomic of that name, with the fences.
    macro_rules! atomic {
        ($name:ident of $value:ty: $(fn $method:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
            pub(crate) struct $name(loom::sync::atomic::$name);

            impl $name {
                pub(crate) fn new(value: $value) -> Self {
                    Self(loom::sync::atomic::$name::new(value))
                }

                $(pub(crate) fn $method(&self, $($argument: $type,)* how: Ordering) -> $result {
                    access(how, || self.0.$method($($argument,)* how))
                })*
            }
        };
    }

    atomic! { AtomicBool of bool:
        fn load() -> bool;
        fn store(value: bool) -> ();
    }
    atomic! { AtomicU32 of u32:
        fn load() -> u32;
        fn store(value: u32) -> ();
        fn swap(value: u32) -> u32;
        fn fetch_add(value: u32) -> u32;
        fn fetch_sub(value: u32) -> u32;
    }

    impl AtomicU32 {
        pub(crate) fn compare_exchange(&self, old: u32, new: u32, how: Ordering, failing: Ordering) -> Result<u32, u32> {
            access(how, || self.0.compare_exchange(old, new, how, failing))
        }
    }
}

/// What `src/live/process` is in the runtime.
mod process {
    pub(crate) mod fork {
        pub(crate) fn is_child() -> bool {
            false
        }
    }

    pub(crate) mod single {
        use core::cell::Cell;

        // As with `FENCES`.
        std::thread_local! {
            static SINGLE: Cell<bool> = const { Cell::new(false) };
        }

        pub(crate) fn is_single() -> bool {
            SINGLE.get()
        }

        /// As the C library does before a second thread begins.
        pub(crate) fn set(single: bool) {
            SINGLE.set(single);
        }
    }

    pub(crate) mod system {
        use loom::sync::{Condvar, Mutex};

        use crate::sync::{AtomicU32, Ordering};

        // The kernel's: it looks at the word and puts the thread to sleep in one step, as far as those can tell who wake.
        loom::lazy_static! {
            static ref QUEUE: Mutex<()> = Mutex::new(());
            static ref SLEEPERS: Condvar = Condvar::new();
        }

        pub(crate) fn wait(word: &AtomicU32, expected: u32) {
            let queue = QUEUE.lock().expect("no thread panics");
            if word.load(Ordering::Relaxed) == expected {
                drop(SLEEPERS.wait(queue).expect("no thread panics"));
            }
        }

        pub(crate) fn wake_one(_word: &AtomicU32) {
            let _queue = QUEUE.lock().expect("no thread panics");
            SLEEPERS.notify_one();
        }
    }

    pub(crate) mod thread {
        use core::cell::Cell;

        loom::thread_local! {
            static NUMBER: Cell<u32> = Cell::new(0);
            static SHARES: Cell<bool> = Cell::new(false);
        }

        /// The first thing that a thread does, except for the first one.
        pub(crate) fn begin(number: u32) {
            NUMBER.with(|own| own.set(number));
        }

        pub(crate) fn number() -> u32 {
            NUMBER.with(Cell::get)
        }

        pub(crate) fn holder() -> u32 {
            number() + 1
        }

        pub(crate) fn shares() -> bool {
            SHARES.with(Cell::get)
        }

        pub(crate) fn set_shares(shares: bool) {
            SHARES.with(|own| own.set(shares));
        }
    }
}

#[path = "../src/live/books.rs"]
mod books;
#[path = "../src/live/lock.rs"]
#[allow(dead_code, reason = "the books do not use everything")]
mod lock;

use std::sync::Arc;

use books::{Books, Place};
use lock::Lock;
use loom::cell::UnsafeCell;
use loom::thread::JoinHandle;
use process::{single, thread};
use sync::{AtomicBool, AtomicU32, Fences};

/// Loom fails where one looks at it or writes it while another writes.
struct Value(UnsafeCell<u32>);

// SAFETY: loom fails where it is written while another thread looks at it.
unsafe impl Sync for Value {}

/// All interleavings in which no more than so many times a thread is interrupted that could go on. To go through all there are takes
/// too long with three threads, and where both of two may sleep. `LOOM_MAX_PREEMPTIONS` asks for another number.
fn model(interruptions: Option<usize>, what: impl Fn() + Copy + Sync + Send + 'static) {
    for fences in [Fences::Before, Fences::After] {
        sync::set_fences(fences);
        let mut model = loom::model::Builder::new();
        model.preemption_bound = model.preemption_bound.or(interruptions);
        model.check(what);
    }
}

fn lock() -> Lock<Value> {
    Lock::with(AtomicU32::new(0), Value(UnsafeCell::new(0)))
}

fn books() -> Arc<Books<Value>> {
    let places = [(); sync::PLACES].map(|()| Place::new(AtomicU32::new(0)));
    Arc::new(Books::with(lock(), AtomicBool::new(false), places))
}

fn add(value: &Value) -> u32 {
    value.0.with_mut(|value| {
        // SAFETY: nobody else looks at it or writes it; loom checks that.
        let value = unsafe { &mut *value };
        *value += 1;
        *value
    })
}

fn look(value: &Value) -> u32 {
    // SAFETY: nobody writes it; loom checks that.
    value.0.with(|value| unsafe { *value })
}

fn spawn<T: Sync + Send + 'static>(number: u32, of: &Arc<T>, what: impl FnOnce(&T) + 'static) -> JoinHandle<()> {
    let of = Arc::clone(of);
    loom::thread::spawn(move || {
        thread::begin(number);
        what(&of);
    })
}

/// Has the books alone, once. Returns how many have had them so, with this one.
fn alone(books: &Books<Value>) -> u32 {
    let guard = books.lock().expect("this thread has nothing");
    add(&guard)
}

/// Shares the books, if it can. Returns how many had had them alone. Afterwards this thread shares nothing, whether it could or not.
fn share(books: &Books<Value>) -> Option<u32> {
    let seen = books.share().map(|shared| {
        let seen = look(shared.get());
        assert_eq!(look(shared.get()), seen, "nobody has them alone meanwhile");
        seen
    });
    assert!(!thread::shares());
    seen
}

/// When the others are gone, the books can be shared, and taken alone: nothing was left behind.
fn is_as_before(books: &Books<Value>, had: u32) {
    assert_eq!(share(books), Some(had));
    assert_eq!(alone(books), had + 1);
}

#[test]
fn nobody_looks_while_one_has_them_alone() {
    model(Some(3), || {
        let books = books();
        // One in each place.
        let sharing = [1, 2].map(|number| spawn(number, &books, |books| assert!(share(books) <= Some(2))));
        assert_eq!([alone(&books), alone(&books)], [1, 2]);
        for thread in sharing {
            thread.join().expect("no thread panics");
        }
        is_as_before(&books, 2);
    });
}

#[test]
fn two_in_one_place() {
    model(Some(3), || {
        let books = books();
        let sharing = [2, 4].map(|number| spawn(number, &books, |books| assert!(share(books) <= Some(1))));
        assert_eq!(alone(&books), 1);
        for thread in sharing {
            thread.join().expect("no thread panics");
        }
        is_as_before(&books, 1);
    });
}

#[test]
fn the_first_that_shares_them_and_one_that_wants_them_alone() {
    model(None, || {
        let books = books();
        let sharing = spawn(1, &books, |books| {
            let seen = [share(books), share(books)];
            assert!(seen <= [Some(1), Some(1)]);
        });
        assert_eq!(alone(&books), 1);
        sharing.join().expect("no thread panics");
        is_as_before(&books, 1);
    });
}

#[test]
fn two_want_them_alone_and_one_shares_them() {
    model(Some(3), || {
        let books = books();
        let sharing = spawn(1, &books, |books| assert!(share(books) <= Some(2)));
        let other = spawn(2, &books, |books| assert!(alone(books) <= 2));
        assert!(alone(&books) <= 2);
        sharing.join().expect("no thread panics");
        other.join().expect("no thread panics");
        is_as_before(&books, 2);
    });
}

#[test]
fn who_has_them_gets_them_no_second_time() {
    model(None, || {
        let books = books();
        let shared = books.share();
        assert!(shared.is_some() && books.share().is_none() && books.lock().is_none());
        // What could not be shared again takes nothing back.
        assert!(thread::shares());
        drop(shared);
        let guard = books.lock();
        assert!(guard.is_some() && books.share().is_none() && books.lock().is_none());
        drop(guard);
        is_as_before(&books, 0);
    });
}

fn take(lock: &Lock<Value>) -> u32 {
    let guard = lock.lock().expect("this thread has nothing");
    assert!(lock.is_mine());
    add(&guard)
}

#[test]
fn one_at_a_time_has_a_lock() {
    model(Some(5), || {
        let lock = Arc::new(lock());
        let other = spawn(1, &lock, |lock| assert!(take(lock) < take(lock)));
        assert!(take(&lock) < take(&lock));
        other.join().expect("no thread panics");
        assert_eq!(take(&lock), 5);
        assert!(!lock.is_taken());
    });
}

#[test]
fn all_that_wait_for_a_lock_get_it() {
    model(Some(2), || {
        let lock = Arc::new(lock());
        let others = [1, 2].map(|number| spawn(number, &lock, |lock| assert!(take(lock) <= 3)));
        assert!(take(&lock) <= 3);
        for thread in others {
            thread.join().expect("no thread panics");
        }
        assert_eq!(take(&lock), 4);
        assert!(!lock.is_taken());
    });
}

#[test]
fn a_second_thread_begins_while_the_first_has_the_lock() {
    model(None, || {
        single::set(true);
        let books = books();
        assert_eq!(alone(&books), 1);
        let guard = books.lock().expect("this thread has nothing");
        single::set(false);
        let other = spawn(1, &books, |books| {
            assert!(share(books) != Some(1), "the first thread has them until they are written");
            assert_eq!(alone(books), 3);
        });
        add(&guard);
        drop(guard);
        other.join().expect("no thread panics");
        is_as_before(&books, 3);
    });
}
