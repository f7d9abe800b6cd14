//! A stand-in for the tools that consume MSTX events: an injection library for tests.
//!
//! It behaves like one of the real tools, or worse; it writes a line for every call; and whatever it imitates, it reports
//! every call that breaks one of the nine rules for clients. It declares the C interface itself and depends on nothing
//! of the project.
//!
//! # How a test uses it
//!
//! A package that names `mstx-stub` as a (dev-)dependency has `libmstx_stub.so` built into `target/<profile>/deps`, the
//! folder that its own test programs are in. A test sets `MSTX_INJECTION_PATH` to that file for a program that it starts, and
//! reads the log afterwards. A test in the same process opens the file again (`dlopen` with `RTLD_NOLOAD`) and asks by the
//! functions below. The library has one state per process, and settings are read when its initialiser is first called.
//!
//! # Settings
//!
//! `MSTX_STUB` is a list of words with commas between them: at most one base, and any of the others.
//!
//! | base | is |
//! |---|---|
//! | `full` (default) | a recorder that works with everything and fills all 13 functions |
//! | `pointer-only` | a recorder with null heaps, which leaves the handle array alone, reads every reference as a pointer and knows a few fixed domain names; it records events of domains it refused all the same |
//! | `handle-only` | a recorder that takes names of `[A-Za-z0-9_]`, drops batches without a handle array and forgets references by pointer |
//! | `msan` | msSanitizer |
//! | `atb` | msMemScope as it treats the domain `atb`; it knows five domain names and ignores all events of others |
//! | `pta` | msMemScope as it treats the domain `ptaCaching` |
//!
//! | word | adds |
//! |---|---|
//! | `partial` | only heap_register and regions_register are filled; rules about what is live are not checked |
//! | `fails` | everything is filled, then the initialiser returns failure; any call after it is a violation |
//! | `calls-back` | the initialiser calls the program, after it has filled the slots |
//! | `re-enters` | the first regions_register and the first regions_unregister call the program, before they do anything |
//! | `extra` | writes one function more than there is, in all modules (where `size >= id`) |
//! | `permissions` | fills function 5 of the memory module where it is offered, which is a violation otherwise |
//! | `refuses` | domain_create returns null always |
//! | `refuses-second` | domain_create returns null when a name comes again |
//! | `slow-init` | the initialiser takes 300 ms, after it has filled the slots |
//! | `slow-calls` | every memory call takes 1 ms, so that two at once are seen |
//! | `null-heaps` | heap_register returns null; heaps are ended by their address |
//! | `quiet` | no lines of calls and of the imitated tool; the same as `MSTX_STUB_QUIET=1` |
//! | `walking` | `msan` whose unregister looks at all live regions |
//!
//! "The program" is a function `void mstx_test_callback(void)` in the default symbol scope, else the one whose address
//! (decimal) is in `MSTX_STUB_CALLBACK` when it is wanted, else nobody.
//!
//! `MSTX_STUB_LOG=path` appends to that file; without it nothing is written.
//!
//! # The log
//!
//! One line, one `write`: `<sequence> <pid> <tid> <event>`. Handles appear as `d1`, `h1`, `r1` (domain, heap, region, numbered
//! in order), as `null`, or in hexadecimal where they are not of this library's making. Addresses are hexadecimal, sizes
//! decimal.
//!
//! ```text
//! init temper=msan,slow-init modules=5,6,5           sizes as offered, `none` for a module that is missing
//! ready -> 0                                         the initialiser returns
//! callback begin | callback end | callback none
//! mark message="text" stream=0x0                     null instead of the quotes
//! range_start message="text" stream=0x0 -> 1
//! range_end id=1
//! get_tool_id -> 0x1002
//! domain_create name=kv -> d1                        `domain_create null -> null` for a null name
//! domain_destroy domain=d1
//! domain_mark domain=d1 message="text" stream=0x0
//! domain_range_start domain=d1 message="text" stream=0x0 -> 2
//! domain_range_end domain=d1 id=2
//! heap_register domain=d1 device=0 ptr=0x1000 size=4096 -> h1
//! heap_unregister domain=d1 heap=h1 ptr=0x1000 size=4096     `ptr=?` if there is no such heap
//! regions_register domain=d1 heap=h1 count=2 [0x1000+16 dev=0 -> r1, 0x1010+16 dev=0 -> r2]
//! regions_unregister domain=d1 count=2 [handle r1 = 0x1000+16, handle r9 = ?]
//! regions_unregister domain=d1 count=1 [pointer 0x1000]
//! permissions_assign domain=d1 count=1 [handle r1 flags=0x1]
//! tool-error illegal free of r9                      what the imitated tool itself would print
//! crash mark: null message                           the imitated tool dies here: the process aborts
//! VIOLATION rule=6 regions_register: zero size at 0x1000
//! exit open=1 violations=0 calls=7 bytes=16 init=1 heap_register=1 ...     kinds with their counts, if not 0
//! open 0x1000+16 heap=0x1000                         one for each region in the books of the imitated tool
//! ```
//!
//! A violation's line comes before the line of its call. Rule 0 is the interface itself (calls before the initialiser has
//! returned or after it failed, unknown types). A second client that initialises (another shared library) may create each
//! domain once more. The last lines, from `exit` on, are written by an exit handler that was registered in the
//! initialiser; calls after it break rule 8.
//!
//! # Functions for tests
//!
//! [`mstx_stub_live`], [`mstx_stub_accessible`], [`mstx_stub_violations`], [`mstx_stub_calls`], [`mstx_stub_summary`]. None
//! may be called from a forked child.
//!
//! Kinds for [`mstx_stub_calls`]: 0 init, 1 mark, 2 range_start, 3 range_end, 4 get_tool_id, 5 domain_create,
//! 6 domain_destroy, 7 domain_mark, 8 domain_range_start, 9 domain_range_end, 10 heap_register, 11 heap_unregister,
//! 12 regions_register, 13 regions_unregister, 14 permissions_assign, 15 a function beyond the last, 16 regions in all
//! register calls, 17 references in all unregister calls, 18 errors that the imitated tool would print.

#![cfg(target_os = "linux")]

mod abi;
mod books;
mod checks;
mod config;
mod entries;
mod gate;
mod hostile;
mod init;
mod kind;
mod log;
mod shadow;
mod summary;
mod tempers;

use std::ffi::c_int;

/// The entry that clients look for.
///
/// # Safety
/// `getter` is null, or hands out arrays of pointers to slots as the interface says, with one more entry behind the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn InitInjectionMstx(getter: Option<abi::Getter>) -> c_int {
    init::initialise(getter)
}

/// Writes up to `capacity` live regions to `out`: start, size, start of the heap or 0, in the order of their starts, as
/// the imitated tool's books have them. Returns how many there are.
///
/// # Safety
/// `out` is null, or has room for `capacity` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mstx_stub_live(out: *mut [u64; 3], capacity: usize) -> usize {
    let live = gate::state().as_ref().map(|state| state.temper.live()).unwrap_or_default();
    for (index, region) in live.iter().take(capacity).enumerate().filter(|_| !out.is_null()) {
        let place = out.wrapping_add(index);
        // SAFETY: the index is below the capacity, so there is room for it, as the caller promises.
        unsafe { place.write(*region) };
    }
    live.len()
}

/// How many violations there were.
#[unsafe(no_mangle)]
pub extern "C" fn mstx_stub_violations() -> u64 {
    log::violations()
}

/// How many calls there were of a kind; the kinds are listed in the crate's documentation.
#[unsafe(no_mangle)]
pub extern "C" fn mstx_stub_calls(kind: u32) -> u64 {
    kind::counted(kind)
}

/// Whether msSanitizer would let `size` bytes at `address` be accessed: 1 or 0; -1 if it does not know all of them, and
/// for all other tools.
#[unsafe(no_mangle)]
pub extern "C" fn mstx_stub_accessible(address: u64, size: u64) -> c_int {
    let state = gate::state();
    let known = state.as_ref().and_then(|state| state.temper.accessible(address, size));
    known.map_or(-1, c_int::from)
}

/// Writes the lines that are written at exit, now.
#[unsafe(no_mangle)]
pub extern "C" fn mstx_stub_summary() {
    summary::write();
}
