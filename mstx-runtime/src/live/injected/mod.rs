//! The injected tool: a C library that the user puts into the process.
//!
//! Here is what a client must do to work with all known tools; the rules about order, overlap and zero sizes are the books'.
#![allow(unsafe_code, reason = "calls foreign code")]

pub(crate) mod load;
pub(crate) mod table;

use core::ffi::{CStr, c_void};
use core::ptr::{from_ref, null_mut, without_provenance, without_provenance_mut};
use core::slice;

use crate::abi::{
    HEAP_USAGE_SUB_ALLOCATOR, HeapDesc, HeapHandle, REGION_REF_HANDLE, REGION_REF_POINTER, RegionName, RegionRef,
    RegionsRegisterBatch, RegionsUnregisterBatch, TYPE_VIRTUAL_ADDRESS, VirtualRangeDesc,
};
use self::table::FUNCTIONS;
use super::memory::{Vec, vec};
use crate::tool::{Handle, Tool, ToolDomain, ToolHeap, ToolRegion};

/// Calls the slots that the tool has filled. A slot that it left empty is a function that it does not implement.
#[derive(Debug)]
pub(crate) struct Injected;

/// The tool that was injected.
pub(crate) static INJECTED: Injected = Injected;

/// A handle as the tool gave it.
fn pointer(handle: Handle) -> *mut c_void {
    without_provenance_mut(handle.0)
}

/// A heap's handle. A tool that answers null wants the address instead.
fn heap_handle(heap: &ToolHeap<'_>) -> HeapHandle {
    if heap.handle.is_none() { without_provenance_mut(heap.start) } else { pointer(heap.handle) }
}

fn range(device_id: u32, start: usize, size: usize) -> VirtualRangeDesc {
    VirtualRangeDesc { device_id, ptr: without_provenance(start), size: size as u64 }
}

/// What the interface wants as an array, without an allocation for one item.
fn with_array<T, U: Copy, R>(items: &[T], convert: impl Fn(&T) -> U, then: impl FnOnce(&mut [U]) -> R) -> Option<R> {
    if let [item] = items {
        return Some(then(&mut [convert(item)]));
    }
    let mut array: Vec<U> = vec();
    array.try_reserve_exact(items.len()).ok()?;
    array.extend(items.iter().map(convert));
    Some(then(&mut array))
}

impl Injected {
    /// What the tool says it is; 0 where it does not say.
    pub(crate) fn id() -> u64 {
        let mut id = 0;
        // SAFETY: the user vouches for the tool.
        if let Some(get_tool_id) = unsafe { FUNCTIONS.get_tool_id.get() } {
            // SAFETY: `id` is valid for the write.
            unsafe { get_tool_id(&raw mut id) };
        }
        id
    }
}

impl Injected {
    /// Registers regions of one heap, or of none, and writes down their handles.
    fn register(domain: Handle, heap: Handle, regions: &[ToolRegion], handles: &mut [Handle]) {
        // SAFETY: the user vouches for the tool.
        let Some(register) = (unsafe { FUNCTIONS.regions_register.get() }) else { return };
        let describe = |region: &ToolRegion| range(region.device, region.start, region.size);
        let _ = with_array(regions, describe, |ranges| {
            with_array(regions, |_| null_mut(), |out| {
                let batch = RegionsRegisterBatch {
                    heap: pointer(heap),
                    region_type: TYPE_VIRTUAL_ADDRESS,
                    region_count: ranges.len(),
                    region_desc_array: ranges.as_ptr().cast(),
                    region_handle_array_out: out.as_mut_ptr(),
                };
                // SAFETY: the arrays are as long as they are said to be, and live during the call.
                unsafe { register(pointer(domain), &raw const batch) };
                for (handle, out) in handles.iter_mut().zip(out) {
                    *handle = Handle(out.addr());
                }
            })
        });
    }

    /// Unregisters regions: by handle where the tool wrote one, by address where it wrote none.
    fn unregister(domain: Handle, regions: &[ToolRegion]) {
        // SAFETY: the user vouches for the tool.
        let Some(unregister) = (unsafe { FUNCTIONS.regions_unregister.get() }) else { return };
        let refer = |region: &ToolRegion| {
            if region.handle.is_none() {
                let name = RegionName { pointer: without_provenance(region.start) };
                RegionRef { ref_type: REGION_REF_POINTER, name }
            } else {
                RegionRef { ref_type: REGION_REF_HANDLE, name: RegionName { handle: pointer(region.handle) } }
            }
        };
        let _ = with_array(regions, refer, |refs| {
            let batch = RegionsUnregisterBatch { ref_count: refs.len(), ref_array: refs.as_ptr() };
            // SAFETY: the array is as long as it is said to be, and lives during the call.
            unsafe { unregister(pointer(domain), &raw const batch) };
        });
    }

    /// Registers one region. Returns its handle.
    pub(crate) fn region_register(domain: Handle, heap: Handle, region: &ToolRegion) -> Handle {
        let mut handles = [Handle::NONE];
        Self::register(domain, heap, slice::from_ref(region), &mut handles);
        handles[0]
    }

    /// Unregisters one region.
    pub(crate) fn region_unregister(domain: Handle, region: &ToolRegion) {
        Self::unregister(domain, slice::from_ref(region));
    }
}

impl Tool for Injected {
    fn wants_host(&self) -> bool {
        // SAFETY: a tool that knows of our own module has put the right function there.
        let wants = unsafe { FUNCTIONS.wants_host.get() };
        // SAFETY: it has no conditions.
        wants.is_some_and(|wants| unsafe { wants() } != 0)
    }

    fn domain_create(&self, name: &CStr) -> Handle {
        // SAFETY: the user vouches for the tool.
        let create = unsafe { FUNCTIONS.domain_create.get() };
        // SAFETY: the name is a C string and outlives the process.
        create.map_or(Handle::NONE, |create| Handle(unsafe { create(name.as_ptr()) }.addr()))
    }

    fn heap_register(&self, heap: &ToolHeap<'_>) -> Handle {
        // SAFETY: the user vouches for the tool.
        let Some(register) = (unsafe { FUNCTIONS.heap_register.get() }) else { return Handle::NONE };
        let range = range(heap.device, heap.start, heap.size);
        let desc = HeapDesc {
            usage: HEAP_USAGE_SUB_ALLOCATOR,
            ty: TYPE_VIRTUAL_ADDRESS,
            type_specific_desc: from_ref(&range).cast(),
        };
        // SAFETY: the descriptor lives during the call.
        Handle(unsafe { register(pointer(heap.domain.handle), &raw const desc) }.addr())
    }

    fn heap_unregister(&self, heap: &ToolHeap<'_>) {
        // SAFETY: the user vouches for the tool.
        if let Some(unregister) = unsafe { FUNCTIONS.heap_unregister.get() } {
            // SAFETY: the heap is registered and is unregistered once.
            unsafe { unregister(pointer(heap.domain.handle), heap_handle(heap)) };
        }
    }

    fn regions_register(
        &self,
        domain: ToolDomain<'_>,
        heap: Option<&ToolHeap<'_>>,
        regions: &[ToolRegion],
        handles: &mut [Handle],
    ) {
        Self::register(domain.handle, heap.map_or(Handle::NONE, |heap| heap.handle), regions, handles);
    }

    fn regions_unregister(&self, domain: ToolDomain<'_>, _: Option<&ToolHeap<'_>>, regions: &[ToolRegion]) {
        Self::unregister(domain.handle, regions);
    }

    fn mark(&self, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) {
        let stream = without_provenance_mut(stream);
        if let Some(domain) = domain {
            // SAFETY: the user vouches for the tool.
            if let Some(mark) = unsafe { FUNCTIONS.domain_mark.get() } {
                // SAFETY: the message is a C string and lives during the call.
                unsafe { mark(pointer(domain.handle), message.as_ptr(), stream) };
            }
            return;
        }
        // SAFETY: the user vouches for the tool.
        if let Some(mark) = unsafe { FUNCTIONS.mark.get() } {
            // SAFETY: the message is a C string and lives during the call.
            unsafe { mark(message.as_ptr(), stream) };
        }
    }

    fn range_start(&self, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) -> u64 {
        let stream = without_provenance_mut(stream);
        if let Some(domain) = domain {
            // SAFETY: the user vouches for the tool.
            let start = unsafe { FUNCTIONS.domain_range_start.get() };
            // SAFETY: the message is a C string and lives during the call.
            return start.map_or(0, |start| unsafe { start(pointer(domain.handle), message.as_ptr(), stream) });
        }
        // SAFETY: the user vouches for the tool.
        let start = unsafe { FUNCTIONS.range_start.get() };
        // SAFETY: the message is a C string and lives during the call.
        start.map_or(0, |start| unsafe { start(message.as_ptr(), stream) })
    }

    fn range_end(&self, domain: Option<ToolDomain<'_>>, id: u64) {
        if let Some(domain) = domain {
            // SAFETY: the user vouches for the tool.
            if let Some(end) = unsafe { FUNCTIONS.domain_range_end.get() } {
                // SAFETY: the range was started in this domain.
                unsafe { end(pointer(domain.handle), id) };
            }
            return;
        }
        // SAFETY: the user vouches for the tool.
        if let Some(end) = unsafe { FUNCTIONS.range_end.get() } {
            // SAFETY: the range was started.
            unsafe { end(id) };
        }
    }
}
