//! Protected pages: what may not be accessed is refused, and said in terms of regions.
#![cfg(all(target_os = "linux", not(miri)))]

mod common;

use std::ptr::null_mut;

use mstx_checker::Options;
use mstx_runtime::{Heap, allocator_internal};

use crate::common::{POOL, run, run_with};

const PAGE: usize = 4096;
const PAGES: usize = 80;

/// Pages from the system, and a heap on them.
fn pages() -> (*mut u8, Heap) {
    let (protection, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping, which touches nothing that exists.
    let start = unsafe { libc::mmap(null_mut(), PAGES * PAGE, protection, kind, -1, 0) }.cast::<u8>();
    (start, Heap::options().domain(&POOL).name("slab").register(start, PAGES * PAGE))
}

/// Writes a byte of the pages.
fn write(start: *mut u8, offset: usize) {
    // SAFETY: it lies in the mapping. Whether it may be accessed is what is tested.
    unsafe { start.wrapping_add(offset).write_volatile(1) }
}

/// What ended a program, and what it wrote before.
#[track_caller]
fn assert_refused(test: &str, program: fn(), expected: &[&str]) {
    let Some(run) = run_with(test, Some("guard=1"), program) else { return };
    assert_eq!(run.status, None, "a signal ends it: {run:?}");
    for expected in expected {
        assert!(run.stderr.contains(expected), "{run:?}");
    }
}

#[test]
fn right_programs_are_let_be() {
    let program = || {
        let (start, heap) = pages();
        heap.register_region(start, PAGE);
        // Two share a page.
        heap.register_region(start.wrapping_add(2 * PAGE), 100);
        heap.register_region(start.wrapping_add(2 * PAGE + 100), PAGE);
        write(start, PAGE - 1);
        heap.unregister_region(start.wrapping_add(2 * PAGE));
        write(start, 2 * PAGE + 100);
        write(start, 3 * PAGE + 99);
        // The allocator's own code, in more pages than are opened one by one.
        for _ in 0..2 {
            allocator_internal(|| (0..PAGES).for_each(|page| write(start, page * PAGE)));
        }
        // A heap on a region.
        let inner = Heap::options().domain(&POOL).register(start.wrapping_add(2 * PAGE + 100), PAGE - 100);
        inner.register_region(start.wrapping_add(2 * PAGE + 100), 1);
        write(start, 2 * PAGE + 100);
        write(start, 3 * PAGE);
        inner.reset();
        inner.unregister();
        write(start, 2 * PAGE + 200);
        heap.reset();
        heap.resize(2 * PAGE);
        write(start, 2 * PAGE);
        heap.unregister();
        (0..PAGES * PAGE).for_each(|offset| write(start, offset));
    };
    let Some(run) = run_with("right_programs_are_let_be", Some("guard=1"), program) else { return };
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.stderr.starts_with("mstx: no faults"), "{run:?}");
}

#[test]
fn one_page_behind_a_region() {
    let program = || {
        let (start, heap) = pages();
        named!(alloc: heap.register_region(start.wrapping_add(PAGE), PAGE));
        write(start, 2 * PAGE);
    };
    let expected = ["WRITE is 0 bytes after a region of 4096 bytes, in heap `slab`\n   = at slab+0x2000", "--> <alloc>\n"];
    assert_refused("one_page_behind_a_region", program, &expected);
}

#[test]
fn after_the_release_and_by_option() {
    let program = || {
        mstx_checker::install_with(Options::new().guard(true));
        let (start, heap) = pages();
        named!(alloc: heap.register_region(start, 2 * PAGE));
        named!(free: heap.unregister_region(start));
        write(start, PAGE + 7);
    };
    let Some(run) = run("after_the_release_and_by_option", program) else { return };
    assert_eq!(run.status, None, "{run:?}");
    assert!(run.stderr.contains("WRITE is 4103 bytes inside a released region of 8192 bytes"), "{run:?}");
    let call = |function| format!("\n   = call of `mstx::Heap::{function}`\n");
    let notes = format!(
        "note: the region was registered here\n  --> <alloc>{}note: it was released here\n  --> <free>{}",
        call("register_region"),
        call("unregister_region")
    );
    assert!(run.stderr.contains(&notes), "{run:?}");
}

/// What an earlier heap had there is not meant.
#[test]
fn a_heap_in_the_place_of_another() {
    let program = || {
        let (start, heap) = pages();
        heap.register_region(start, 2 * PAGE);
        heap.unregister_region(start);
        heap.unregister();
        let _later = Heap::options().domain(&POOL).name("later").register(start, PAGES * PAGE);
        write(start, PAGE + 7);
    };
    assert_refused("a_heap_in_the_place_of_another", program, &["mstx: WRITE is where no region is live, in heap `later`\n"]);
}

#[test]
fn after_the_allocators_code_it_is_closed_again() {
    let program = || {
        let (start, heap) = pages();
        allocator_internal(|| write(start, 0));
        heap.register_region(start.wrapping_add(PAGE), PAGE);
        write(start, 0);
    };
    assert_refused(
        "after_the_allocators_code_it_is_closed_again",
        program,
        &["WRITE is 4096 bytes before a region of 4096 bytes"],
    );
}

/// Whoever handled the signal before is asked next: also for accesses that have nothing to do with pools.
#[test]
fn other_handlers_go_on() {
    extern "C" fn handle(_: libc::c_int) {
        // SAFETY: may be called in a handler.
        unsafe { libc::_exit(42) }
    }
    let program = || {
        // SAFETY: the handler only ends the process.
        unsafe { libc::signal(libc::SIGSEGV, handle as extern "C" fn(libc::c_int) as usize) };
        let (start, _heap) = pages();
        write(start, 0);
    };
    let Some(run) = run_with("other_handlers_go_on", Some("guard=1"), program) else { return };
    assert_eq!(run.status, Some(42), "{run:?}");
    assert!(run.stderr.contains("WRITE is where no region is live, in heap `slab`"), "{run:?}");
}

#[test]
fn what_the_system_accesses_is_refused_without_a_word() {
    let program = || {
        let (start, heap) = pages();
        // SAFETY: the system refuses what may not be read.
        assert_eq!(unsafe { libc::write(1, start.cast(), 1) }, -1);
        assert_eq!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EFAULT));
        heap.unregister();
    };
    let Some(run) = run_with("what_the_system_accesses_is_refused_without_a_word", Some("guard=1"), program) else { return };
    assert_eq!(run.status, Some(0), "{run:?}");
}

#[test]
fn after_much_of_the_allocators_code_all_is_closed_again() {
    let program = || {
        let (start, heap) = pages();
        heap.register_region(start.wrapping_add(PAGE), PAGE);
        // More pages than are opened one by one.
        allocator_internal(|| (0..PAGES).for_each(|page| write(start, page * PAGE)));
        write(start, PAGE);
        write(start, (PAGES - 1) * PAGE);
    };
    assert_refused(
        "after_much_of_the_allocators_code_all_is_closed_again",
        program,
        &["WRITE is 315392 bytes after a region of 4096 bytes"],
    );
}

/// What the program itself has closed is no matter of the heap's, nor is memory that is not there any more: whoever handles the signal is
/// asked, and nothing is tried for ever.
#[test]
fn what_others_have_closed_is_theirs() {
    let program = || {
        let (start, heap) = pages();
        heap.register_region(start, 2 * PAGE);
        // SAFETY: a page of the mapping, which nobody uses.
        assert_eq!(unsafe { libc::mprotect(start.wrapping_add(PAGE).cast(), PAGE, libc::PROT_NONE) }, 0);
        write(start, PAGE);
    };
    let Some(run) = run_with("what_others_have_closed_is_theirs", Some("guard=1"), program) else { return };
    assert_eq!(run.status, None, "a signal ends it: {run:?}");
    assert!(!run.stderr.contains("WRITE"), "{run:?}");
}

#[test]
fn memory_that_is_gone_is_not_waited_for() {
    let program = || {
        let (start, _heap) = pages();
        // SAFETY: a page of the mapping, which nobody uses.
        assert_eq!(unsafe { libc::munmap(start.wrapping_add(70 * PAGE).cast(), PAGE) }, 0);
        allocator_internal(|| (0..PAGES).for_each(|page| write(start, page * PAGE)));
    };
    let Some(run) = run_with("memory_that_is_gone_is_not_waited_for", Some("guard=1"), program) else { return };
    assert_eq!(run.status, None, "a signal ends it: {run:?}");
}

/// The system allows a process so many mappings. Before they are used up, pages stay open, which is said once.
#[test]
fn enough_mappings_are_left_for_the_program() {
    const MANY: usize = 80_000;
    let program = || {
        let (protection, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let map = |bytes, protection| {
            // SAFETY: a new mapping, which touches nothing that exists.
            let start = unsafe { libc::mmap(null_mut(), bytes, protection, kind | libc::MAP_NORESERVE, -1, 0) };
            assert_ne!(start, libc::MAP_FAILED);
            start.cast::<u8>()
        };
        let start = map(MANY * PAGE, protection);
        let heap = Heap::options().domain(&POOL).host().register(start, MANY * PAGE);
        for page in (0..MANY).step_by(2) {
            heap.register_region(start.wrapping_add(page * PAGE), PAGE);
            write(start, page * PAGE);
        }
        // No two of them are one.
        (0..20_000).for_each(|number| _ = map(PAGE, if number % 2 == 0 { protection } else { libc::PROT_READ }));
        for page in (0..MANY).step_by(4) {
            heap.unregister_region(start.wrapping_add(page * PAGE));
            write(start, (page + 2) * PAGE);
        }
        heap.reset();
        heap.unregister();
        (0..MANY).for_each(|page| write(start, page * PAGE));
    };
    let Some(run) = run_with("enough_mappings_are_left_for_the_program", Some("guard=1"), program) else { return };
    assert_eq!(run.status, Some(0), "{run:?}");
    assert_eq!(run.stderr.matches("some pages stay open").count(), 1, "{run:?}");
    assert!(run.stderr.contains("mstx: no faults"), "{run:?}");
}
