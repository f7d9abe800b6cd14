//! Marks and ranges: notes on the time axis, which the books know nothing of.

use core::ffi::CStr;
use core::sync::atomic::Ordering;

use super::ledger::TOOLS;
use super::ledger::names::DomainId;
use crate::tool::{Handle, Tool, ToolDomain};
use super::{INJECTED, LEDGER, WIRE, WIRED, errno, listen, send};

/// What the tools answered to the start of a range: those in the process, and the injected one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeIds {
    listeners: [Option<u64>; TOOLS],
    injected: Option<u64>,
}

impl RangeIds {
    /// What the first tool in the process answered.
    pub(crate) fn first(&self) -> u64 {
        self.listeners[0].unwrap_or_default()
    }

    /// The answer of a first tool in the process, where there is no other.
    pub(crate) fn only(id: u64) -> Self {
        let mut ids = Self { listeners: [None; TOOLS], injected: None };
        ids.listeners[0] = Some(id);
        ids
    }
}

pub(crate) fn mark(domain: Option<DomainId>, message: &CStr, stream: usize) {
    each(domain, |_, tool, domain| tool.mark(domain, message, stream));
}

pub(crate) fn range_start(domain: Option<DomainId>, message: &CStr, stream: usize) -> RangeIds {
    let mut ids = RangeIds { listeners: [None; TOOLS], injected: None };
    each(domain, |place, tool, domain| {
        let id = tool.range_start(domain, message, stream);
        match place {
            Some(place) => ids.listeners[place] = Some(id),
            None => ids.injected = Some(id),
        }
    });
    ids
}

pub(crate) fn range_end(domain: Option<DomainId>, ids: RangeIds) {
    each(domain, |place, tool, domain| {
        // A tool that was not there when the range started is not told of its end.
        let id = place.map_or(ids.injected, |place| ids.listeners[place]);
        if let Some(id) = id {
            tool.range_end(domain, id);
        }
    });
}

/// Calls every tool: those in the process with their places, then the injected one.
fn each(domain: Option<DomainId>, mut call: impl FnMut(Option<usize>, &dyn Tool, Option<ToolDomain<'_>>)) {
    if listen::is_never() {
        return;
    }
    let _errno = errno::Saved::new();
    // `None` in a call from inside one of the tool's functions: this thread may talk to the tool as it is.
    let _wire = WIRE.lock();
    {
        let Some(ledger) = LEDGER.lock() else { return };
        if listen::is_never() {
            return;
        }
        let shown = domain.map(|id| ledger.wire_domain(ledger.domains.wire(id)));
        let shown = shown.map(|domain| ToolDomain { handle: Handle::NONE, ..domain });
        for (place, tool) in ledger.listeners().into_iter().enumerate() {
            if let Some(tool) = tool {
                call(Some(place), tool, shown);
            }
        }
    }
    if WIRED.load(Ordering::Acquire) {
        call(None, &INJECTED, domain.and_then(|id| send::known_domain(&INJECTED, id)));
    }
}
