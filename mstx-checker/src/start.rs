//! Where `MSTX_CHECK` is set, the runtime is started with the program: otherwise a program that never reports would say nothing at
//! its exit, and its user could not tell that from a checker that is not there.
#![allow(unsafe_code, reason = "stands in a section of its own")]

use crate::environment;

/// Called by the loader, before `main`.
#[cfg(all(any(target_os = "linux", target_os = "android", target_os = "freebsd"), not(miri)))]
#[used]
// SAFETY: the section is a list of such functions. This one needs nothing that `main` prepares.
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

#[allow(dead_code, reason = "not every loader calls it")]
extern "C" fn start() {
    // In an injected tool, the client says when to begin.
    if environment::is_set() && !mstx_runtime::__private::is_kept() {
        mstx_runtime::init();
    }
}
