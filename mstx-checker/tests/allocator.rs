//! A program whose global allocator reports.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use common::run_with;
use mstx_checker::{Format, Options, install_with, write};
use mstx_runtime::{domain, register_region, unregister_region};

domain!(static GLOBAL = "global");

/// A layout that nobody else asks for: it is released twice.
const TWICE: usize = 54_321;

/// How many blocks the program was given.
static BLOCKS: AtomicUsize = AtomicUsize::new(0);

struct Reporting;

// SAFETY: it is the system's allocator, which keeps the rules.
unsafe impl GlobalAlloc for Reporting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() {
            BLOCKS.fetch_add(1, Relaxed);
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
    assert!(run.stderr.starts_with("mstx: fault[MSTX05]: region released twice\n"), "{}", run.stderr);
    assert_eq!(run.stderr.matches(" --> mstx-checker/tests/allocator.rs:").count(), 3, "{}", run.stderr);
    assert!(run.summary().starts_with("mstx: 1 fault\n     1 x MSTX05 region released twice\n"), "{}", run.stderr);
}

/// The files are written inside of the allocator that they are about, when the process is ending.
#[test]
fn a_recorded_allocator() {
    let directory = std::env::temp_dir();
    let path = |name: &str| directory.join(format!("mstx-checker-allocator-{}.{name}", std::process::id()));
    let files = [("heapmap", path("svg")), ("snapshot", path("pickle")), ("trace", path("json")), ("dhat", path("dhat"))];
    let check: Vec<_> = files.iter().map(|(option, path)| format!("{option}={}", path.display())).collect();
    let Some(run) = run_with("a_recorded_allocator", Some(&check.join(",")), work) else { return };
    let lengths = files.map(|(_, path)| {
        let length = std::fs::metadata(&path).map(|file| file.len());
        let _ = std::fs::remove_file(path);
        length.unwrap_or(0)
    });
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr.matches(" written to ").count(), 4, "{}", run.stderr);
    assert!(run.stderr.contains("\nmstx: no faults\n"), "{}", run.stderr);
    assert!(lengths.iter().all(|&length| length > 500), "{lengths:?}");
}

/// Nothing of what records and writes allocates from the program's allocator.
#[test]
fn writing_does_not_allocate() {
    let program = || {
        install_with(Options::new().recording(50));
        work();
        let path = std::env::temp_dir().join(format!("mstx-checker-silent-{}", std::process::id()));
        let missing = path.join("not/there");
        for format in [Format::HeapMap, Format::Snapshot, Format::Trace, Format::Dhat] {
            let before = BLOCKS.load(Relaxed);
            let written = write(format, &path);
            let refused = write(format, &missing);
            assert_eq!(BLOCKS.load(Relaxed), before, "{format}");
            assert!(written.is_ok() && refused.is_err());
        }
        let _ = std::fs::remove_file(path);
    };
    let Some(run) = run_with("writing_does_not_allocate", Some("1"), program) else { return };
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
}
