//! The counting tool: `c/tool.c`.
#![allow(unsafe_code, reason = "calls the tool, which is a library of its own")]

use std::ffi::CString;
use std::mem;
use std::ops::Sub;

/// Where the build script has put it.
pub const PATH: &str = env!("MSTX_BENCH_TOOL");
/// The variable by which the runtime finds a tool.
pub const VARIABLE: &str = "MSTX_INJECTION_PATH";
/// With `1`, the tool takes the time that msSanitizer takes.
pub const COSTS: &str = "MSTX_BENCH_TOOL_COSTS";

/// How often it was called, and for how many regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Calls of its register function.
    pub register_calls: u64,
    /// Calls of its unregister function.
    pub unregister_calls: u64,
    /// Regions in the former.
    pub registered: u64,
    /// Regions in the latter.
    pub unregistered: u64,
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            register_calls: self.register_calls - earlier.register_calls,
            unregister_calls: self.unregister_calls - earlier.unregister_calls,
            registered: self.registered - earlier.registered,
            unregistered: self.unregistered - earlier.unregistered,
        }
    }
}

/// What it has counted so far. `None`: it is not in the process.
#[must_use]
pub fn counts() -> Option<Counts> {
    let path = CString::new(PATH).ok()?;
    // SAFETY: the library is there already, so nothing of it runs by this.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if library.is_null() {
        return None;
    }
    // SAFETY: a library that is open, and a C string.
    let symbol = unsafe { libc::dlsym(library, c"mstx_bench_counts".as_ptr()) };
    if symbol.is_null() {
        return None;
    }
    // SAFETY: so `c/tool.c` defines it.
    let counts = unsafe { mem::transmute::<*mut libc::c_void, extern "C" fn(&mut [u64; 4])>(symbol) };
    let mut out = [0; 4];
    counts(&mut out);
    let [register_calls, unregister_calls, registered, unregistered] = out;
    Some(Counts { register_calls, unregister_calls, registered, unregistered })
}
