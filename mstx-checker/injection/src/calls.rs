//! The thirteen functions. The last argument of each is the address that the call returns to.
//!
//! A client in C may give anything: what is null, or of a kind that is not known, is named in one line, and ignored. In a forked child,
//! and at the end of the process, nothing happens.
#![allow(unsafe_code, reason = "reads what a client in C gives")]

use core::ffi::c_char;
use core::ptr::{null_mut, without_provenance_mut};

use mstx_runtime::__private::foreign::{self, Extent};
use mstx_runtime::raw::{
    DomainHandle, HEAP_USAGE_SUB_ALLOCATOR, HeapDesc, HeapHandle, REGION_REF_HANDLE, REGION_REF_POINTER, RegionRef,
    RegionsRegisterBatch, RegionsUnregisterBatch, Stream, TYPE_VIRTUAL_ADDRESS, VirtualRangeDesc,
};
use mstx_runtime::{Site, Word};

use crate::call::Call;
use crate::handles;

/// What `mstxGetToolId` answers: `MSTX` in ASCII. The tools that are known have 0x1000 to 0x1003.
const TOOL_ID: u64 = 0x4d53_5458;

static HEAP_REGISTER: Site = Site::new(Word::heap, "mstxMemHeapRegister", "mstx");
static HEAP_UNREGISTER: Site = Site::new(Word::heap_unregister, "mstxMemHeapUnregister", "mstx");
static REGIONS_REGISTER: Site = Site::new(Word::region, "mstxMemRegionsRegister", "mstx");
static REGIONS_UNREGISTER: Site = Site::new(Word::region_unregister, "mstxMemRegionsUnregister", "mstx");

fn extent(range: VirtualRangeDesc) -> Extent {
    let VirtualRangeDesc { device_id, ptr, size } = range;
    // What is too large for an address is too large in the books, too.
    Extent { device: device_id, start: ptr.addr(), size: usize::try_from(size).unwrap_or(usize::MAX) }
}

pub(crate) unsafe extern "C" fn mark(message: *const c_char, stream: Stream, returns_to: usize) {
    if let Some(call) = Call::new("mstxMarkA", returns_to) {
        // SAFETY: the client vouches for its arguments.
        unsafe { call.mark(null_mut(), message, stream) };
    }
}

pub(crate) unsafe extern "C" fn range_start(message: *const c_char, stream: Stream, returns_to: usize) -> u64 {
    let call = Call::new("mstxRangeStartA", returns_to);
    // SAFETY: the client vouches for its arguments.
    call.map_or(0, |call| unsafe { call.range_start(null_mut(), message, stream) })
}

pub(crate) unsafe extern "C" fn range_end(id: u64, returns_to: usize) {
    if let Some(call) = Call::new("mstxRangeEnd", returns_to) {
        call.range_end(null_mut(), id);
    }
}

pub(crate) unsafe extern "C" fn get_tool_id(id: *mut u64, returns_to: usize) {
    let Some(call) = Call::new("mstxGetToolId", returns_to) else { return };
    if id.is_null() {
        return call.wrong("the place for the id is null");
    }
    // SAFETY: the client vouches for its arguments.
    unsafe { id.write_unaligned(TOOL_ID) };
}

pub(crate) unsafe extern "C" fn domain_create(name: *const c_char, returns_to: usize) -> DomainHandle {
    let Some(call) = Call::new("mstxDomainCreateA", returns_to) else { return null_mut() };
    // SAFETY: the client vouches for its arguments.
    let Some(name) = (unsafe { call.text(name, "the name") }) else { return null_mut() };
    let handle = name.to_str().map_or(null_mut(), handles::domain);
    if handle.is_null() && foreign::heard() {
        let name = name.to_bytes().escape_ascii();
        call.wrong(format_args!("`{name}` is no name: 1 to 1023 of A-Z, a-z, 0-9 and _"));
    }
    handle
}

pub(crate) unsafe extern "C" fn domain_destroy(domain: DomainHandle, returns_to: usize) {
    // Its heaps and regions go on, and so does its name: it may be created again.
    if let Some(call) = Call::new("mstxDomainDestroy", returns_to) {
        let _ = call.domain(domain);
    }
}

pub(crate) unsafe extern "C" fn domain_mark(domain: DomainHandle, message: *const c_char, stream: Stream, returns_to: usize) {
    if let Some(call) = Call::new("mstxDomainMarkA", returns_to) {
        // SAFETY: the client vouches for its arguments.
        unsafe { call.mark(domain, message, stream) };
    }
}

pub(crate) unsafe extern "C" fn domain_range_start(
    domain: DomainHandle,
    message: *const c_char,
    stream: Stream,
    returns_to: usize,
) -> u64 {
    let call = Call::new("mstxDomainRangeStartA", returns_to);
    // SAFETY: the client vouches for its arguments.
    call.map_or(0, |call| unsafe { call.range_start(domain, message, stream) })
}

pub(crate) unsafe extern "C" fn domain_range_end(domain: DomainHandle, id: u64, returns_to: usize) {
    if let Some(call) = Call::new("mstxDomainRangeEnd", returns_to) {
        call.range_end(domain, id);
    }
}

/// The heap's handle is its address. One that is at fault has it, too: what follows about it is no further fault.
pub(crate) unsafe extern "C" fn heap_register(domain: DomainHandle, heap: *const HeapDesc, returns_to: usize) -> HeapHandle {
    let Some(call) = Call::new("mstxMemHeapRegister", returns_to) else { return null_mut() };
    // SAFETY: the client vouches for its arguments.
    let Some(heap) = (unsafe { call.read(heap, "the description") }) else { return null_mut() };
    if !call.is_known(heap.usage, HEAP_USAGE_SUB_ALLOCATOR, "usage") || !call.is_known(heap.ty, TYPE_VIRTUAL_ADDRESS, "type") {
        return null_mut();
    }
    let range = heap.type_specific_desc.cast::<VirtualRangeDesc>();
    // SAFETY: of this type it points to one.
    let Some(range) = (unsafe { call.read(range, "the description of the memory") }) else { return null_mut() };
    let Some(domain) = call.domain(domain) else { return null_mut() };
    foreign::heap_register(call.origin(&HEAP_REGISTER), domain, extent(range));
    range.ptr.cast_mut()
}

pub(crate) unsafe extern "C" fn heap_unregister(domain: DomainHandle, heap: HeapHandle, returns_to: usize) {
    let Some(call) = Call::new("mstxMemHeapUnregister", returns_to) else { return };
    if heap.is_null() {
        return call.wrong("the heap is null");
    }
    if let Some(domain) = call.domain(domain) {
        foreign::heap_unregister(call.origin(&HEAP_UNREGISTER), domain, heap.addr());
    }
}

pub(crate) unsafe extern "C" fn regions_register(domain: DomainHandle, batch: *const RegionsRegisterBatch, returns_to: usize) {
    let Some(call) = Call::new("mstxMemRegionsRegister", returns_to) else { return };
    // SAFETY: the client vouches for its arguments.
    let Some(batch) = (unsafe { call.read(batch, "the description") }) else { return };
    let RegionsRegisterBatch { heap, region_type, region_count, region_desc_array, region_handle_array_out } = batch;
    if !call.is_known(region_type, TYPE_VIRTUAL_ADDRESS, "type") || !call.is_list(region_desc_array, region_count) {
        return;
    }
    let Some(domain) = call.domain(domain) else { return };
    let origin = call.origin(&REGIONS_REGISTER);
    for number in 0..region_count {
        let range = region_desc_array.cast::<VirtualRangeDesc>().wrapping_add(number);
        // SAFETY: of this type the list has so many.
        let memory = extent(unsafe { range.read_unaligned() });
        let handle = handles::region(memory.start);
        foreign::region_register(origin, domain, heap.addr(), memory, handle);
        if !region_handle_array_out.is_null() {
            let out = region_handle_array_out.wrapping_add(number);
            // SAFETY: there is room for as many handles.
            unsafe { out.write_unaligned(without_provenance_mut(handle)) };
        }
    }
}

pub(crate) unsafe extern "C" fn regions_unregister(
    domain: DomainHandle,
    batch: *const RegionsUnregisterBatch,
    returns_to: usize,
) {
    let Some(call) = Call::new("mstxMemRegionsUnregister", returns_to) else { return };
    // SAFETY: the client vouches for its arguments.
    let Some(batch) = (unsafe { call.read(batch, "the description") }) else { return };
    if !call.is_list(batch.ref_array, batch.ref_count) {
        return;
    }
    let Some(domain) = call.domain(domain) else { return };
    let origin = call.origin(&REGIONS_UNREGISTER);
    for number in 0..batch.ref_count {
        // SAFETY: the list has so many.
        let RegionRef { ref_type, name } = unsafe { batch.ref_array.wrapping_add(number).read_unaligned() };
        let (start, handle) = match ref_type {
            // SAFETY: of this type it is a pointer.
            REGION_REF_POINTER => (unsafe { name.pointer }.addr(), 0),
            // SAFETY: of this type it is a handle.
            REGION_REF_HANDLE => handles::region_of(unsafe { name.handle }),
            other => {
                call.wrong(format_args!("reference type {other} is not known"));
                continue;
            }
        };
        if start == 0 {
            call.wrong("the region is null");
        } else {
            foreign::region_unregister(origin, domain, start, handle);
        }
    }
}
