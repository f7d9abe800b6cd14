//! What can happen to the books, as plain functions: the works behind the thin generic code in annotated functions.
//!
//! They are also collected in a table, through which another copy of this library in the same process uses these books (see
//! `copies`).

use core::ffi::CStr;
use core::sync::atomic::Ordering;

use super::ledger::names::DomainId;
use super::ledger::whole::{Covering, Description};
use super::ledger::{Caller, Entry, Hold, Ledger, TakenList};
use super::spans::Spans;
use crate::tool::{Tool, Visit};
use super::report::{self, report};
use super::{LEDGER, WIRED, bodies, exit};
use crate::live::annotate::{self, RangeIds};
use crate::live::injected::table::Functions;
use crate::live::ledger::heaps::HeapId;
use crate::{Domain, DomainInfo, Fault, FaultKind, HeapKey, Origin, Status};

/// A function for each thing that can happen.
#[derive(Clone, Copy)]
pub(crate) struct Operations {
    pub(crate) enter: fn() -> usize,
    pub(crate) leave: fn(usize),
    pub(crate) now: fn() -> Entry,
    pub(crate) starts: fn(),
    pub(crate) started: fn(),
    pub(crate) domain: fn(&Domain) -> Option<DomainId>,
    pub(crate) register: fn(&Caller, &Spans, Option<usize>, Option<u32>, bool),
    pub(crate) release: fn(&Caller, &Spans, Option<usize>, &mut TakenList),
    pub(crate) released: fn(&TakenList),
    pub(crate) refused: fn(&TakenList),
    pub(crate) hold: fn(&Caller, &Spans) -> Option<Hold>,
    pub(crate) lift: fn(&Hold),
    pub(crate) moved: fn(&Caller, Option<&Hold>, &Spans, Option<usize>),
    pub(crate) heap_register: fn(&Caller, usize, usize, Description) -> Option<HeapId>,
    pub(crate) heap_unregister: fn(&Caller) -> Option<Covering>,
    pub(crate) heap_reset: fn(&Caller) -> Option<Covering>,
    pub(crate) covered: fn(&Covering),
    pub(crate) heap_resize_begin: fn(&Caller, usize) -> Option<HeapId>,
    pub(crate) heap_resize_end: fn(&Caller, HeapId, usize),
    pub(crate) open_batch: fn(),
    pub(crate) close_batch: fn(),
    pub(crate) flush: fn(),
    pub(crate) fault: fn(FaultKind, &Caller, usize, usize),
    pub(crate) mark: fn(Option<DomainId>, &CStr, usize),
    pub(crate) range_start: fn(Option<DomainId>, &CStr, usize) -> RangeIds,
    pub(crate) range_end: fn(Option<DomainId>, RangeIds),
    pub(crate) fault_from: fn(u64) -> Option<(u64, Fault)>,
    pub(crate) fault_count: fn() -> u64,
    pub(crate) last_release: fn(usize) -> Option<Origin>,
    pub(crate) show: fn(Option<HeapKey>, &mut Visit<'_>),
    pub(crate) domain_info: fn(usize) -> Option<DomainInfo>,
    pub(crate) attach: fn(&'static dyn Tool, bool) -> bool,
    pub(crate) status: fn() -> Status,
    pub(crate) raw: fn(&mut dyn FnMut(&'static Functions)),
}

/// Those of these books.
pub(crate) static OWN: Operations = Operations {
    enter: bodies::enter,
    leave: bodies::leave,
    now: Entry::now,
    starts: || {
        report(Ledger::starts);
    },
    started: || {
        report(Ledger::started);
    },
    domain: |domain| report(|ledger| ledger.domain(domain).ok()).flatten(),
    register: report::register,
    release: report::release,
    released: TakenList::close,
    refused: |taken| {
        report(|ledger| ledger.refused(taken));
    },
    hold: |caller, spans| report(|ledger| ledger.hold(caller, spans)).flatten(),
    lift: |hold| {
        report(|ledger| ledger.lift(hold));
    },
    moved: |caller, hold, to, size| {
        report(|ledger| ledger.moved(caller, hold, to, size));
    },
    heap_register: |caller, start, size, description| {
        if description.deferral.is_some() {
            report::has_deferred();
        }
        let id = report(|ledger| ledger.heap_register(caller, start, size, description)).flatten();
        if WIRED.load(Ordering::Relaxed) {
            exit::watch();
        }
        id
    },
    heap_unregister: |caller| report(|ledger| ledger.heap_unregister(caller)).flatten(),
    heap_reset: |caller| report(|ledger| ledger.heap_reset(caller)).flatten(),
    covered: |covering| {
        report(|ledger| ledger.covered(covering));
    },
    heap_resize_begin: |caller, size| report(|ledger| ledger.heap_resize_begin(caller, size)).flatten(),
    heap_resize_end: |caller, id, size| {
        report(|ledger| ledger.heap_resize_end(caller, id, size));
    },
    open_batch: super::open_batch,
    close_batch: super::close_batch,
    flush: super::flush,
    fault: |kind, caller, address, size| {
        report(|ledger| ledger.fault(kind, caller, address, size, None, None));
    },
    mark: annotate::mark,
    range_start: annotate::range_start,
    range_end: annotate::range_end,
    fault_from: |number| LEDGER.lock().and_then(|ledger| ledger.fault_from(number)),
    fault_count: || LEDGER.lock().map_or(0, |ledger| ledger.fault_count()),
    last_release: |start| LEDGER.lock().and_then(|ledger| ledger.last_release(start)),
    show: |key, visit| {
        if let Some(ledger) = LEDGER.lock() {
            match key {
                Some(key) => ledger.show_named(key, visit),
                None => ledger.show(visit),
            }
        }
    },
    domain_info: |index| LEDGER.lock().and_then(|ledger| ledger.domains.info(index)),
    attach: super::attach_tool,
    status: super::status,
    raw: super::raw::talk,
};
