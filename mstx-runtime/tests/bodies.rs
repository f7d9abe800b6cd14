//! Tools in the process are told when the allocator's own code runs.
#![cfg(feature = "rt")]
#![allow(missing_docs, reason = "a test")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mstx_runtime::__private::{Call, Internal, Release, probe, resumed, suspended};
use mstx_runtime::{BUILD, Build, Heap, Tool, Word, allocator_internal, domain};

domain!(static POOL = "pool");

thread_local! {
    static DEPTH: Cell<i32> = const { Cell::new(0) };
    static ENTERED: Cell<u32> = const { Cell::new(0) };
}

struct Listener(#[allow(dead_code, reason = "a tool has an address of its own")] u8);
static LISTENER: Listener = Listener(0);

impl Tool for Listener {
    fn wants_bodies(&self) -> bool {
        true
    }

    fn enter_allocator(&self) {
        DEPTH.set(DEPTH.get() + 1);
        ENTERED.set(ENTERED.get() + 1);
    }

    fn leave_allocator(&self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// How deep the thread is in the allocator now, and how often it has entered it since it was asked last.
fn state() -> (i32, u32) {
    (DEPTH.get(), ENTERED.replace(0))
}

#[test]
fn every_entry_has_its_exit() {
    if BUILD != Build::On {
        return;
    }
    mstx_runtime::attach(&LISTENER);
    let slab = [0_u8; 256];
    let at = |offset: usize| slab[offset..].as_ptr();
    let heap = Heap::register(&POOL, slab.as_ptr(), slab.len());
    assert_eq!(state().0, 0);

    // An allocation.
    let call = Call::new(mstx_runtime::__private::site!(region "alloc")).heap(&heap).size(8_usize).begin();
    assert_eq!(state(), (1, 1));
    // Another one in its body.
    Call::new(mstx_runtime::__private::site!(region "inner")).heap(&heap).size(8_usize).begin().returned_sized(&at(64));
    assert_eq!(state(), (1, 1));
    call.returned_sized(&at(0));
    assert_eq!(state(), (0, 0));

    // A release, which is refused.
    let new = || Call::new(mstx_runtime::__private::site!(region_unregister "free")).heap(&heap).ptr(probe(&at(0)).spans());
    let release = new().release();
    assert_eq!(state(), (1, 1));
    release.refused();
    assert_eq!(state(), (0, 0));

    // One that panics.
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _release = new().release();
        std::panic::resume_unwind(Box::new(()));
    }));
    assert!(panicked.is_err());
    assert_eq!(state(), (0, 1));

    // A resize of the heap that is none.
    let resize = Call::new(mstx_runtime::__private::site!(heap_resize "grow")).heap(&heap).size(256_usize).heap_resize();
    assert_eq!(state(), (1, 1));
    resize.succeeded();
    assert_eq!(state(), (0, 0));

    // An allocation whose result goes through.
    let call = Call::new(mstx_runtime::__private::site!(region "alloc")).heap(&heap).size(8_usize).begin().kept();
    assert_eq!(state(), (1, 1));
    assert_eq!(call.pass_sized(at(128)), at(128));
    assert_eq!(state(), (0, 0));

    // A resize, and one that panics.
    let new = || {
        Call::new(mstx_runtime::__private::site!(region_resize "resize")).heap(&heap).ptr(probe(&at(128)).spans()).size(16_usize)
    };
    let resize = new().resize().kept();
    assert_eq!(state(), (1, 1));
    resize.moved(probe(&at(128)).moved());
    assert_eq!(state(), (0, 0));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _resize = new().resize().kept();
        std::panic::resume_unwind(Box::new(()));
    }));
    assert!(panicked.is_err());
    assert_eq!(state(), (0, 1));

    // A release; a reset and the end of the heap.
    let new = |site| Call::new(site).heap(&heap);
    let release = new(mstx_runtime::__private::site!(region_unregister "free")).ptr(probe(&at(128)).spans()).release().kept();
    assert_eq!(state(), (1, 1));
    drop(release);
    assert_eq!(state(), (0, 0));
    for site in [mstx_runtime::__private::site!(heap_reset "reset"), mstx_runtime::__private::site!(heap_unregister "end")] {
        let call = new(site);
        let body = if site.word() == Word::heap_reset { call.heap_reset() } else { call.heap_unregister() }.kept();
        assert_eq!(state(), (1, 1));
        drop(body);
        assert_eq!(state(), (0, 0));
    }

    // Nobody listened when the function was called.
    drop(Release::off().kept());
    assert_eq!(state(), (0, 0));

    // The body of an `async` function: at an `.await` it is left, and entered again in whichever thread.
    let call = Call::new(mstx_runtime::__private::site!(region "wait")).heap(&heap).size(8_usize).begin().kept();
    assert_eq!(state(), (1, 1));
    suspended(&call);
    assert_eq!(state(), (0, 0));
    let call = std::thread::scope(|scope| {
        let resumes = scope.spawn(|| {
            let call = call;
            resumed(&call);
            assert_eq!(state(), (1, 1));
            suspended(&call);
            assert_eq!(state(), (0, 0));
            call
        });
        resumes.join().expect("it does not panic")
    });
    assert_eq!(state(), (0, 0));
    resumed(&call);
    assert_eq!(state(), (1, 1));
    call.finish();
    assert_eq!(state(), (0, 0));
    // One that is dropped half-way, and one that panics.
    let internal = Internal::enter();
    suspended(&internal);
    drop(internal);
    assert_eq!(state(), (0, 1));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let internal = Internal::enter();
        suspended(&internal);
        resumed(&internal);
        assert_eq!(state(), (1, 2));
        std::panic::resume_unwind(Box::new(()));
    }));
    assert!(panicked.is_err());
    assert_eq!(state(), (0, 0));

    // One whose `.await`s are not all seen.
    let call = Call::new(mstx_runtime::__private::site!(region "wait")).heap(&heap).size(8_usize).suspends().begin();
    assert_eq!(state(), (0, 1));
    call.finish();
    assert_eq!(state(), (0, 0));

    allocator_internal(|| assert_eq!(state(), (1, 1)));
    assert_eq!(state(), (0, 0));
}
