//! The C interface itself, for those who need it: the thirteen functions of the injected tool.
//!
//! They go past the books: the runtime neither knows of what is done here nor checks it. One call at a time reaches the
//! tool. Where no tool listens, or it does not implement a function, nothing happens and null or 0 is returned.
//!
//! ```
//! use mstx_runtime::raw;
//!
//! let mut id = 0;
//! // SAFETY: `id` is valid for the write.
//! unsafe { raw::get_tool_id(&mut id) };
//! assert_eq!(id, 0); // no tool
//! ```
#![allow(unsafe_code, reason = "calls foreign code")]

use core::ffi::c_char;
use core::ptr::null_mut;

pub use crate::abi::*;
use crate::backend;

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $otherwise:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// Pointers must be valid for the call, and handles such as the tool returned and still knows, as the tool's
        /// documentation says.
        pub unsafe fn $name($($argument: $type),*) $(-> $result)? {
            // SAFETY: the caller vouches for the arguments.
            let answer = unsafe {
                backend::raw::call(|functions| &functions.$name, |function| function($($argument),*))
            };
            answer.unwrap_or($otherwise)
        }
    )*};
}

functions! {
    /// A mark in the default domain.
    mark(message: *const c_char, stream: Stream) = ();
    /// A range in the default domain begins.
    range_start(message: *const c_char, stream: Stream) -> u64 = 0;
    /// A range of the default domain ends.
    range_end(id: u64) = ();
    /// Asks the tool what it is.
    get_tool_id(id: *mut u64) = ();
    /// A domain of this name; null on failure. One real tool answers null to the second creation of one name.
    domain_create(name: *const c_char) -> DomainHandle = null_mut();
    /// A domain goes.
    domain_destroy(domain: DomainHandle) = ();
    /// A mark in a domain.
    domain_mark(domain: DomainHandle, message: *const c_char, stream: Stream) = ();
    /// A range in a domain begins.
    domain_range_start(domain: DomainHandle, message: *const c_char, stream: Stream) -> u64 = 0;
    /// A range of a domain ends.
    domain_range_end(domain: DomainHandle, id: u64) = ();
    /// A heap begins; null on failure, and from one real tool always.
    heap_register(domain: DomainHandle, heap: *const HeapDesc) -> HeapHandle = null_mut();
    /// A heap ends.
    heap_unregister(domain: DomainHandle, heap: HeapHandle) = ();
    /// Regions begin.
    regions_register(domain: DomainHandle, batch: *const RegionsRegisterBatch) = ();
    /// Regions end.
    regions_unregister(domain: DomainHandle, batch: *const RegionsUnregisterBatch) = ();
}
