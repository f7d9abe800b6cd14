//! How the examples check themselves; no part of what they show.
//!
//! If one of the stub tools of the tests (`tests/stub`) listens, its list of live regions is compared with the pool's own.
//! Otherwise nothing is compared.
#![allow(dead_code, reason = "each example uses a part of this")]

/// Checks that the tool knows exactly these live regions (address and size in bytes), and that no call broke a rule.
#[track_caller]
pub(crate) fn checkpoint(live: &[(usize, usize)]) {
    let mut live = live.to_vec();
    live.sort_unstable();
    checkpoint_sorted(live.into_iter());
}

/// The same for regions in the order of their addresses. Does not allocate, so that an allocator can be checked with it.
#[track_caller]
pub(crate) fn checkpoint_sorted(live: impl Iterator<Item = (usize, usize)> + Clone) {
    stub::compare(live);
}

/// How many calls that register regions, and how many that unregister them, have reached the tool.
pub(crate) fn calls() -> Option<(u64, u64)> {
    stub::calls()
}

/// The end of an example: nothing is live, and nothing was wrong.
pub(crate) fn finish() {
    checkpoint(&[]);
    no_faults();
    println!("ok ({})", mstx::status());
}

/// Checks that no mistake was found.
#[track_caller]
pub(crate) fn no_faults() {
    mstx::faults().for_each(|fault| eprintln!("{fault}"));
    assert_eq!(mstx::fault_count(), 0, "no faults");
}

#[cfg(target_os = "linux")]
mod stub {
    use std::ffi::CStr;
    use std::mem::transmute;
    use std::sync::{Mutex, PoisonError};

    type Live = unsafe extern "C" fn(*mut [u64; 3], usize) -> usize;
    type Violations = unsafe extern "C" fn() -> u64;
    type Calls = unsafe extern "C" fn(u32) -> u64;

    /// Where the stub writes its list: start, size, heap. Not on the heap, which may be what is looked at.
    static LIST: Mutex<[[u64; 3]; 1 << 15]> = Mutex::new([[0; 3]; 1 << 15]);

    /// A function of the stub, if a stub is in the process: as the injected library, or preloaded.
    fn symbol(name: &CStr) -> Option<*mut libc::c_void> {
        if !matches!(mstx::status().tool(), mstx::ToolStatus::Attached { .. }) {
            return None;
        }
        // SAFETY: a string with its NUL. Nothing here changes the environment.
        let path = unsafe { libc::getenv(c"MSTX_INJECTION_PATH".as_ptr()) };
        // SAFETY: a path, or null for what is in the process already; nothing is loaded.
        let library = unsafe { libc::dlopen(path, libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if library.is_null() {
            return None;
        }
        // SAFETY: an open library, and a string with its NUL.
        let found = unsafe { libc::dlsym(library, name.as_ptr()) };
        (!found.is_null()).then_some(found)
    }

    #[track_caller]
    pub(super) fn compare(expected: impl Iterator<Item = (usize, usize)> + Clone) {
        let (Some(live), Some(violations)) = (symbol(c"mstx_stub_live"), symbol(c"mstx_stub_violations")) else { return };
        // SAFETY: the stub's function of this name has this type.
        let violations = unsafe { transmute::<*mut libc::c_void, Violations>(violations) };
        // SAFETY: it may be called at any time.
        assert_eq!(unsafe { violations() }, 0, "calls that broke a rule; see MSTX_STUB_LOG");

        // What a tool makes of a domain that it refused is its own affair.
        if mstx::domains().any(|domain| domain.answer() == mstx::Answer::Refused) {
            return;
        }
        let mut list = LIST.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the stub's function of this name has this type.
        let live = unsafe { transmute::<*mut libc::c_void, Live>(live) };
        // SAFETY: there is room for as many entries as the second argument says.
        let count = unsafe { live(list.as_mut_ptr(), list.len()) };
        let told = list.iter().take(count).map(|[start, size, _]| (*start as usize, *size as usize));
        if !told.clone().eq(expected.clone()) {
            let hex = |(start, size)| format!("{start:#x}+{size}");
            let (told, expected): (Vec<_>, Vec<_>) = (told.map(hex).collect(), expected.map(hex).collect());
            assert_eq!(told, expected, "the tool's regions, and the pool's");
        }
    }

    pub(super) fn calls() -> Option<(u64, u64)> {
        // SAFETY: the stub's function of this name has this type.
        let calls = unsafe { transmute::<*mut libc::c_void, Calls>(symbol(c"mstx_stub_calls")?) };
        // SAFETY: it may be called at any time. 12 are the calls that register regions.
        let register = unsafe { calls(12) };
        // SAFETY: the same. 13 are those that unregister them.
        let unregister = unsafe { calls(13) };
        Some((register, unregister))
    }
}

#[cfg(not(target_os = "linux"))]
mod stub {
    pub(super) fn compare(_: impl Iterator<Item = (usize, usize)> + Clone) {}

    pub(super) fn calls() -> Option<(u64, u64)> {
        None
    }
}
