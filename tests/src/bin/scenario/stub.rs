//! Asks the stub tool, if it was injected.

use std::ffi::{CStr, CString, c_int, c_void};
use std::mem::transmute_copy;

/// Kinds of calls, as the stub numbers them.
pub(crate) const REGIONS_REGISTERED: u32 = 16;
pub(crate) const REGIONS_UNREGISTERED: u32 = 17;

/// A function of the stub's; none where the stub is not there.
fn function<F: Copy>(name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    let path = CString::new(std::env::var_os("MSTX_INJECTION_PATH")?.into_encoded_bytes()).ok()?;
    // SAFETY: the path is a C string. With RTLD_NOLOAD nothing is loaded.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if library.is_null() {
        return None;
    }
    // SAFETY: the handle is that of a library, and the name a C string.
    let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
    // SAFETY: `F` is a function pointer; the callers here say its type as the stub declares it.
    (!symbol.is_null()).then(|| unsafe { transmute_copy::<*mut c_void, F>(&symbol) })
}

/// How many calls of a kind there were.
pub(crate) fn calls(kind: u32) -> u64 {
    function::<extern "C" fn(u32) -> u64>(c"mstx_stub_calls").map_or(0, |calls| calls(kind))
}

/// The live regions by the tool's books: start and size, in order.
pub(crate) fn live() -> Vec<(u64, u64)> {
    let live = function::<unsafe extern "C" fn(*mut [u64; 3], usize) -> usize>(c"mstx_stub_live");
    let Some(live) = live else { return Vec::new() };
    let mut regions = vec![[0; 3]; 4096];
    // SAFETY: there is room for as many as is said.
    let count = unsafe { live(regions.as_mut_ptr(), regions.len()) };
    regions.truncate(count);
    regions.into_iter().map(|[start, size, _]| (start, size)).collect()
}

/// Whether msSanitizer would let the bytes be accessed; `None` where the stub imitates another tool.
pub(crate) fn accessible(address: usize, size: usize) -> Option<bool> {
    let accessible = function::<extern "C" fn(u64, u64) -> c_int>(c"mstx_stub_accessible")?;
    match accessible(address as u64, size as u64) {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}
