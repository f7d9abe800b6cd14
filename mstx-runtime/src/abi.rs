//! The C interface: types and function signatures, by hand.
//!
//! Written after the public headers of MSTX 26.0.0; the layout is that of 64-bit Linux, and is checked below at compile time. The
//! module [`raw`](crate::raw) has these types too, the functions, and an example that uses them all.

use core::ffi::{c_char, c_int, c_uint, c_void};

/// A domain's handle; null is the default domain.
pub type DomainHandle = *mut c_void;
/// A heap's handle, as the tool gave it. msMemScope gives its address, or null.
pub type HeapHandle = *mut c_void;
/// A region's handle, as the tool gave it; null where it gives none.
pub type RegionHandle = *mut c_void;
/// A stream (`aclrtStream`); null is the host. (In `mstx`, a trait of that name says what can be one.)
pub type Stream = *mut c_void;

/// `HeapDesc::usage`: a heap of a sub-allocator.
pub const HEAP_USAGE_SUB_ALLOCATOR: c_int = 0;
/// `HeapDesc::type` and `RegionsRegisterBatch::region_type`: described by a [`VirtualRangeDesc`].
pub const TYPE_VIRTUAL_ADDRESS: c_int = 0;
/// `RegionRef::ref_type`: the region is named by its address.
pub const REGION_REF_POINTER: c_int = 0;
/// `RegionRef::ref_type`: the region is named by its handle.
pub const REGION_REF_HANDLE: c_int = 1;

/// A range of addresses of a device: a heap's, or a region's.
///
/// ```
/// use mstx_runtime::raw::VirtualRangeDesc;
///
/// let block = [0_u64; 8];
/// let range = VirtualRangeDesc { device_id: 0, ptr: block.as_ptr().cast(), size: size_of_val(&block) as u64 };
/// assert_eq!(range.size, 64);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct VirtualRangeDesc {
    /// The device; a region's is its heap's.
    pub device_id: u32,
    /// The first address.
    pub ptr: *const c_void,
    /// The size in bytes.
    pub size: u64,
}

/// A heap, as it is registered. What it points to need live during the call only. See [`raw`](crate::raw) for an example.
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

/// Regions of one heap, as they are registered. What it points to need live during the call only. See [`raw`](crate::raw) for
/// an example.
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
    /// Where the tool writes that many handles; filled with null before, and never null itself.
    pub region_handle_array_out: *mut RegionHandle,
}

/// What names a region. Which of the two it is, [`RegionRef::ref_type`] says. See [`raw`](crate::raw) for an example.
#[repr(C)]
#[derive(Clone, Copy)]
pub union RegionName {
    /// Its address.
    pub pointer: *const c_void,
    /// Its handle.
    pub handle: RegionHandle,
}

/// A reference to a region that is registered. See [`raw`](crate::raw) for an example.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RegionRef {
    /// [`REGION_REF_POINTER`] or [`REGION_REF_HANDLE`].
    pub ref_type: c_int,
    /// The address or the handle.
    pub name: RegionName,
}

/// Regions, as they are unregistered. What it points to need live during the call only. See [`raw`](crate::raw) for an example.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RegionsUnregisterBatch {
    /// How many.
    pub ref_count: usize,
    /// Points to that many [`RegionRef`].
    pub ref_array: *const RegionRef,
}

/// [`mark`](crate::raw::mark), as a tool implements it.
pub type Mark = unsafe extern "C" fn(message: *const c_char, stream: Stream);
/// [`range_start`](crate::raw::range_start), as a tool implements it.
pub type RangeStart = unsafe extern "C" fn(message: *const c_char, stream: Stream) -> u64;
/// [`range_end`](crate::raw::range_end), as a tool implements it.
pub type RangeEnd = unsafe extern "C" fn(id: u64);
/// [`get_tool_id`](crate::raw::get_tool_id), as a tool implements it.
pub type GetToolId = unsafe extern "C" fn(id: *mut u64);
/// [`domain_create`](crate::raw::domain_create), as a tool implements it.
pub type DomainCreate = unsafe extern "C" fn(name: *const c_char) -> DomainHandle;
/// [`domain_destroy`](crate::raw::domain_destroy), as a tool implements it.
pub type DomainDestroy = unsafe extern "C" fn(domain: DomainHandle);
/// [`domain_mark`](crate::raw::domain_mark), as a tool implements it.
pub type DomainMark = unsafe extern "C" fn(domain: DomainHandle, message: *const c_char, stream: Stream);
/// [`domain_range_start`](crate::raw::domain_range_start), as a tool implements it.
pub type DomainRangeStart = unsafe extern "C" fn(domain: DomainHandle, message: *const c_char, stream: Stream) -> u64;
/// [`domain_range_end`](crate::raw::domain_range_end), as a tool implements it.
pub type DomainRangeEnd = unsafe extern "C" fn(domain: DomainHandle, id: u64);
/// [`heap_register`](crate::raw::heap_register), as a tool implements it.
pub type HeapRegister = unsafe extern "C" fn(domain: DomainHandle, heap: *const HeapDesc) -> HeapHandle;
/// [`heap_unregister`](crate::raw::heap_unregister), as a tool implements it.
pub type HeapUnregister = unsafe extern "C" fn(domain: DomainHandle, heap: HeapHandle);
/// [`regions_register`](crate::raw::regions_register), as a tool implements it.
pub type RegionsRegister = unsafe extern "C" fn(domain: DomainHandle, batch: *const RegionsRegisterBatch);
/// [`regions_unregister`](crate::raw::regions_unregister), as a tool implements it.
pub type RegionsUnregister = unsafe extern "C" fn(domain: DomainHandle, batch: *const RegionsUnregisterBatch);

/// A slot for a function, as the tool sees it: the tool writes the function's address there.
pub type Slot = *mut c_void;
/// What hands out the slots of a module: 0 for success, 1 for failure (there is no such module).
///
/// `table` is filled with the address of an array of pointers to slots, whose index is the function's number, and `size` with
/// the highest number plus one. The array lives as long as the process; the tool writes while it initialises, and never later.
///
/// | module | 1 | 2 | 3 | 4 | 5 |
/// |---|---|---|---|---|---|
/// | 1 | `mark` | `range_start` | `range_end` | `get_tool_id` | |
/// | 2 | `domain_create` | `domain_destroy` | `domain_mark` | `domain_range_start` | `domain_range_end` |
/// | 3 | `heap_register` | `heap_unregister` | `regions_register` | `regions_unregister` | |
pub type Getter = unsafe extern "C" fn(module: c_int, table: *mut *mut *mut Slot, size: *mut c_uint) -> c_int;
/// `InitInjectionMstx`, the one function that a tool's library exports: 0 for success. It is called before the first event.
///
/// A process with several clients (other libraries that use MSTX) calls it once for each.
///
/// A tool in Rust, in a crate of the type `cdylib`:
///
/// ```standalone_crate
/// use std::ffi::{CStr, c_char, c_int};
/// use std::ptr::null_mut;
///
/// use mstx_runtime::raw::{Getter, Slot, Stream};
///
/// unsafe extern "C" fn mark(message: *const c_char, _: Stream) {
///     // SAFETY: a C string, which lives during the call.
///     eprintln!("mark: {:?}", unsafe { CStr::from_ptr(message) });
/// }
///
/// # #[allow(non_snake_case)]
/// #[unsafe(no_mangle)]
/// pub unsafe extern "C" fn InitInjectionMstx(getter: Getter) -> c_int {
///     let (mut slots, mut size) = (null_mut::<*mut Slot>(), 0);
///     // SAFETY: both are valid for the write.
///     if unsafe { getter(1, &mut slots, &mut size) } != 0 || size <= 1 {
///         return 1;
///     }
///     // SAFETY: the array has `size` elements, and 1 is the number of `mark`.
///     unsafe { **slots.add(1) = mark as Slot };
///     0
/// }
/// #
/// # unsafe extern "C" fn none(_: c_int, _: *mut *mut *mut Slot, _: *mut u32) -> c_int {
/// #     1
/// # }
/// # unsafe extern "C" fn one(module: c_int, table: *mut *mut *mut Slot, size: *mut u32) -> c_int {
/// #     assert_eq!(module, 1);
/// #     let slots: *mut *mut Slot = Box::leak(Box::new([0; 5].map(|_| &raw mut *Box::leak(Box::new(null_mut()))))).as_mut_ptr();
/// #     unsafe { (*table, *size) = (slots, 5) };
/// #     0
/// # }
/// # let init: mstx_runtime::raw::InitInjection = InitInjectionMstx;
/// # assert_eq!((unsafe { init(none) }, unsafe { init(one) }), (1, 0));
/// ```
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
