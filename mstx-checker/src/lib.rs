//! The built-in checker of [`mstx`]: says what a memory pool does wrong, in the process itself, without a tool from outside.
//!
//! A program switches it on with [`install`], at the start of `main`:
//!
//! ```
//! mstx_checker::install();
//!
//! mstx_runtime::domain!(static POOL = "pool");
//! let slab = vec![0_u8; 4096];
//! let heap = mstx_runtime::Heap::options().domain(&POOL).name("slab").register(slab.as_ptr(), slab.len());
//! heap.register_region(&slab[64..128], 64);
//! heap.unregister_region(&slab[64..128]);
//! heap.unregister_region(&slab[64..128]); // is reported
//! ```
//!
//! Where the crate is only linked in (`use mstx_checker as _;`), whoever runs the program switches it on:
//!
//! ```sh
//! MSTX_CHECK=1 ./program
//! MSTX_CHECK=exitcode=9 ./program    # ends with status 9 if there were faults
//! MSTX_CHECK=heapmap=map.svg ./program    # draws what its pools did
//! ```
//!
//! Options are separated by `,` or `:`. One that is not known is named on the standard error stream, and ignored; the checker
//! is on all the same. Empty, or `0`, switches it off. It is read once, when the runtime initialises; a set-user-ID process
//! ignores it.
//!
//! # What it says
//!
//! On the standard error stream, each fault when it happens, with the call that is at fault and the one that it contradicts:
//!
//! ```text
//! mstx: fault: region released twice
//!   --> src/main.rs:9:6
//!    = call of `mstx::Heap::unregister_region`
//!    = at slab+0x40 (0x5644a2b3e040)
//!    = heap `slab`: 4096 bytes, 0x5644a2b3e000 to 0x5644a2b3f000
//! note: first released here
//!   --> src/main.rs:8:6
//!    = call of `mstx::Heap::unregister_region`
//! ```
//!
//! and a summary when the process exits:
//!
//! ```text
//! mstx: 1 fault
//!      1 x region released twice
//!   heaps: 1 registered, 1 unregistered, at most 4096 bytes live
//!   regions: 1 registered, 1 unregistered, at most 64 bytes live
//! ```
//!
//! Of a fault that repeats itself (the same kind, from the same two calls) the first ten are shown, the others counted. Heaps and
//! regions that are live when the process exits are listed in the summary by the call that registered them, but are no faults.
//! A process that is killed, aborts or calls `_exit` has no summary. On systems other than Unix there is none either, and
//! `MSTX_CHECK` is not read: there, [`install`] is the way.
//!
//! # Accesses
//!
//! The checker itself sees no accesses. It tells those who do which memory may be accessed: that of a region may, and what is in a heap
//! and in no region of it may not. Where a heap lies on a region of another, the inner one alone counts.
//!
//! | | what it takes | |
//! |---|---|---|
//! | Valgrind's memcheck | `valgrind --num-callers=40 ./program` | to the byte; names the region, with the stacks of its calls |
//! | AddressSanitizer | the program built with it | to the byte behind a region, to 8 before it; names the region below its own report |
//! | protected pages | `MSTX_CHECK=guard=1`, Linux | whole pages, without a tool and at full speed; see [`Options::guard`] |
//!
//! ```text
//! mstx: WRITE of 1 byte is 0 bytes after a region of 100 bytes, in heap `slab`
//!    = at slab+0x64 (0x5644a2b3e064)
//!    = heap `slab`: 4096 bytes, 0x5644a2b3e000 to 0x5644a2b3f000
//! note: the region was registered here
//!   --> src/main.rs:8:6
//!    = call of `mstx::Heap::register_region`
//! ```
//!
//! They are found by themselves, and where there are none, nobody is told anything. `MSTX_CHECK=access=0` leaves them alone. Valgrind's
//! stacks begin in the checker: with its usual 12 callers the program's own line is cut off.
//!
//! **Which heaps.** Never those of a device (`device = n`), always those of the host (`host`). Of the others, those whose memory the
//! process may read and write (Linux). Regions of no heap are not checked: nobody knows what is free there. Pages are protected only
//! where all of the heap may be read and written, and nothing else (it may not hold code).
//!
//! A heap that is a block of `malloc`'s is, to Valgrind, a block of one byte until it is resized or ends: `heap_resize` and
//! `heap_unregister` must be reported before `realloc` and `free` are called, or `realloc` copies no more than that.
//!
//! **The allocator's own code** is let through: the bodies of annotated functions, and what is marked with `allocator_internal`. A
//! mistake in it is not found, nor one of the program's that is called from it. The body of an `async` function is left at each `.await`
//! and entered again after it, in whichever thread; what it awaits is let through where that is annotated itself. A body with a macro in
//! which there may be an `.await` (any but those of the standard library, and for logging) is not let through.
//! - Valgrind reports nothing that the thread does meanwhile. (A block that is released, which is refused, or resized, while another
//!   thread uses it, is off limits for an instant, but for those whose start and size are multiples of 16.)
//! - AddressSanitizer cannot be told of a thread. Free memory is opened for all threads as long as any one runs such code. So that this
//!   does not take long, not all of it is closed in between, but 256 pieces of up to 4 KiB: before and behind the regions that were
//!   registered last, and in those that were released last. [`Options::strict`] closes all of it, for pools whose own code accesses
//!   nothing that is free.
//! - A protected page that such code accesses is opened until it is through.
//!
//! **What is not found.** An access that goes from one region right into the next one. With AddressSanitizer, up to 7 bytes before a
//! region at an odd address, and accesses in code that was not built with it. Reads of what was never written, but for Valgrind with
//! [`Options::uninit`]. That the pointer to a region is lost: the books themselves know its address, and leak checkers take that for a
//! pointer; the summary lists what is still live.
//!
//! At the end of the process, and in a forked child, nothing is checked any more, and all memory is open. The checker may begin when
//! heaps are there already; a thread that is in the allocator's code just then is let through from its next call on.
//!
//! While accesses are checked, a signal's handler does not interrupt a thread that reports. So it may use a pool that is made for that.
//!
//! # Files
//!
//! On request, the checker records what happens, and writes files from it when the process exits:
//!
//! | in `MSTX_CHECK` | [`Format`] | opens in |
//! |---|---|---|
//! | `heapmap=FILE.svg` | [`HeapMap`](Format::HeapMap) | any browser |
//! | `snapshot=FILE.pickle` | [`Snapshot`](Format::Snapshot) | <https://pytorch.org/memory_viz>, `pt-snap`, `ptmem` |
//! | `trace=FILE.json` | [`Trace`](Format::Trace) | <https://ui.perfetto.dev> |
//! | `dhat=FILE.json` | [`Dhat`](Format::Dhat) | `dh_view.html`, which comes with Valgrind |
//!
//! A program asks by [`Options::file`] for them, or writes one at any time by [`write`](write()). In a name, `%p` is the process's
//! number, and `%%` is `%`; it counts from the directory that the process is in when it writes.
//!
//! Of a long run the newest events are kept, a million of them unless `recording=N` says otherwise, in 32 bytes each. What was
//! live before the oldest of these is kept too, so nothing in the files ends that did not begin. How many events were dropped is
//! said in each file, and on the standard error stream.
//!
//! In the snapshot, a heap that lies inside of another is shown on a device of its own, and so are the regions of no heap: the
//! format knows no memory inside of memory. A heap that was resized is shown with the largest size that it had. In the DHAT
//! profile, the bytes of a region that has a heap on it count besides those of the heap's regions.
//!
//! # When to switch it on
//!
//! At the start of `main`: of what was registered while nobody listened the checker knows nothing, and cannot say what becomes
//! of it. A pool that is the global allocator hands out regions before `main`; there, use `MSTX_CHECK`.
//!
//! # Where it runs
//!
//! Inside the program's allocators, the global one among them. It takes its own memory from the system: a fixed amount for each
//! call that reports, and none for each region. Where accesses are checked, it takes some 50 bytes for each live region; a recording
//! takes more, too.
//!
//! [`mstx`]: https://docs.rs/mstx
#![deny(unsafe_code)]
#![warn(clippy::pedantic)]

mod access;
mod checker;
mod environment;
mod exclusive;
mod exit;
mod faults;
mod files;
mod options;
mod origin;
mod recording;
mod report;
mod start;
mod tally;
mod text;

pub use self::files::{Format, write};
pub use self::options::Options;

use core::sync::atomic::{AtomicBool, Ordering};

use mstx_runtime::{Tool, ToolStatus};

use self::checker::Checker;

static CHECKER: Checker = Checker::new();
/// Whether the checker was given to the runtime, by whichever way.
static GIVEN: AtomicBool = AtomicBool::new(false);

/// Lets the checker listen from now on. Returns whether it does; calling it again changes nothing.
///
/// It does not listen where reporting is switched off in this build, in a forked child, at the end of the process, and where four
/// other tools in the process listen.
///
/// May be called from any thread, and inside an allocator. Call it before `mstx::init`, and before anything is reported: where
/// the books begin late, a release of an unknown region is no fault.
///
/// ```
/// if !mstx_checker::install() {
///     eprintln!("not checked: {}", mstx_runtime::status());
/// }
/// # assert!(mstx_runtime::status().checker() && mstx_checker::install());
/// ```
#[expect(clippy::must_use_candidate, reason = "a program may not care whether it is checked")]
pub fn install() -> bool {
    install_with(Options::new())
}

/// Lets the checker listen, with options. Returns whether it does. See [`install`].
///
/// Called again, it sets the options that are given, and leaves the others as they are. What `MSTX_CHECK` says comes before
/// what the program says.
///
/// ```
/// use mstx_checker::Options;
///
/// let listens = mstx_checker::install_with(Options::new().exit_code(9));
/// # assert!(listens);
/// ```
pub fn install_with(options: Options) -> bool {
    options.set();
    if access::late(|| mstx_runtime::attach(&CHECKER)) {
        GIVEN.store(true, Ordering::Relaxed);
        return true;
    }
    // It listens already, unless nobody does any more.
    GIVEN.load(Ordering::Relaxed) && !matches!(mstx_runtime::status().tool(), ToolStatus::Forked | ToolStatus::Ended)
}

/// What the runtime asks for where `MSTX_CHECK` is set.
#[allow(dead_code, clippy::unnecessary_wraps, reason = "the runtime says how it looks, and does not ask where reporting is off")]
fn builtin() -> Option<&'static dyn Tool> {
    environment::read();
    GIVEN.store(true, Ordering::Relaxed);
    Some(&CHECKER)
}

mstx_runtime::__list!(Builtin(builtin));
