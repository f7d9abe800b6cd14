//! The end of the process: what is pending goes out, and nothing after it.
//!
//! Exit handlers run in the reverse order in which they were registered. Ours is registered after the tool has initialised,
//! so it runs before the tool's; and once more after the tool was told of its first heap, since a tool may register another
//! one then.

use core::sync::atomic::{AtomicU32, Ordering};

use super::system;
use crate::live;

/// How often the handler is registered at most.
const HANDLERS: u32 = 2;

static REGISTERED: AtomicU32 = AtomicU32::new(0);

extern "C" fn at_exit() {
    live::end();
}

/// Registers the handler, once more.
pub(crate) fn watch() {
    if REGISTERED.fetch_add(1, Ordering::Relaxed) < HANDLERS {
        system::at_exit(at_exit);
    }
}
