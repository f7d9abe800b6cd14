//! The C interface itself, for those who need it: the thirteen functions of the injected tool.
//!
//! They go past the books: the runtime neither knows of what is done here nor checks it, and tools in the process are not told.
//! Do not speak of one heap both here and elsewhere: the tool would be told twice. One call at a time reaches the tool,
//! whichever thread it comes from. Where no tool listens, or it does not implement a function, nothing happens and null or 0 is
//! returned.
//!
//! What is said here of the interface is from the public headers of MSTX 26.0.0, and what is said of tools was measured with
//! msSanitizer and msMemScope of that time.
//!
//! ```
//! use mstx_runtime::raw;
//!
//! let mut id = 0;
//! // SAFETY: `id` is valid for the write.
//! unsafe { raw::get_tool_id(&mut id) };
//! assert_eq!(id, 0); // no tool
//! ```
//!
//! A heap with one region, from its beginning to its end:
//!
//! ```
//! use std::ffi::c_void;
//! use std::ptr::{from_ref, null_mut};
//!
//! use mstx_runtime::raw::{
//!     self, HEAP_USAGE_SUB_ALLOCATOR, HeapDesc, REGION_REF_HANDLE, REGION_REF_POINTER, RegionHandle, RegionName, RegionRef,
//!     RegionsRegisterBatch, RegionsUnregisterBatch, TYPE_VIRTUAL_ADDRESS, VirtualRangeDesc,
//! };
//!
//! # fn pool(start: *const c_void) {
//! // SAFETY: a C string.
//! let domain = unsafe { raw::domain_create(c"pool".as_ptr()) };
//!
//! let memory = VirtualRangeDesc { device_id: 0, ptr: start, size: 4096 };
//! let desc = HeapDesc {
//!     usage: HEAP_USAGE_SUB_ALLOCATOR,
//!     ty: TYPE_VIRTUAL_ADDRESS,
//!     type_specific_desc: from_ref(&memory).cast(),
//! };
//! // SAFETY: the descriptor and what it points to live during the call.
//! let heap = unsafe { raw::heap_register(domain, &desc) };
//!
//! let region = VirtualRangeDesc { device_id: 0, ptr: start, size: 64 };
//! let mut handle: RegionHandle = null_mut(); // a tool that writes none leaves it null
//! let batch = RegionsRegisterBatch {
//!     heap,
//!     region_type: TYPE_VIRTUAL_ADDRESS,
//!     region_count: 1,
//!     region_desc_array: from_ref(&region).cast(),
//!     region_handle_array_out: &mut handle,
//! };
//! // SAFETY: both arrays have one element, and live during the call.
//! unsafe { raw::regions_register(domain, &batch) };
//!
//! let region = if handle.is_null() {
//!     RegionRef { ref_type: REGION_REF_POINTER, name: RegionName { pointer: start } }
//! } else {
//!     RegionRef { ref_type: REGION_REF_HANDLE, name: RegionName { handle } }
//! };
//! let batch = RegionsUnregisterBatch { ref_count: 1, ref_array: &region };
//! // SAFETY: the region is registered, and the array has one element.
//! unsafe { raw::regions_unregister(domain, &batch) };
//!
//! // Where a tool answers no handle, the heap's address stands for it.
//! let heap = if heap.is_null() { start.cast_mut() } else { heap };
//! // SAFETY: the heap is registered.
//! unsafe { raw::heap_unregister(domain, heap) };
//! # assert!(domain.is_null() && handle.is_null()); // no tool
//! # }
//! # pool(0x12c0_0000_0000_usize as *const c_void);
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
    /// A mark in the default domain. `message` is NUL-terminated, of up to 156 bytes for msprof, up to 255 for mspti. msMemScope
    /// aborts the process where it is null.
    ///
    /// ```
    /// // SAFETY: a C string; no stream.
    /// unsafe { mstx_runtime::raw::mark(c"step 7".as_ptr(), std::ptr::null_mut()) };
    /// ```
    mark(message: *const c_char, stream: Stream) = ();
    /// A range in the default domain begins. Returns its number, for [`range_end`]; 0 on failure, and not only then: end it all
    /// the same.
    ///
    /// ```
    /// use mstx_runtime::raw;
    ///
    /// // SAFETY: a C string; no stream.
    /// let id = unsafe { raw::range_start(c"step".as_ptr(), std::ptr::null_mut()) };
    /// // SAFETY: begun above.
    /// unsafe { raw::range_end(id) };
    /// # assert_eq!(id, 0); // no tool
    /// ```
    range_start(message: *const c_char, stream: Stream) -> u64 = 0;
    /// A range of the default domain ends. `id` is what [`range_start`] returned.
    range_end(id: u64) = ();
    /// Asks the tool what it is: 0x1000 msprof or mspti, 0x1001 msopprof, 0x1002 msSanitizer, 0x1003 msLeaks. A tool that
    /// does not implement this (msMemScope) leaves `id` as it is. See [`raw`](crate::raw) for an example.
    get_tool_id(id: *mut u64) = ();
    /// A domain of this name (1 to 1023 bytes of `[A-Za-z0-9_]`, and a NUL); null on failure. One real tool answers null to the
    /// second creation of one name, so do not create a domain that is also declared with [`domain!`](crate::domain!).
    /// msSanitizer aborts the process where the name is null. See [`raw`](crate::raw) for an example.
    domain_create(name: *const c_char) -> DomainHandle = null_mut();
    /// A domain goes. Neither msSanitizer nor msMemScope implements this.
    domain_destroy(domain: DomainHandle) = ();
    /// A mark in a domain; see [`mark`]. Neither msSanitizer nor msMemScope implements this.
    domain_mark(domain: DomainHandle, message: *const c_char, stream: Stream) = ();
    /// A range in a domain begins; see [`range_start`]. Neither msSanitizer nor msMemScope implements this.
    domain_range_start(domain: DomainHandle, message: *const c_char, stream: Stream) -> u64 = 0;
    /// A range of a domain ends; see [`range_end`]. Neither msSanitizer nor msMemScope implements this.
    domain_range_end(domain: DomainHandle, id: u64) = ();
    /// A heap begins; null on failure, and from one real tool always. Its memory must have been obtained, and may not be
    /// accessed until regions are registered. See [`raw`](crate::raw) for an example.
    heap_register(domain: DomainHandle, heap: *const HeapDesc) -> HeapHandle = null_mut();
    /// A heap ends, before its memory is given back, and after its regions have ended. `heap` is its handle, or its address where
    /// the tool answered none. See [`raw`](crate::raw) for an example.
    heap_unregister(domain: DomainHandle, heap: HeapHandle) = ();
    /// Regions of one heap begin. The array for the handles may not be missing, and is to be filled with null: msSanitizer
    /// drops the whole batch without it, and msMemScope can crash. See [`raw`](crate::raw) for an example.
    regions_register(domain: DomainHandle, batch: *const RegionsRegisterBatch) = ();
    /// Regions end, of any heap of the domain. They are named by their handles where the tool wrote one, by address where not.
    /// See [`raw`](crate::raw) for an example.
    regions_unregister(domain: DomainHandle, batch: *const RegionsUnregisterBatch) = ();
}
