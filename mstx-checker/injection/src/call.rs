//! What the functions of the interface have in common: who calls, what is wrong with the arguments, and what they mean.
#![allow(unsafe_code, reason = "reads what a client in C gives")]

use core::ffi::{CStr, c_char, c_int};
use core::fmt::Display;

use mstx_runtime::__private::foreign::{self, SavedErrno};
use mstx_runtime::raw::{DomainHandle, Stream};
use mstx_runtime::{Origin, Site};

use crate::complaint::complain;
use crate::{callers, handles};

/// More than this in one call is no number of regions.
const MOST: usize = 1 << 30;

/// A call of a function of the interface, while somebody listens.
pub(crate) struct Call {
    function: &'static str,
    returns_to: usize,
    /// The client finds in it what was there before.
    _errno: SavedErrno,
}

impl Call {
    pub(crate) fn new(function: &'static str, returns_to: usize) -> Option<Self> {
        foreign::heard().then(|| Self { function, returns_to, _errno: SavedErrno::new() })
    }

    /// Where it comes from; 0 where that is not known.
    pub(crate) fn address(&self) -> usize {
        if self.returns_to == 0 { 0 } else { callers::of(self.returns_to) }
    }

    pub(crate) fn origin(&self, site: &'static Site) -> Origin {
        Origin::foreign(site, self.address())
    }

    pub(crate) fn wrong(&self, what: impl Display) {
        complain(self.function, self.address(), what);
    }

    /// What a pointer points to, unless it is null.
    ///
    /// # Safety
    ///
    /// It must be null or point to one; it need not be aligned.
    pub(crate) unsafe fn read<T: Copy>(&self, pointer: *const T, what: &str) -> Option<T> {
        if pointer.is_null() {
            self.wrong(format_args!("{what} is null"));
            return None;
        }
        // SAFETY: the caller vouches for it.
        Some(unsafe { pointer.read_unaligned() })
    }

    /// A text of the client's, unless it is null.
    ///
    /// # Safety
    ///
    /// It must be null or a C string, which lives as long as it is used.
    pub(crate) unsafe fn text<'a>(&self, text: *const c_char, what: &str) -> Option<&'a CStr> {
        if text.is_null() {
            self.wrong(format_args!("{what} is null"));
            return None;
        }
        // SAFETY: the caller vouches for it.
        Some(unsafe { CStr::from_ptr(text) })
    }

    /// The number of a domain.
    pub(crate) fn domain(&self, handle: DomainHandle) -> Option<u16> {
        let domain = handles::domain_of(handle);
        // The end may have come meanwhile.
        if domain.is_none() && foreign::heard() {
            self.wrong(format_args!("{handle:p} is no domain of this tool"));
        }
        domain
    }

    /// Does something in a domain, or in the default one: for marks and ranges that is none.
    pub(crate) fn within<R>(&self, handle: DomainHandle, act: impl FnOnce(Option<u16>) -> R) -> Option<R> {
        let domain = if handle.is_null() { None } else { self.domain(handle) };
        (handle.is_null() || domain.is_some()).then(|| act(domain))
    }

    /// Sets a mark.
    ///
    /// # Safety
    ///
    /// The message must be null or a C string.
    pub(crate) unsafe fn mark(&self, domain: DomainHandle, message: *const c_char, stream: Stream) {
        // SAFETY: the caller vouches for it.
        if let Some(message) = unsafe { self.text(message, "the message") } {
            self.within(domain, |domain| foreign::mark(domain, message, stream.addr()));
        }
    }

    /// A range begins. What a client gets for it is one more than its number: 0 stands for a failure there.
    ///
    /// # Safety
    ///
    /// The message must be null or a C string.
    pub(crate) unsafe fn range_start(&self, domain: DomainHandle, message: *const c_char, stream: Stream) -> u64 {
        // SAFETY: the caller vouches for it.
        let message = unsafe { self.text(message, "the message") };
        let id = message.and_then(|message| self.within(domain, |domain| foreign::range_start(domain, message, stream.addr())));
        id.map_or(0, |id| id.wrapping_add(1))
    }

    pub(crate) fn range_end(&self, domain: DomainHandle, id: u64) {
        // 0: it never began.
        if let Some(id) = id.checked_sub(1) {
            self.within(domain, |domain| foreign::range_end(domain, id));
        }
    }

    /// Whether a kind is the one that is known; says so, if not.
    pub(crate) fn is_known(&self, kind: c_int, known: c_int, what: &str) -> bool {
        if kind != known {
            self.wrong(format_args!("{what} {kind} is not known"));
        }
        kind == known
    }

    /// Whether a list of so many can be read.
    pub(crate) fn is_list<T>(&self, list: *const T, count: usize) -> bool {
        if list.is_null() && count > 0 {
            self.wrong(format_args!("the list of {count} regions is null"));
        } else if count > MOST {
            self.wrong(format_args!("{count} is no number of regions"));
        }
        !list.is_null() && count <= MOST
    }
}
