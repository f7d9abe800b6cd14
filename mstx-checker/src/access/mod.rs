//! Accesses: whoever can see them is told which memory may be accessed.
//!
//! The checker sees no accesses itself. Where the process runs under Valgrind's memcheck, or was built with AddressSanitizer, it tells
//! that tool what pools hand out and take back; otherwise, if it is asked to, it protects pages. A region may be accessed; what is in a
//! heap and in no region of it may not. Where a heap lies on a region of another, it alone says what may be accessed there.
//!
//! | file | |
//! |---|---|
//! | `heaps`, `ordered` | the heaps that are checked, and their live regions |
//! | `unsettled` | what is not settled until its function is through |
//! | `valgrind`, `memcheck` | client requests, and what they say of heaps and regions |
//! | `sanitizer`, `poison`, `windows` | the same for AddressSanitizer |
//! | `protect`, `guard` | the same for pages, and the signal of an access that is refused |
//! | `mapped` | whether memory is the host's |
//! | `report` | an access in terms of regions |
//! | `fork` | a forked child, in which nothing is checked |

mod fork;
mod guard;
mod heaps;
mod mapped;
mod memcheck;
mod ordered;
mod poison;
mod protect;
mod report;
mod sanitizer;
mod state;
mod unsettled;
mod valgrind;
mod windows;

use core::cell::Cell;
use core::ffi::c_char;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use mstx_runtime::__private::last_release;
use mstx_runtime::{Place, ToolDomain, ToolHeap, ToolRegion};

use self::protect::Verdict;
use self::report::Access;
use self::state::{Checks, Judgement, State};
use crate::exclusive::Exclusive;
use crate::lock::Lock;
use crate::options;
use crate::text::Text;

/// Nobody has looked yet.
const UNKNOWN: u8 = 0;
/// Nobody sees accesses, or nobody is to be told any more.
const NOBODY: u8 = 1;
const MEMCHECK: u8 = 2;
const ASAN: u8 = 3;
const GUARD: u8 = 4;

/// Who sees accesses, and stays the same once it is known: calls of the allocator's code are counted.
static SEES: AtomicU8 = AtomicU8::new(UNKNOWN);
/// Whether it is told of heaps and regions: not any more at the end, and in a forked child.
static TELLS: AtomicBool = AtomicBool::new(false);
static STATE: Lock<State> = Lock::new(State::new());
/// Whether somebody is telling what was live before the checker listened.
static LATE: AtomicBool = AtomicBool::new(false);
/// Whether something is not settled until the function that has reported it is through.
static UNSETTLED: AtomicBool = AtomicBool::new(false);
/// For a handler, whose stack may be small.
static TEXT: Exclusive<Text> = Exclusive::new(Text::new());

std::thread_local! {
    /// How deep this thread is in the allocator's code.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Where an access of this thread was refused last although there was no reason to.
    static REFUSED: Cell<usize> = const { Cell::new(0) };
}

/// Who sees accesses. The runtime asks one at a time.
fn sees() -> u8 {
    match SEES.load(Ordering::Relaxed) {
        UNKNOWN => look(),
        known => known,
    }
}

#[cold]
fn look() -> u8 {
    let (sees, checks) = if !options::access() {
        (NOBODY, Checks::None)
    } else if valgrind::is_memcheck() {
        (MEMCHECK, Checks::Memcheck)
    } else if sanitizer::is_there() {
        sanitizer::on_report(reported);
        (ASAN, Checks::poison(options::strict()))
    } else if options::guard() && protect::AVAILABLE {
        (GUARD, Checks::guard())
    } else {
        (NOBODY, Checks::None)
    };
    if sees != NOBODY {
        STATE.with(|state| {
            state.checks = checks;
            if LATE.load(Ordering::Relaxed) {
                state.late_begins();
            }
        });
        fork::watch();
        TELLS.store(true, Ordering::Relaxed);
    }
    SEES.store(sees, Ordering::Relaxed);
    sees
}

/// Whether anybody is to be told of heaps and regions.
fn tells() -> bool {
    sees() != NOBODY && TELLS.load(Ordering::Acquire)
}

/// Whether the allocator's own code is to be let through.
pub(crate) fn wants_bodies() -> bool {
    sees() != NOBODY && !options::strict()
}

/// Changes the state. The closure is also told whether the function that reports says when it is through.
fn change(change: impl FnOnce(&mut State, bool)) {
    // Not where the checker was let in meanwhile, or lets nothing through.
    let body = DEPTH.get() > 0;
    STATE.with(|state| {
        change(state, body);
        UNSETTLED.store(state.is_unsettled(), Ordering::Relaxed);
    });
}

/// The allocator's own code begins in this thread.
pub(crate) fn enter() {
    DEPTH.set(DEPTH.get() + 1);
    match SEES.load(Ordering::Relaxed) {
        MEMCHECK => valgrind::disable(),
        ASAN | GUARD => _ = STATE.with(State::enter),
        _ => {}
    }
}

/// It ends.
pub(crate) fn leave() {
    DEPTH.set(DEPTH.get().saturating_sub(1));
    match SEES.load(Ordering::Relaxed) {
        MEMCHECK => {
            if UNSETTLED.load(Ordering::Relaxed) {
                change(|state, _| state.leave());
            }
            valgrind::enable();
        }
        ASAN | GUARD => _ = STATE.with(State::leave),
        _ => {}
    }
}

/// What the checker is told of at first, when `work` lets it in, was live before, and holds something.
pub(crate) fn late<R>(work: impl FnOnce() -> R) -> R {
    LATE.store(true, Ordering::Relaxed);
    let result = work();
    LATE.store(false, Ordering::Relaxed);
    if tells() {
        STATE.with(State::late_ends);
    }
    result
}

/// Whether memory of a heap is the host's to check.
fn is_host(heap: &ToolHeap<'_>, memory: &Range<usize>) -> bool {
    match heap.place {
        Place::Device => false,
        // What is closed is opened again for reading and writing, and for nothing else.
        _ if sees() == GUARD => mapped::is_plain(memory),
        Place::Host => true,
        Place::Unsaid => mapped::is_mapped(memory),
    }
}

pub(crate) fn heap_register(heap: &ToolHeap<'_>) {
    if tells() && is_host(heap, &(heap.start..heap.start.saturating_add(heap.size))) {
        if sees() == GUARD {
            // Not before: the program may have handlers of its own, which it sets up when it begins.
            protect::watch(refused);
        }
        change(|state, body| state.heap_register(heap, body));
    }
}

pub(crate) fn heap_resize(heap: &ToolHeap<'_>, old_size: usize) {
    if tells() {
        let more = heap.start.saturating_add(old_size)..heap.start.saturating_add(heap.size);
        let host = more.is_empty() || is_host(heap, &more);
        change(|state, body| state.heap_resize(heap, old_size, host, body));
    }
}

pub(crate) fn heap_unregister(heap: &ToolHeap<'_>) {
    if tells() {
        STATE.with(|state| state.heap_unregister(heap));
    }
}

pub(crate) fn regions_register(heap: Option<&ToolHeap<'_>>, regions: &[ToolRegion]) {
    if let Some(heap) = heap.filter(|_| tells()) {
        STATE.with(|state| state.regions_register(heap, regions));
    }
}

pub(crate) fn regions_unregister(domain: ToolDomain<'_>, regions: &[ToolRegion]) {
    if tells() {
        change(|state, body| state.regions_unregister(domain, regions, body));
    }
}

/// The process is ending, and nothing is told any more: allocators go on working, and their memory is open to them.
pub(crate) fn end() {
    STATE.with(|state| {
        state.end();
        // Whoever tells nothing any more finds all memory open.
        TELLS.store(false, Ordering::Release);
    });
}

/// Called by AddressSanitizer after one of its reports.
extern "C" fn reported(_: *const c_char) {
    if let Some(reported) = sanitizer::reported() {
        let sanitizer::Reported { address, size, writes } = reported;
        say(&Access { address, size: Some(size).filter(|&size| size != 0), writes: Some(writes) });
    }
}

/// Called by the handler of the signal.
fn refused(address: usize, writes: Option<bool>) -> Verdict {
    let judgement = STATE.with(|state| state.judge(address, DEPTH.get() > 0));
    match judgement {
        Some(Judgement::Opened) => Verdict::Again,
        // Another thread may have opened it meanwhile. If that did not help, it is not closed because of a heap.
        Some(Judgement::IsOpen) if REFUSED.replace(address) != address => Verdict::Again,
        Some(Judgement::Mistake) => {
            say(&Access { address, size: None, writes });
            Verdict::Pass
        }
        Some(Judgement::IsOpen) | None => Verdict::Pass,
    }
}

/// Says where an access is, if it is in a heap.
fn say(access: &Access) {
    // The books know who released it. They are asked before: they may be waiting for the state.
    let start = STATE.with(|state| state.released.start(access.address)).flatten();
    let by = start.and_then(last_release);
    let said = |state: &mut State| {
        let heap = report::heap(&state.heaps, access)?;
        TEXT.with(|text| text.print_again(|text| report::access(text, heap, &state.released, access, by)))
    };
    STATE.with(said);
}
