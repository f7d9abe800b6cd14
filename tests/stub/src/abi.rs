//! The C interface, declared here once more on purpose: the stub shares no code with what it tests.
//!
//! Handles and addresses are plain integers of pointer size. The stub never follows them, and as integers they can be
//! kept in its books, compared and printed.

use std::ffi::{c_char, c_int, c_uint};

/// A domain, heap or region handle: whatever this library returned, or null.
pub(crate) type Handle = usize;

/// A function as it stands in a slot; each is cast from its real type.
pub(crate) type Function = unsafe extern "C" fn();

/// The place in the client that holds one function, or null.
pub(crate) type Slot = Option<Function>;

/// Hands out a module's array of pointers to slots, and its size.
pub(crate) type Getter = unsafe extern "C" fn(module: c_int, table: *mut *mut *mut Slot, size: *mut c_uint) -> c_int;

/// What `InitInjectionMstx` and the getter return.
pub(crate) const SUCCESS: c_int = 0;
/// See [`SUCCESS`].
pub(crate) const FAILURE: c_int = 1;

/// The modules' numbers, in order.
pub(crate) const MODULES: [c_int; 3] = [CORE, DOMAIN, MEMORY];
pub(crate) const CORE: c_int = 1;
pub(crate) const DOMAIN: c_int = 2;
pub(crate) const MEMORY: c_int = 3;

/// The sizes that the modules of [`MODULES`] are offered with: the highest function number and one.
pub(crate) const SIZES: [c_uint; 3] = [5, 6, 5];

/// `VirtualRangeDesc`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct VirtualRangeDesc {
    pub(crate) device: u32,
    pub(crate) ptr: usize,
    pub(crate) size: u64,
}

/// `HeapDesc`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct HeapDesc {
    pub(crate) usage: c_int,
    pub(crate) kind: c_int,
    pub(crate) range: *const VirtualRangeDesc,
}

/// `RegionsRegisterBatch`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RegionsRegisterBatch {
    pub(crate) heap: Handle,
    pub(crate) kind: c_int,
    pub(crate) count: usize,
    pub(crate) ranges: *const VirtualRangeDesc,
    pub(crate) handles: *mut Handle,
}

/// `RegionRef`; the union's two members are of one size, so one field reads either.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RegionRef {
    pub(crate) kind: c_int,
    pub(crate) target: usize,
}

/// [`RegionRef::kind`]: the target is the region's address.
pub(crate) const BY_POINTER: c_int = 0;
/// [`RegionRef::kind`]: the target is the region's handle.
pub(crate) const BY_HANDLE: c_int = 1;

/// `RegionsUnregisterBatch`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RegionsUnregisterBatch {
    pub(crate) count: usize,
    pub(crate) refs: *const RegionRef,
}

/// `PermissionsAssignRegionsDesc`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PermissionsAssignRegionsDesc {
    pub(crate) flags: u32,
    pub(crate) region: RegionRef,
}

/// `PermissionsAssignBatch`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PermissionsAssignBatch {
    pub(crate) count: usize,
    pub(crate) regions: *const PermissionsAssignRegionsDesc,
}

/// A C string as it comes in.
pub(crate) type Text = *const c_char;

const _: () = assert!(size_of::<VirtualRangeDesc>() == 24);
const _: () = assert!(size_of::<HeapDesc>() == 16);
const _: () = assert!(size_of::<RegionsRegisterBatch>() == 40);
const _: () = assert!(size_of::<RegionRef>() == 16);
const _: () = assert!(size_of::<RegionsUnregisterBatch>() == 16);
const _: () = assert!(size_of::<PermissionsAssignRegionsDesc>() == 24);
const _: () = assert!(size_of::<PermissionsAssignBatch>() == 16);
