//! The C interface: types and function signatures, by hand.
//!
//! Written after the public headers of MSTX 26.0.0; the layout is that of 64-bit Linux, and is checked below at compile time.

use core::ffi::{c_char, c_int, c_uint, c_void};

/// A domain's handle; null is the default domain.
pub type DomainHandle = *mut c_void;
/// A heap's handle.
pub type HeapHandle = *mut c_void;
/// A region's handle.
pub type RegionHandle = *mut c_void;
/// A stream (`aclrtStream`); null is the host.
pub type Stream = *mut c_void;

/// `HeapDesc::usage`: a heap of a sub-allocator.
pub const HEAP_USAGE_SUB_ALLOCATOR: c_int = 0;
/// `HeapDesc::type` and `RegionsRegisterBatch::region_type`: described by a [`VirtualRangeDesc`].
pub const TYPE_VIRTUAL_ADDRESS: c_int = 0;
/// `RegionRef::ref_type`: the region is named by its address.
pub const REGION_REF_POINTER: c_int = 0;
/// `RegionRef::ref_type`: the region is named by its handle.
pub const REGION_REF_HANDLE: c_int = 1;

/// A range of addresses of a device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct VirtualRangeDesc {
    /// The device.
    pub device_id: u32,
    /// The first address.
    pub ptr: *const c_void,
    /// The size in bytes.
    pub size: u64,
}

/// A heap, as it is registered.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HeapDesc {
    /// [`HEAP_USAGE_SUB_ALLOCATOR`].
    pub usage: c_int,
    /// [`TYPE_VIRTUAL_ADDRESS`].
    pub ty: c_int,
    /// Points to one [`VirtualRangeDesc`].
    pub type_specific_desc: *const c_void,
}

/// Regions of one heap, as they are registered.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RegionsRegisterBatch {
    /// The heap; null for none.
    pub heap: HeapHandle,
    /// [`TYPE_VIRTUAL_ADDRESS`].
    pub region_type: c_int,
    /// How many regions.
    pub region_count: usize,
    /// Points to that many [`VirtualRangeDesc`].
    pub region_desc_array: *const c_void,
    /// Where the tool writes that many handles.
    pub region_handle_array_out: *mut RegionHandle,
}

/// What names a region.
#[repr(C)]
#[derive(Clone, Copy)]
pub union RegionName {
    /// Its address.
    pub pointer: *const c_void,
    /// Its handle.
    pub handle: RegionHandle,
}

/// A reference to a region.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RegionRef {
    /// [`REGION_REF_POINTER`] or [`REGION_REF_HANDLE`].
    pub ref_type: c_int,
    /// The address or the handle.
    pub name: RegionName,
}

/// Regions, as they are unregistered.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RegionsUnregisterBatch {
    /// How many.
    pub ref_count: usize,
    /// Points to that many.
    pub ref_array: *const RegionRef,
}

/// `mark`.
pub type Mark = unsafe extern "C" fn(message: *const c_char, stream: Stream);
/// `range_start`.
pub type RangeStart = unsafe extern "C" fn(message: *const c_char, stream: Stream) -> u64;
/// `range_end`.
pub type RangeEnd = unsafe extern "C" fn(id: u64);
/// `get_tool_id`.
pub type GetToolId = unsafe extern "C" fn(id: *mut u64);
/// `domain_create`.
pub type DomainCreate = unsafe extern "C" fn(name: *const c_char) -> DomainHandle;
/// `domain_destroy`.
pub type DomainDestroy = unsafe extern "C" fn(domain: DomainHandle);
/// `domain_mark`.
pub type DomainMark = unsafe extern "C" fn(domain: DomainHandle, message: *const c_char, stream: Stream);
/// `domain_range_start`.
pub type DomainRangeStart = unsafe extern "C" fn(domain: DomainHandle, message: *const c_char, stream: Stream) -> u64;
/// `domain_range_end`.
pub type DomainRangeEnd = unsafe extern "C" fn(domain: DomainHandle, id: u64);
/// `heap_register`.
pub type HeapRegister = unsafe extern "C" fn(domain: DomainHandle, heap: *const HeapDesc) -> HeapHandle;
/// `heap_unregister`.
pub type HeapUnregister = unsafe extern "C" fn(domain: DomainHandle, heap: HeapHandle);
/// `regions_register`.
pub type RegionsRegister = unsafe extern "C" fn(domain: DomainHandle, batch: *const RegionsRegisterBatch);
/// `regions_unregister`.
pub type RegionsUnregister = unsafe extern "C" fn(domain: DomainHandle, batch: *const RegionsUnregisterBatch);

/// A slot for a function, as the tool sees it.
pub type Slot = *mut c_void;
/// What hands out the slots of a module: 0 for success, 1 for failure.
pub type Getter = unsafe extern "C" fn(module: c_int, table: *mut *mut *mut Slot, size: *mut c_uint) -> c_int;
/// `InitInjectionMstx`: 0 for success.
pub type InitInjection = unsafe extern "C" fn(getter: Getter) -> c_int;

#[cfg(target_pointer_width = "64")]
const _: () = {
    use core::mem::offset_of;
    assert!(size_of::<VirtualRangeDesc>() == 24);
    assert!(offset_of!(VirtualRangeDesc, device_id) == 0);
    assert!(offset_of!(VirtualRangeDesc, ptr) == 8);
    assert!(offset_of!(VirtualRangeDesc, size) == 16);
    assert!(size_of::<HeapDesc>() == 16);
    assert!(offset_of!(HeapDesc, usage) == 0);
    assert!(offset_of!(HeapDesc, ty) == 4);
    assert!(offset_of!(HeapDesc, type_specific_desc) == 8);
    assert!(size_of::<RegionsRegisterBatch>() == 40);
    assert!(offset_of!(RegionsRegisterBatch, heap) == 0);
    assert!(offset_of!(RegionsRegisterBatch, region_type) == 8);
    assert!(offset_of!(RegionsRegisterBatch, region_count) == 16);
    assert!(offset_of!(RegionsRegisterBatch, region_desc_array) == 24);
    assert!(offset_of!(RegionsRegisterBatch, region_handle_array_out) == 32);
    assert!(size_of::<RegionRef>() == 16);
    assert!(offset_of!(RegionRef, ref_type) == 0);
    assert!(offset_of!(RegionRef, name) == 8);
    assert!(size_of::<RegionsUnregisterBatch>() == 16);
    assert!(offset_of!(RegionsUnregisterBatch, ref_count) == 0);
    assert!(offset_of!(RegionsUnregisterBatch, ref_array) == 8);
};
