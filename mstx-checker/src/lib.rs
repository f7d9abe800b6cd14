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
//! MSTX_CHECK=exitcode=9,log=pool-%p.log ./program    # ends with status 9 if there were faults, and reports to a file
//! MSTX_CHECK=heapmap=map.svg ./program    # draws what its pools did
//! ```
//!
//! | in `MSTX_CHECK` | |
//! |---|---|
//! | `exitcode=N` | the process ends with this status (1 to 255) if there were faults |
//! | `leaks=0\|1\|2` | what is live at exit is: 0 not listed, 1 listed (the default), 2 listed, and each is a fault |
//! | `log=FILE` | reports go to this file; %p in its name is the process's number |
//! | `suppressions=FILE` | what the lines of this file name is not reported |
//! | `color=0\|1` | whether reports are colored; without it, on a terminal only |
//! | `access=0\|1` | whether Valgrind and AddressSanitizer are told what may be accessed (1 is the default) |
//! | `guard=0\|1` | without them: pages of heaps in which nothing is live are protected |
//! | `strict=0\|1` | the pools' own code is checked, too |
//! | `uninit=0\|1` | what is handed out holds nothing yet (Valgrind) |
//! | `heapmap=FILE` | draws each heap's memory over time (SVG) |
//! | `snapshot=FILE` | writes a memory snapshot for `pytorch.org/memory_viz` |
//! | `trace=FILE` | writes a trace for Perfetto |
//! | `dhat=FILE` | writes a profile for Valgrind's `dh_view.html` |
//! | `recording=N` | the newest N events are kept for these files (1000000) |
//! | `help=1` | lists the options |
//!
//! Options are separated by `,` or `:`. One that is not known is named on the standard error stream, with those that are, and
//! ignored; the checker is on all the same. Empty, or `0`, switches it off. It is read once, when the runtime initialises; a
//! set-user-ID process ignores it. A program asks for the same by [`Options`]; whoever runs it has the last word.
//!
//! # What it says
//!
//! On the standard error stream, each fault when it happens: the call that is at fault, what is live around the place, the thread, and
//! the call that it contradicts:
//!
//! ```text
//! mstx: fault[MSTX05]: region released twice
//!   --> src/main.rs:9:6
//!    = call of `mstx::Heap::unregister_region`
//!    = at slab+0x40 (0x5644a2b3e040)
//!    = heap `slab`: 4096 bytes, 0x5644a2b3e000 to 0x5644a2b3f000
//!    = right: a region of 100 bytes at slab+0x80, which begins 64 bytes behind; from src/main.rs:6:6
//!    = thread `main` (4711)
//! note: first released here
//!   --> src/main.rs:8:6
//!    = call of `mstx::Heap::unregister_region`
//! help: somebody kept a pointer to what was given back already
//! ```
//!
//! and a summary when the process exits: one line, if all is well. Else how many faults there were of each kind, the most that each
//! pool held, what is still live by the call that registered it, and how full and how broken up live heaps are:
//!
//! ```text
//! mstx: 13 faults
//!     12 x MSTX05 region released twice
//!            12 of them at src/main.rs:9:6
//!      1 x MSTX18 null address
//!   heaps: 1 registered, 0 unregistered, at most 4096 bytes live
//!   regions: 41 registered, 39 unregistered, at most 1280 bytes live
//!   heap `slab` of 4096 bytes, from src/main.rs:5:12: at most 1280 bytes live
//!   still live at exit: 1 heap, 4096 bytes
//!     1 heap, 4096 bytes, named `slab`
//!       --> src/main.rs:5:12
//!        = call of `mstx::Heap::register`
//!     heap `slab` at 0x5644a2b3e000: 164 of 4096 bytes live in 2 regions, 3932 free, at most 3868 in one piece (fragmentation 1 %)
//!   still live at exit: 2 regions, 164 bytes
//!     2 regions, 164 bytes, in heap `slab`
//!       --> src/main.rs:6:6
//!        = call of `mstx::Heap::register_region`
//! ```
//!
//! Every kind of fault has a code; [`mstx::codes`] goes through them: what each means, an example, what to do. A fault that repeats
//! itself (the same kind, from the same two calls) is shown once and counted: a line says so at 10 times, at 100, and so on. The
//! fragmentation of a heap is the part of what is free in it that is not in the largest piece. Reports are colored on a terminal only.
//!
//! Heaps and regions that are live when the process exits are no faults, unless [`Leaks::Fault`] says so. What is known and may stay
//! can be [suppressed](Options::suppressions), by its code and its call site.
//!
//! A process that is killed, aborts or calls `_exit` has no summary. On systems other than Unix there is none either, and
//! `MSTX_CHECK` is not read: there, [`install`] is the way.
//!
//! # In tests
//!
//! A pool's unit tests can demand that it left nothing behind, in a line: [`assert_clean_in`] asks for one pool, and
//! [`assert_clean`] for all of the process.
//!
//! ```
//! # mstx_runtime::domain!(static POOL = "pool");
//! # let slab = vec![0_u8; 4096];
//! mstx_checker::install(); // first: of what comes before the checker knows nothing
//! # let pool = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
//! // .. what is to be tested ..
//! mstx_checker::assert_clean_in(&pool); // no fault in it, and nothing live
//! ```
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
//! live before the oldest of these is kept too, in some 35 to 75 bytes for each heap and region, so nothing in the files ends that did not
//! begin; and so are names and messages, each once and up to 1024 bytes of it, at most 65,536 messages and 16 MiB of them. How many
//! events were dropped is said in each file, and on the standard error stream.
//!
//! While a file is written, some 100 bytes more are taken for each event, and whoever reports waits. Where it takes more than a
//! second, the standard error stream says each second how far it is. A process that is killed, aborts or calls `_exit` writes no
//! files, nor does a forked child. A file that cannot be written (there is no such directory, the disk is full) is named there with
//! the reason, and the program goes on.
//!
//! In the snapshot, a heap that lies inside of another is shown on a device of its own, and so are the regions of no heap: the
//! format knows no memory inside of memory. A heap that was resized is shown with the largest size that it had. In the DHAT
//! profile, the bytes of a region that has a heap on it count besides those of the heap's regions.
//!
//! # Any other program
//!
//! `libmstx_checker.so` is this checker as an injection library: for a program in any language that calls MSTX, on Linux.
//!
//! ```sh
//! cargo build --release -p mstx-checker-injection
//! MSTX_INJECTION_PATH=$PWD/target/release/libmstx_checker.so ./program
//! LD_PRELOAD=$PWD/target/release/libmstx_checker.so ./program    # the same
//! ```
//!
//! It is on without `MSTX_CHECK`, which says how as everywhere else; `MSTX_CHECK=0` switches it off. Reports, files and accesses are as in
//! a Rust program.
//!
//! **Calls** are named by the address that they return to: by function, file and line where the program has debug information; by function
//! alone; or by the file and the place in it that `addr2line -e FILE` takes. Wrappers in the interface's header are looked through.
//! Calls from Python by `ctypes` or `cffi` are named by its own lines: the first one outside of the file that makes the calls, and the two
//! functions that called it. Suppressions name the same.
//!
//! **What is allowed** is a little more than for attributes, since that is what clients do:
//! - The size of a heap may be a running total of what was obtained so far. Such a heap ends where the next one begins; a line says so,
//!   once.
//! - Regions may be of no heap (null), and lie anywhere. One in a heap of its domain counts as part of it, and outlives it.
//! - Regions are unregistered by handle or by address. A handle means the very region that it was given for, and not a later one there.
//! - The end of a heap is the end of its regions, and no fault.
//!
//! **Calls that are wrong in themselves** (null pointers, domains that are none, types that are not known) are named in a line each, and
//! ignored. A pointer that is wrong and not null is followed. In a forked child, and once exit handlers have begun, calls do nothing.
//!
//! **Accesses.** The interface has no way to say that the allocator's own code runs. A pool that keeps links or headers in its slab, outside
//! of regions, accesses what is off limits for everybody else; `MSTX_CHECK=access=0` leaves accesses alone.
//!
//! **A Rust program with `mstx`** reports its faults itself, and says more with a checker of its own. Where both listen, the injected one
//! leaves accesses to it, and has nothing to add at exit.
//!
//! # When to switch it on
//!
//! At the start of `main`: of what was registered while nobody listened the checker knows nothing, and cannot say what becomes
//! of it. A pool that is the global allocator hands out regions before `main`; there, use `MSTX_CHECK`.
//!
//! # Where it runs
//!
//! Inside the program's allocators, the global one among them. It takes its own memory from the system: a fixed amount for each
//! call that reports and for each live heap, and none for each region. Where accesses are checked, it takes some 50 to 70 bytes for
//! each live region; a recording takes more, too.
//!
//! Under Miri, too, where a program asks for it by [`install`]: there the environment is not read, no library is loaded or asked for
//! anything, accesses are Miri's own affair, and nothing is said at the end.
//!
//! [`mstx`]: https://docs.rs/mstx
//! [`mstx::codes`]: https://docs.rs/mstx/latest/mstx/codes/index.html
#![deny(unsafe_code)]
#![warn(clippy::pedantic)]

#[cfg_attr(miri, allow(dead_code, reason = "what asks the C library is not there, nor its callers"))]
mod access;
mod checker;
mod clean;
mod environment;
mod exclusive;
mod exit;
mod faults;
mod files;
mod foreign;
mod inject;
mod largest;
mod lock;
mod log;
mod options;
mod origin;
mod pools;
mod position;
mod recording;
mod report;
mod start;
mod suppress;
mod tally;
mod text;

pub use self::clean::{Unclean, assert_clean, assert_clean_in, clean, clean_in};
pub use self::files::{Format, write};
pub use self::options::{Leaks, Options};

use core::sync::atomic::{AtomicBool, Ordering};

use mstx_runtime::{Tool, ToolStatus};

use self::checker::Checker;

/// What `libmstx_checker.so` needs. Not public API.
#[doc(hidden)]
pub mod __private {
    pub use crate::foreign::{Resolve, Symbol, resolve_with};
    pub use crate::inject::{inject, leave_accesses, stand_back};
    pub use crate::text::line;
}

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
