//! What tools should not do, and some do.

use crate::abi::Handle;
use crate::config::Config;
use crate::log;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

const SLOW: Duration = Duration::from_millis(300);
const CALLBACK: &CStr = c"mstx_test_callback";

/// The slots are filled, and the initialiser is still not through.
pub(crate) fn while_initialising(config: &Config) {
    if config.calls_back {
        call_back();
    }
    if config.slow_init {
        std::thread::sleep(SLOW);
    }
}

/// Calls the program from inside the first call of a function, `done` being that function's mark. Only once: the
/// program may well answer with one more call of it.
pub(crate) fn re_enter(config: &Config, done: &AtomicBool) {
    if config.re_enters && !done.swap(true, Relaxed) {
        call_back();
    }
}

/// Calls the function that the program offers, if it does.
fn call_back() {
    let Some(function) = callback() else {
        log::line(format_args!("callback none"));
        return;
    };
    log::line(format_args!("callback begin"));
    // SAFETY: whoever offers the function promises that it is a `void (void)`.
    unsafe { function() };
    log::line(format_args!("callback end"));
}

fn callback() -> Option<unsafe extern "C" fn()> {
    // SAFETY: the name is NUL-terminated.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, CALLBACK.as_ptr()) };
    let address = if symbol.is_null() {
        let text = std::env::var("MSTX_STUB_CALLBACK").ok()?;
        text.parse::<usize>().ok()? as *mut c_void
    } else {
        symbol
    };
    // SAFETY: a null address becomes `None`; any other is that of a function, as promised.
    unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn()>>(address) }
}

/// Hides the heap handles of a tool from its client, which then goes by the heaps' addresses.
#[derive(Default)]
pub(crate) struct HiddenHeaps {
    by_address: BTreeMap<Handle, Handle>,
}

impl HiddenHeaps {
    /// What the client is told instead.
    pub(crate) fn hide(&mut self, address: u64, handle: Handle) -> Handle {
        // Null stays what it is: no heap.
        if address != 0 {
            self.by_address.insert(address as Handle, handle);
        }
        0
    }

    /// What the client means.
    pub(crate) fn find(&self, heap: Handle) -> Handle {
        self.by_address.get(&heap).copied().unwrap_or(heap)
    }

    pub(crate) fn forget(&mut self, heap: Handle) {
        self.by_address.remove(&heap);
    }
}
