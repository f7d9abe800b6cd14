//! A program whose global allocator reports.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::run_with;
use mstx_checker as _;
use mstx_runtime::{domain, register_region, unregister_region};

domain!(static GLOBAL = "global");

/// A layout that nobody else asks for: it is released twice.
const TWICE: usize = 54_321;

struct Reporting;

// SAFETY: it is the system's allocator, which keeps the rules.
unsafe impl GlobalAlloc for Reporting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() {
            register_region(&GLOBAL, block, layout.size());
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unregister_region(&GLOBAL, block);
        if layout.size() == TWICE {
            unregister_region(&GLOBAL, block);
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Reporting = Reporting;

/// Frees memory while its thread's locals are being destroyed.
struct AtThreadEnd(Cell<Option<Box<[u8]>>>);

impl Drop for AtThreadEnd {
    fn drop(&mut self) {
        drop(self.0.take());
        drop(Box::new([0_u8; 64]));
    }
}

thread_local! {
    static AT_THREAD_END: AtThreadEnd = const { AtThreadEnd(Cell::new(None)) };
}

fn work() {
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            std::thread::spawn(move || {
                AT_THREAD_END.with(|end| end.0.set(Some(vec![0; 1000].into())));
                (0..500).map(|n| vec![thread; n]).filter(|list| list.len() % 3 == 0).count()
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| assert!(thread.join().is_ok()));
}

#[test]
fn a_sound_allocator() {
    let Some(run) = run_with("a_sound_allocator", Some("exitcode=9"), work) else { return };
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stderr.starts_with("mstx: no faults\n"), "{}", run.stderr);
    assert!(run.stderr.contains(", in no heap, of domain `global`\n"), "{}", run.stderr);
}

#[test]
fn a_faulty_allocator() {
    let program = || {
        work();
        drop(vec![0_u8; TWICE]);
    };
    let Some(run) = run_with("a_faulty_allocator", Some("exitcode=9"), program) else { return };
    assert_eq!(run.status, Some(9), "{}", run.stderr);
    assert!(run.stderr.starts_with("mstx: fault: region released twice\n"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("tests/allocator.rs:").count(), 3, "{}", run.stderr);
    assert!(run.summary().starts_with("mstx: 1 fault\n     1 x region released twice\n"), "{}", run.stderr);
}
