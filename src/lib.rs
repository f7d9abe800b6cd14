//! Tell memory tools about the sub-allocations of a memory pool.
//!
//! To every memory tool a pool is one big block: an access that runs out of one sub-allocation into the next, or into free
//! space, goes unseen. With this crate the author of a pool puts one attribute on each of a few functions, and the tools know:
//! Ascend's msSanitizer and msMemScope through the MSTX interface, or the built-in checker on any machine.
//!
//! ```
//! use std::cell::Cell;
//! use std::ptr::NonNull;
//!
//! mstx::domain!(static BUMP = "bump");
//!
//! struct Pool {
//!     base: NonNull<u8>,
//!     size: usize,
//!     used: Cell<usize>,
//! }
//!
//! impl Pool {
//!     #[mstx::heap(domain = BUMP, ptr = ret.base, size = slab.len())]
//!     fn new(slab: &'static mut [u8]) -> Self {
//!         Self { size: slab.len(), base: NonNull::from(slab).cast(), used: Cell::new(0) }
//!     }
//!
//!     #[mstx::region(heap = self.base, size = size)]
//!     #[track_caller] // reports name the caller of alloc
//!     fn alloc(&self, size: usize) -> Option<NonNull<u8>> {
//!         let at = self.used.get();
//!         self.used.set(at.checked_add(size).filter(|&end| end <= self.size)?);
//!         NonNull::new(self.base.as_ptr().wrapping_add(at))
//!     }
//!
//!     #[mstx::region_unregister(heap = self.base, ptr = block)]
//!     #[track_caller]
//!     fn free(&self, block: NonNull<u8>) {
//!         let _ = block; // a bump pool gives memory back when it ends
//!     }
//!
//!     #[mstx::heap_unregister(heap = self.base)]
//!     fn end(self) {}
//! }
//!
//! let pool = Pool::new(Box::leak(vec![0; 4096].into_boxed_slice()));
//! let block = pool.alloc(64).unwrap();
//! pool.free(block);
//! pool.end();
//! ```
//!
//! # Attributes
//!
//! | attribute | reports | arguments |
//! |---|---|---|
//! | [`heap`] | after the body, if it succeeded | `ptr`, `size`, `domain`, `name`, `host` or `device`, `deferred` |
//! | [`heap_unregister`] | before the body: its regions, then the heap | `heap`, `domain` |
//! | [`heap_reset`] | before the body: all its regions | `heap`, `domain` |
//! | [`heap_resize`] | a shrink before the body, a growth after it; in place, live regions kept | `heap`, `size`, `domain` |
//! | [`region`] | after the body, if it succeeded | `heap`, `ptr`, `size`, `domain`, `device` |
//! | [`region_unregister`] | before the body; registered again if it returns `Err` | `ptr`, `size`, `heap`, `domain` |
//! | [`region_resize`] | the old region leaves, the new one comes | `ptr`, `size`, `heap`, `domain` |
//! | [`batch`](macro@batch) | holds back what the thread reports in the body, until it ends | |
//! | [`flush`](macro@flush) | before the body: everything pending | |
//! | [`range`](macro@range) | a range around the body | `name`, `domain`, `stream` |
//! | [`allocator_internal`](macro@allocator_internal) | nothing: the body's accesses are the allocator's own | |
//!
//! Everything else about the function is unchanged: it compiles if it compiled without the attribute, and behaves the same. All of
//! them take `crate = path`, for a crate that is renamed or re-exported.
//!
//! Arguments are expressions over the function's parameters. They are evaluated once, before the body, and only when somebody
//! listens: they must have no side effects. An expression with the identifier `ret` is evaluated after the body; `ret` is a
//! reference to the success value: `Option` and `Result` are looked through, and where there is none, nothing is reported.
//! Sizes are in bytes. Nothing is reported for `None`, `Err`, a null pointer, a size of zero, or a panic.
//!
//! Where a function returns what the attribute cannot read, implement [`Regions`] for the type (and [`KnowsSize`], if it knows
//! its size), or say it with `ptr` and `size`. Where a pool of your own is to stand for its heap, implement [`AsHeap`].
//!
//! For code that cannot carry attributes there are plain calls: [`Heap`], [`register_region`], [`mark`], [`range()`], and the C
//! interface itself in [`raw`].
//!
//! # Who listens
//!
//! - An injected tool: the library that the environment variable `MSTX_INJECTION_PATH` names, or one that is preloaded.
//! - The built-in checker: with the feature `checker` and the environment variable `MSTX_CHECK=1`, or by a call of
//!   `mstx::checker::install()`.
//! - A tool of your own in the process: [`attach`].
//!
//! [`status()`] says who does, and if no tool does, why not. While nobody listens, an annotated call costs one load, one
//! comparison and one branch.
//!
//! | variable | |
//! |---|---|
//! | `MSTX_INJECTION_PATH` | the tool's library |
//! | `MSTX_DOMAINS` | renames domains for tools that know only fixed names: `MSTX_DOMAINS=my_crate__pool=ptaCaching,other=atb` |
//! | `MSTX_BATCH` | `immediate`: nothing is held back, whatever the program says |
//! | `MSTX_CHECK` | `1` switches the built-in checker on; `exitcode=9` makes it end the process with that status if it found a fault; `help=1` lists what else it can do |
//!
//! A set-user-ID process ignores all four. A forked child reports nothing. When the process exits, what is pending is sent, and
//! nothing after it.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `rt` (default) | the runtime. Without it (`default-features = false`) the attributes still check everything, and nothing else is linked: `no_std` crates can use them |
//! | `off` | no reporting, in any build |
//! | `release_off` | no reporting where `debug_assertions` are off |
//! | `on` | reporting, whatever `off` and `release_off` say |
//! | `checker` | the built-in checker |
//! | `sites` | [`sites()`] lists call sites at link time, not only those seen so far; each costs a constructor |
//!
//! Only binaries set `off`, `release_off` and `on`. A library depends with `default-features = false`, and leaves it to the
//! binary. Off means the same optimised machine code as without the attribute. [`BUILD`] names the state.
//!
//! # Faults
//!
//! Mistakes in the order of events are found by the runtime's own books, whatever the tool: see [`FaultKind`]. They are kept for
//! [`faults()`], shown by the checker (and without it, where a tool listens, on the standard error stream), and not passed on
//! to the tool. The books stay true, and the program goes on.
#![no_std]

/// The built-in checker.
#[cfg(feature = "checker")]
pub use mstx_checker as checker;
#[doc = include_str!("codes.md")]
pub mod codes {}
#[doc(inline)]
pub use mstx_macros::{
    AsHeap, KnowsSize, Regions, allocator_internal, batch, flush, heap, heap_reset, heap_resize, heap_unregister, range, region,
    region_resize, region_unregister,
};
#[doc(hidden)]
pub use mstx_runtime::__private;
#[doc(inline)]
pub use mstx_runtime::{
    Answer, AsDomain, AsHeap, BUILD, Build, Device, Domain, DomainInfo, Fault, FaultHeap, FaultKind, FaultRegion, FaultThread,
    Handle, Heap, HeapKey, HeapOptions, KnowsSize, Label, Origin, Place, Range, Refusal, Regions, Report, Site, Size, Status,
    Stream, Tool, ToolDomain, ToolHeap, ToolRegion, ToolStatus, Word, allocator_internal, attach, batch, domain, domains,
    fault_count, faults, flush, init, mark, mark_on, range, range_on, raw, register_region, sites, status, unregister_region,
};
