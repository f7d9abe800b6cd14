//! The runtime of [`mstx`]: use it through that crate.
//!
//! Where reporting is switched off (by the features, see [`BUILD`]), what is left of it has no code.
//!
//! [`mstx`]: https://docs.rs/mstx
#![no_std]
#![deny(unsafe_code)]
#![warn(clippy::pedantic)]
#![allow(clippy::inline_always, reason = "that nobody listening costs next to nothing is promised")]

extern crate alloc;

/// Items for builds in which reporting is on. The only place that says when that is, besides `BUILD`.
macro_rules! where_on {
    ($($item:item)*) => {$(
        #[cfg(all(
            feature = "rt",
            any(feature = "on", not(any(feature = "off", all(feature = "release_off", not(debug_assertions)))))
        ))]
        $item
    )*};
}

/// Items for builds in which it is off.
macro_rules! where_off {
    ($($item:item)*) => {$(
        #[cfg(not(all(
            feature = "rt",
            any(feature = "on", not(any(feature = "off", all(feature = "release_off", not(debug_assertions)))))
        )))]
        $item
    )*};
}

pub mod abi;
mod api;
mod declare;
mod domain;
mod fault;
mod label;
mod probe;
pub mod raw;
mod site;
mod status;
mod tool;
mod value;

#[cfg(feature = "rt")]
extern crate std;
#[cfg(feature = "rt")]
mod listed;

where_on! {
    mod live;
    use live::backend;
}

where_off! {
    mod off;
    use off as backend;
}

pub use self::api::{
    Heap, HeapOptions, allocator_internal, attach, batch, domains, fault_count, faults, flush, init, mark, mark_on, range,
    range_on, register_region, sites, status, unregister_region,
};
pub use self::backend::Range;
pub use self::domain::Domain;
pub use self::fault::{Fault, FaultHeap, FaultKind, FaultRegion, FaultThread};
pub use self::label::Label;
pub use self::site::{Origin, Site, Word};
pub use self::status::{Answer, BUILD, Build, DomainInfo, Refusal, Status, ToolStatus};
pub use self::tool::{Handle, Place, Tool, ToolDomain, ToolHeap, ToolRegion};
pub use self::value::{AsDomain, AsHeap, Device, HeapKey, KnowsSize, Regions, Report, Size, Stream};

use self::backend::Spans;

/// What the attributes' expansions use. Not public API.
#[doc(hidden)]
pub mod __private {
    pub use core::module_path;
    pub use core::option::Option::{self, None, Some};

    pub use crate::backend::{
        Batch, Body, Call, HeapResize, Internal, Range, Release, Resize, Spans, Suspend, does_listen, is_kept, listening,
        may_listen,
    };
    pub use crate::declare::{Builtin, Declared, Linked};
    pub use crate::label::FloorBoundary;
    #[cfg(feature = "rt")]
    pub use crate::listed::Listed;
    pub use crate::probe::probe;
    pub use crate::tool::Visit;

    pub use crate::{__around as around, __awaiting as awaiting, __domain as domain, __heard as heard, __site as site, flush};

    where_on! {
        pub use inventory;
        pub use crate::live::foreign;
    }

    /// Who released the region that started at an address last, of the latest 256 releases. It waits for whoever reports just now.
    #[must_use]
    pub fn last_release(start: usize) -> Option<crate::Origin> {
        crate::backend::last_release(start)
    }

    /// Shows what is live in the books: the regions of no heap, and each heap with its regions. Nothing while nobody listens.
    pub fn show_live(visit: &mut Visit<'_>) {
        crate::backend::show(None, visit);
    }

    /// The same for the heap that a key means. Where heaps of several domains start there, it shows all of these.
    pub fn show_live_in(key: crate::HeapKey, visit: &mut Visit<'_>) {
        crate::backend::show(Some(key), visit);
    }

    /// Runs a body that is a closure, out of sight of lints about closures that are called at once.
    #[inline(always)]
    pub fn run<R>(body: impl FnOnce() -> R) -> R {
        body()
    }

    /// Something is about to be awaited: until it is ready, what the thread does is not the allocator's own.
    #[inline(always)]
    pub fn suspended(call: &impl Suspend) {
        call.suspend();
    }

    /// It is ready, and the body goes on.
    #[inline(always)]
    pub fn resumed(call: &impl Suspend) {
        call.resume();
    }

    /// A value of any type, in a branch that is never taken: it keeps the compiler from seeing that a body never returns.
    #[cold]
    #[must_use]
    #[expect(clippy::panic, reason = "never called")]
    pub fn never<T>() -> T {
        panic!("never called")
    }
}
