//! What the plain calls (`api`) and the macros need of this build; `off` has the same names.

pub use super::bodies::{Internal, Suspend};
pub use super::call::{Batch, Body, Call, HeapResize, Range, Release, Resize};
pub use super::foreign::is_kept;
pub use super::listen::{does_listen, listening, may_listen};
pub use super::spans::Spans;

pub(crate) use super::raw;
use super::copies::operations;
use super::sites;
use super::message::Message;
use crate::declare::Declared;
use crate::tool::Visit;
use crate::{Domain, DomainInfo, Fault, HeapKey, Site, Status, Tool};

/// Initialises, if that has not happened yet.
pub(crate) fn init() {
    if listening() {
        super::complete();
    }
}

pub(crate) fn status() -> Status {
    init();
    let own = super::status();
    let books = (operations().status)();
    Status { tool: books.tool, checker: books.checker, refused: books.refused, listening: books.listening, ..own }
}

pub(crate) fn attach(tool: &'static dyn Tool) -> bool {
    let late = super::is_late();
    init();
    (operations().attach)(tool, late)
}

pub(crate) fn flush() {
    if listening() {
        (operations().flush)();
    }
}

pub(crate) fn mark(domain: Option<&Domain>, message: &str, stream: usize) {
    if listening() {
        let domain = domain.and_then(operations().domain);
        (operations().mark)(domain, Message::new(message).as_c_str(), stream);
    }
}

pub(crate) fn fault_from(number: u64) -> Option<(u64, Fault)> {
    (operations().fault_from)(number)
}

pub(crate) fn fault_count() -> u64 {
    (operations().fault_count)()
}

pub(crate) fn last_release(start: usize) -> Option<crate::Origin> {
    (operations().last_release)(start)
}

pub(crate) fn show(key: Option<HeapKey>, visit: &mut Visit<'_>) {
    (operations().show)(key, visit);
}

pub(crate) fn site(index: usize) -> Option<&'static Site> {
    sites::get(index)
}

/// The domain with this number, of those that were declared or used.
pub(crate) fn domain(index: usize) -> Option<DomainInfo> {
    if index == 0 {
        // Before anything is numbered it must be known whose numbers they are.
        init();
        for declared in inventory::iter::<Declared> {
            (operations().domain)(declared.0);
        }
    }
    (operations().domain_info)(index)
}
