//! The process and its threads: what they know of themselves, how they begin and end.

pub(crate) mod errno;
pub(crate) mod exit;
pub(crate) mod fork;
pub(crate) mod once;
pub(crate) mod signals;
pub(crate) mod single;
pub(crate) mod stderr;
pub(crate) mod system;
pub(crate) mod thread;
pub(crate) mod variables;

/// What `once` is built on; its model test puts loom's in the same place.
mod sync {
    pub(super) use core::sync::atomic::{AtomicUsize, Ordering};
}
