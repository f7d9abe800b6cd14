//! What an injected tool does that has a copy of this library inside of it: the calls of C clients go into its books.
//!
//! Its books are nobody else's, and what is allowed in them is a little more than for Rust; see `ledger::foreign`. A domain's number
//! must be one that [`domain`] has returned.

use core::ffi::{CStr, c_int};

use super::annotate::{self, RangeIds};
use super::bodies::Internal;
use super::ledger::names::DomainId;
use super::ledger::{Caller, Entry, Ledger};
use super::process::system;
use super::report::report;
use super::{copies, listen};
use crate::{HeapKey, Origin};

pub use super::ledger::foreign::Extent;
pub use super::process::errno::Saved as SavedErrno;

/// The number of a module that this library knows, and no other client. To ask for it is fine where slot 0 of module 1 is there, and
/// holds this number. It has two functions:
///
/// 1. `int wants_host(void)`, which an injected tool puts there if it wants to be told of heaps that are host memory;
/// 2. `int is_checked(void)`, which is there already: whether the built-in checker listens in the program itself.
pub const MODULE: c_int = 0x4d53_5458;

/// This copy of the library is part of an injected tool: it neither shares its books with other copies in the process, nor looks for
/// a tool. To be called before anything else, and as often as one likes.
pub fn keep_to_itself() {
    copies::keep_to_itself();
}

/// Whether that was said.
#[must_use]
pub fn is_kept() -> bool {
    copies::is_kept()
}

/// Whether the process has more rights than its user, so that the environment is not to be trusted.
#[must_use]
pub fn is_privileged() -> bool {
    system::is_privileged()
}

/// The number of the domain of this name, which has 1 to 1023 bytes of `[A-Za-z0-9_]`. `None` where nobody listens, and where there
/// is no memory.
#[must_use]
pub fn domain(name: &str) -> Option<u16> {
    let known = |ledger: &mut Ledger| ledger.domain_by_name(name).ok();
    crate::domain::check(name).ok()?;
    heard().then(|| report(known)).flatten().flatten().map(|domain| domain.0)
}

/// Whether nothing will ever happen any more: in a forked child, and at the end of the process.
#[must_use]
pub fn is_over() -> bool {
    listen::is_never()
}

/// Whether anything may happen: not in a forked child, and not at the end of the process.
#[must_use]
pub fn heard() -> bool {
    listen::listening()
}

fn caller(origin: Origin, domain: u16, heap: usize) -> Caller {
    let heap = (heap != 0).then(|| HeapKey::at(heap));
    Caller { origin, domain: Some(DomainId(domain)), heap, entry: Entry::now() }
}

/// A heap begins.
pub fn heap_register(origin: Origin, domain: u16, memory: Extent) {
    let _internal = Internal::enter();
    report(|ledger| ledger.foreign_heap(&caller(origin, domain, 0), memory));
}

/// The heap that starts at `heap` ends, and with it its regions.
pub fn heap_unregister(origin: Origin, domain: u16, heap: usize) {
    let _internal = Internal::enter();
    report(|ledger| ledger.foreign_heap_ends(&caller(origin, domain, heap)));
}

/// A region begins, in the heap that starts at `heap`, or in none (0). `handle`: what it will be called when it ends, besides its
/// address.
pub fn region_register(origin: Origin, domain: u16, heap: usize, memory: Extent, handle: usize) {
    let _internal = Internal::enter();
    report(|ledger| ledger.foreign_region(&caller(origin, domain, heap), memory, handle));
}

/// The region at `start` ends. `handle`: what it was called; 0 where it is named by its address alone.
pub fn region_unregister(origin: Origin, domain: u16, start: usize, handle: usize) {
    let _internal = Internal::enter();
    report(|ledger| ledger.foreign_region_ends(&caller(origin, domain, 0), start, handle));
}

/// A mark, in a domain or in the default one.
pub fn mark(domain: Option<u16>, message: &CStr, stream: usize) {
    annotate::mark(domain.map(DomainId), message, stream);
}

/// A range begins. Returns what the tool in the process answered.
#[must_use]
pub fn range_start(domain: Option<u16>, message: &CStr, stream: usize) -> u64 {
    annotate::range_start(domain.map(DomainId), message, stream).first()
}

/// A range ends.
pub fn range_end(domain: Option<u16>, id: u64) {
    annotate::range_end(domain.map(DomainId), RangeIds::only(id));
}
