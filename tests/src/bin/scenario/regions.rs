//! Regions come and go: order, one call for many, refused releases, the plain calls.

use crate::pool::{BASE, MAIN, OTHER, Pool, Refused, SIZE, give_at, open, take_at};
use crate::report::faults;
use std::pin::pin;
use std::ptr::without_provenance;
use std::task::{Context, Poll, Waker};

crate::scenarios![
    told_before_and_after_bodies,
    many_in_one_call,
    refused_release,
    refused_release_whose_place_is_taken,
    no_success_no_region,
    regions_of_no_heap,
    plain_calls,
    guard_ends_its_heap,
    async_functions,
    optional,
    hidden_returns,
    callers,
];

/// Marks stand for what the bodies do.
fn told_before_and_after_bodies() {
    let pool = open();
    let taken = pool.take_by(64, || {
        mstx::mark("taken");
        Some(0x100)
    });
    assert!(taken.is_some());
    mstx::mark("returned");
    let given = pool.give_by(0x100, || {
        mstx::mark("given");
        Ok(())
    });
    assert!(given.is_ok());
    pool.close_by(|| mstx::mark("closed"));
    faults();
}

fn many_in_one_call() {
    let pool = open();
    pool.take_many(&[0x100, 0x200, 0x300], 64);
    pool.give(0x200);
    pool.give_many([0x100, 0x300]);
    pool.take_many(&[], 64);
    pool.close();
    faults();
}

fn refused_release() {
    let pool = open();
    pool.take(0x100, 64);
    assert!(pool.give_by(0x100, || Err(Refused)).is_err());
    assert!(pool.give_by(0x100, || Ok(())).is_ok());
    pool.close();
    faults();
}

/// The body gives the place to somebody else and then says that it failed: what was handed out last is what counts.
fn refused_release_whose_place_is_taken() {
    let pool = open();
    pool.take(0x100, 64);
    let given = pool.give_by(0x100, || {
        pool.take(0x110, 32);
        Err(Refused)
    });
    assert!(given.is_err());
    pool.give(0x110);
    pool.close();
    faults();
}

fn no_success_no_region() {
    let pool = open();
    assert!(pool.take_by(64, || None).is_none());
    let panicked = std::panic::catch_unwind(|| {
        std::panic::set_hook(Box::new(|_| {}));
        pool.take_by(64, || panic!("no memory"))
    });
    assert!(panicked.is_err());
    assert!(open_by(|| Err(Refused)).is_err());
    pool.close();
    faults();
}

#[mstx::heap(domain = OTHER, ptr = ret, size = SIZE)]
fn open_by(body: impl FnOnce() -> Result<usize, Refused>) -> Result<usize, Refused> {
    body()
}

fn regions_of_no_heap() {
    take_at(0x9000, 64);
    take_at(0xa000, 64);
    give_at(0x9000);
    give_at(0xa000);
    faults();
}

fn plain_calls() {
    let place = |offset: usize| without_provenance::<u8>(BASE + offset);
    let heap = mstx::Heap::options().domain(&MAIN).device(1).name("blocks").register(place(0), SIZE);
    heap.register_region(place(0x100), 64_usize);
    heap.register_region(place(0x200), 64_usize);
    heap.unregister_region(place(0x100));
    heap.reset();
    heap.register_region(place(0x300), 64_usize);
    heap.resize(2 * SIZE);
    heap.unregister_region(place(0x300));
    heap.unregister();
    mstx::register_region(&OTHER, place(0x100), 64_usize);
    mstx::unregister_region(&OTHER, place(0x100));
    faults();
}

fn guard_ends_its_heap() {
    let pool = Pool::new(&MAIN, BASE, SIZE);
    {
        let heap = mstx::Heap::register(&MAIN, pool.at(0), SIZE);
        // The very heap of the guard, for an attribute too.
        take_in(&heap, BASE + 0x100);
        heap.unregister_region(pool.at(0x100));
    }
    faults();
}

/// Pending once.
async fn pause() {
    let mut paused = false;
    std::future::poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[mstx::region(heap = pool.at(0), size = size, domain = MAIN)]
async fn take_later(pool: Pool, offset: usize, size: usize) -> *mut u8 {
    let _ = size;
    pause().await;
    pool.at(offset)
}

#[mstx::region_unregister(ptr = pool.at(offset), heap = pool.at(0), domain = MAIN)]
async fn give_later(pool: Pool, offset: usize) {
    let _ = (pool, offset);
    pause().await;
}

/// Polls until it is ready, with marks around the first poll.
fn run<F: Future>(future: F) -> F::Output {
    let (mut future, mut context) = (pin!(future), Context::from_waker(Waker::noop()));
    mstx::mark("called");
    assert!(future.as_mut().poll(&mut context).is_pending());
    mstx::mark("polled");
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

fn async_functions() {
    let pool = open();
    run(take_later(pool, 0x100, 64));
    run(give_later(pool, 0x100));
    // Never polled, or not to the end: nothing was handed out, and nothing given back.
    drop(take_later(pool, 0x300, 64));
    drop(give_later(pool, 0x200));
    {
        let mut unfinished = pin!(take_later(pool, 0x400, 64));
        assert!(unfinished.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    pool.take(0x200, 64);
    mstx::mark("dropped");
    pool.give(0x200);
    pool.close();
    faults();
}

/// Status codes with out-parameters, and releases of which only the last one counts.
fn optional() {
    #[mstx::region(ptr = (*ret == 0).then_some(place), size = size, domain = MAIN)]
    fn alloc(place: usize, size: usize, status: i32) -> i32 {
        let _ = (place, size);
        status
    }
    #[mstx::region_unregister(ptr = (count == 1).then_some(place), domain = MAIN)]
    fn release(place: usize, count: u32) {
        let _ = (place, count);
    }
    #[mstx::region(ptr = place, size = known.then_some(64_u64), domain = MAIN)]
    fn alloc_if_known(place: usize, known: bool) {
        let _ = (place, known);
    }
    let pool = open();
    alloc(BASE + 0x200, 64, -1);
    alloc_if_known(BASE + 0x200, false);
    alloc(BASE + 0x100, 64, 0);
    release(BASE + 0x100, 2);
    release(BASE + 0x100, 1);
    pool.close();
    faults();
}

#[mstx::region(heap = heap, size = 64_u32)]
fn take_in(heap: &mstx::Heap, address: usize) -> *mut u8 {
    let _ = heap;
    std::ptr::without_provenance_mut(address)
}

/// A way out that the attribute cannot see.
macro_rules! hand_out {
    ($block:expr) => {
        return $block
    };
}

#[mstx::region(size = 64, returns_in_macros)]
fn hidden(early: bool) -> *const u8 {
    if early {
        hand_out!(without_provenance(BASE));
    }
    without_provenance(BASE + 64)
}

#[mstx::region(size = 64, returns_in_macros)]
async fn hidden_later(early: bool) -> Option<*const u8> {
    if early {
        hand_out!(Some(without_provenance(BASE + 128)));
    }
    std::future::ready(()).await;
    None
}

/// A success value that a macro of the user's returns is seen, if the attribute is told to look.
fn hidden_returns() {
    hidden(true);
    hidden(false);
    for early in [true, false] {
        let mut future = pin!(hidden_later(early));
        let poll = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(poll, Poll::Ready(_)));
    }
    faults();
}

#[mstx::region(ptr = ret.0, size = 64)]
#[track_caller]
fn located() -> (*const u8, u32) {
    (without_provenance(BASE), std::panic::Location::caller().line())
}

/// Our own call site and the user's `Location::caller()` are both the caller's.
fn callers() {
    let (first, second) = (located().1, located().1);
    println!("{} {}", first == line!() - 1, second == line!() - 1);
    let twice = mstx::faults().last().expect("the second is one too many");
    let line = twice.origin().caller().line();
    println!("{} {}", line == first, twice.other().map(|other| other.caller().line()) == Some(first));
}
