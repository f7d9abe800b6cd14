//! Batches, deferred heaps and flushes. Marks, which are never held back, stand between what is told.

use crate::pool::{BASE, MAIN, OTHER, Pool, Refused, SIZE, give_at, open, take_at};
use crate::process::in_child;
use crate::report::faults;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::exit;
use std::sync::mpsc::channel;
use std::thread;

crate::scenarios![
    many_allocations,
    what_comes_and_goes,
    what_comes_and_goes_outside,
    a_closure,
    an_early_return,
    a_question_mark,
    a_panic,
    batches_in_a_batch,
    a_thread,
    a_thread_that_panics,
    two_heaps,
    exit_in_a_batch,
    exit_with_a_deferred_heap,
    return_with_a_deferred_heap,
    deferred,
    deferred_by_option,
    deferred_at_three,
    deferred_pairs,
    memory_of_pairs,
    regions_of_no_heap,
    end_of_a_deferred_heap,
    flush_function,
    flush_of_another_batch,
    reset_of_many,
    reset_of_many_in_a_batch,
    growth_of_many,
    growth_of_many_in_a_batch,
    a_fault,
    fork_in_a_batch,
];

/// How many regions are many.
const MANY: usize = 1000;

fn take_many(pool: Pool) {
    for index in 0..MANY {
        pool.take(index * 4, 4);
    }
}

fn many_allocations() {
    #[mstx::batch]
    fn build(pool: Pool) {
        take_many(pool);
        mstx::mark("built");
    }
    let pool = open();
    build(pool);
    mstx::mark("returned");
    pool.reset();
    pool.close();
    faults();
}

#[mstx::batch]
fn take_and_give(pool: Pool) {
    for _ in 0..MANY {
        pool.take(0x100, 64);
        pool.give(0x100);
    }
}

fn what_comes_and_goes() {
    let pool = open();
    take_and_give(pool);
    pool.close();
    faults();
}

/// What was there before goes, and what comes stays.
fn what_comes_and_goes_outside() {
    let pool = open();
    pool.take(0x100, 64);
    pool.take(0x200, 64);
    mstx::batch(|| {
        pool.give(0x100);
        pool.take(0x300, 64);
        pool.give(0x200);
        pool.take(0x400, 64);
    });
    pool.give_many([0x300, 0x400]);
    pool.close();
    faults();
}

fn a_closure() {
    let pool = open();
    let place = mstx::batch(|| {
        pool.take(0x100, 64);
        pool.take(0x200, 64);
        mstx::mark("in it");
        0x100
    });
    mstx::mark("after it");
    pool.give_many([place, 0x200]);
    pool.close();
    faults();
}

fn an_early_return() {
    #[mstx::batch]
    fn early(pool: Pool, enough: bool) -> usize {
        pool.take(0x100, 64);
        mstx::mark("in it");
        if enough {
            return 1;
        }
        pool.take(0x200, 64);
        2
    }
    let pool = open();
    assert_eq!(early(pool, true), 1);
    mstx::mark("after it");
    pool.give(0x100);
    pool.close();
    faults();
}

fn a_question_mark() {
    #[mstx::batch]
    fn fails(pool: Pool) -> Result<(), Refused> {
        pool.take(0x100, 64);
        mstx::mark("in it");
        Err(Refused)?;
        pool.take(0x200, 64);
        Ok(())
    }
    let pool = open();
    assert!(fails(pool).is_err());
    mstx::mark("after it");
    pool.give(0x100);
    pool.close();
    faults();
}

/// Panics, and says nothing of it.
fn panic_quietly() {
    resume_unwind(Box::new(()));
}

fn a_panic() {
    #[mstx::batch]
    fn panics(pool: Pool) {
        pool.take(0x100, 64);
        mstx::mark("in it");
        panic_quietly();
    }
    let pool = open();
    assert!(catch_unwind(AssertUnwindSafe(|| panics(pool))).is_err());
    mstx::mark("after it");
    let in_closure = || {
        mstx::batch(|| {
            pool.take(0x200, 64);
            panic_quietly();
        });
    };
    assert!(catch_unwind(AssertUnwindSafe(in_closure)).is_err());
    mstx::mark("after both");
    pool.give_many([0x100, 0x200]);
    pool.close();
    faults();
}

fn batches_in_a_batch() {
    #[mstx::batch]
    fn inner(pool: Pool, offset: usize) {
        pool.take(offset, 64);
    }
    let pool = open();
    mstx::batch(|| {
        inner(pool, 0x100);
        mstx::batch(|| inner(pool, 0x200));
        mstx::mark("in it");
    });
    mstx::mark("after it");
    inner(pool, 0x300);
    pool.give_many([0x100, 0x200, 0x300]);
    pool.close();
    faults();
}

fn a_thread() {
    let pool = open();
    let thread = thread::spawn(move || {
        mstx::batch(|| {
            pool.take(0x100, 64);
            pool.take(0x200, 64);
        });
    });
    assert!(thread.join().is_ok());
    mstx::mark("joined");
    pool.give_many([0x100, 0x200]);
    pool.close();
    faults();
}

fn a_thread_that_panics() {
    let pool = open();
    let thread = thread::spawn(move || {
        mstx::batch(|| {
            pool.take(0x100, 64);
            pool.take(0x200, 64);
            panic_quietly();
        });
    });
    assert!(thread.join().is_err());
    mstx::mark("joined");
    pool.give_many([0x100, 0x200]);
    pool.close();
    faults();
}

fn two_heaps() {
    let (pool, other) = (open(), Pool::open(&OTHER, 0x20000, SIZE));
    mstx::batch(|| {
        pool.take(0x100, 64);
        other.take(0x100, 64);
        pool.take(0x200, 64);
        other.take(0x200, 64);
    });
    pool.give_many([0x100, 0x200]);
    other.give_many([0x100, 0x200]);
    pool.close();
    other.close();
    faults();
}

fn exit_in_a_batch() {
    let pool = open();
    pool.take(0x100, 64);
    mstx::batch(|| {
        pool.give(0x100);
        pool.take(0x200, 64);
        pool.take(0x300, 64);
        exit(0);
    });
}

#[mstx::heap(domain = MAIN, ptr = BASE, size = SIZE, deferred)]
fn open_deferred() -> Pool {
    Pool::new(&MAIN, BASE, SIZE)
}

fn exit_with_a_deferred_heap() {
    let pool = open_deferred();
    pool.take(0x100, 64);
    mstx::flush();
    pool.give(0x100);
    pool.take(0x200, 64);
    pool.take(0x300, 64);
    exit(0);
}

fn return_with_a_deferred_heap() {
    let pool = open_deferred();
    thread::scope(|scope| {
        scope.spawn(|| {
            pool.take(0x100, 64);
        });
    });
    pool.take(0x200, 64);
}

/// What the programs of `deferred` heaps have in common.
fn hold_back(pool: Pool) {
    pool.take(0x100, 64);
    thread::scope(|scope| {
        scope.spawn(|| {
            pool.take(0x200, 64);
        });
    });
    pool.take(0x300, 64);
    pool.give(0x200);
    mstx::mark("before");
    mstx::flush();
    mstx::mark("after");
    pool.give_many([0x100, 0x300]);
    mstx::mark("before the end");
    pool.close();
    faults();
}

fn deferred() {
    hold_back(open_deferred());
}

fn deferred_by_option() {
    let pool = Pool::new(&MAIN, BASE, SIZE);
    // The pool's own functions report its end.
    std::mem::forget(mstx::Heap::options().domain(&MAIN).deferred().register(pool.at(0), SIZE));
    hold_back(pool);
}

fn deferred_at_three() {
    #[mstx::heap(domain = MAIN, ptr = BASE, size = SIZE, deferred = 3)]
    fn open_deferred_at_three() -> Pool {
        Pool::new(&MAIN, BASE, SIZE)
    }
    let pool = open_deferred_at_three();
    for index in 1..=5 {
        pool.take(index * 0x100, 64);
        mstx::mark("taken");
    }
}

fn deferred_pairs() {
    let pool = open_deferred();
    for _ in 0..MANY {
        pool.take(0x100, 64);
        pool.give(0x100);
    }
    mstx::flush();
    pool.close();
    faults();
}

/// How many bytes are in use by whoever allocated them.
fn bytes_in_use() -> usize {
    // SAFETY: no conditions.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

/// Prints how many bytes each of many pairs that cancel costs, as long as it is held back.
fn memory_of_pairs() {
    const PAIRS: usize = 100_000;
    let churn = |pool: Pool| {
        let before = bytes_in_use();
        for _ in 0..PAIRS {
            pool.take(0x100, 64);
            pool.give(0x100);
        }
        println!("{} bytes", bytes_in_use().saturating_sub(before) / PAIRS);
    };
    churn(open_deferred());
    let other = Pool::open(&OTHER, 0x20000, SIZE);
    mstx::batch(|| churn(other));
}

fn regions_of_no_heap() {
    mstx::batch(|| {
        take_at(BASE, 64);
        take_at(BASE + 0x100, 64);
        give_at(BASE);
        mstx::mark("in it");
    });
    mstx::mark("after it");
    mstx::batch(|| {
        give_at(BASE + 0x100);
        mstx::mark("in another");
    });
    faults();
}

/// It sends what the tool still knows, and forgets the rest.
fn end_of_a_deferred_heap() {
    let pool = open_deferred();
    pool.take(0x100, 64);
    mstx::flush();
    pool.give(0x100);
    pool.take(0x200, 64);
    pool.give(0x200);
    mstx::mark("before");
    pool.close_by(|| mstx::mark("after"));
    faults();
}

#[mstx::flush]
fn launch() {
    mstx::mark("launched");
}

fn flush_function() {
    let pool = open_deferred();
    pool.take(0x100, 64);
    launch();
    pool.give(0x100);
    launch();
    pool.close();
    faults();
}

fn flush_of_another_batch() {
    let pool = open();
    let (taken, wait) = channel();
    let (launched, resume) = channel();
    let thread = thread::spawn(move || {
        mstx::batch(|| {
            pool.take(0x100, 64);
            let _ = taken.send(());
            let _ = resume.recv();
            pool.take(0x200, 64);
            mstx::mark("the batch ends");
        });
    });
    assert!(wait.recv().is_ok());
    launch();
    let _ = launched.send(());
    assert!(thread.join().is_ok());
    pool.give_many([0x100, 0x200]);
    pool.close();
    faults();
}

fn reset_of_many() {
    let pool = open();
    mstx::batch(|| take_many(pool));
    mstx::mark("before");
    pool.reset();
    mstx::mark("after");
    pool.close();
    faults();
}

fn reset_of_many_in_a_batch() {
    let pool = open();
    mstx::batch(|| take_many(pool));
    mstx::mark("before");
    mstx::batch(|| {
        pool.reset();
        take_many(pool);
        pool.reset();
    });
    mstx::mark("after");
    pool.close();
    faults();
}

/// The regions have gaps between them, so that what is there afterwards tells whether all of them are.
fn take_some(pool: Pool) {
    for index in 0..100 {
        pool.take(index * 32, 16);
    }
}

fn grow_and_shrink(pool: &mut Pool) {
    mstx::mark("before");
    pool.set_size(2 * SIZE);
    mstx::mark("grown");
    pool.set_size(SIZE);
    mstx::mark("shrunk");
}

fn growth_of_many() {
    let mut pool = open();
    mstx::batch(|| take_some(pool));
    grow_and_shrink(&mut pool);
    pool.reset();
    pool.close();
    faults();
}

fn growth_of_many_in_a_batch() {
    let mut pool = open();
    mstx::batch(|| take_some(pool));
    mstx::batch(|| grow_and_shrink(&mut pool));
    pool.reset();
    pool.close();
    faults();
}

fn a_fault() {
    let pool = open();
    mstx::batch(|| {
        pool.take(0x100, 64);
        pool.give(0x100);
        pool.give(0x100);
        eprintln!("the batch ends");
    });
    pool.close();
}

fn fork_in_a_batch() {
    let pool = open();
    mstx::batch(|| {
        pool.take(0x100, 64);
        in_child(|| {
            pool.take(0x200, 64);
            mstx::batch(|| pool.take(0x300, 64));
            mstx::flush();
        });
        pool.take(0x400, 64);
    });
    pool.give_many([0x100, 0x400]);
    pool.close();
    faults();
}
