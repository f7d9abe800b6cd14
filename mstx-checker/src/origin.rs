//! Origins as keys of tables.

use core::hash::{Hash, Hasher};
use std::hash::DefaultHasher;

use mstx_runtime::Origin;

/// Whether two events came from the same annotated function and the same caller.
///
/// The compiler may keep one location several times, so locations are compared by what they say.
pub(crate) fn same(a: Origin, b: Origin) -> bool {
    core::ptr::eq(a.site(), b.site()) && a.address() == b.address() && a.caller() == b.caller()
}

/// Equal for origins that are the same.
pub(crate) fn hash(origin: Origin) -> u64 {
    let mut hasher = DefaultHasher::new();
    add(origin, &mut hasher);
    hasher.finish()
}

/// Adds an origin to a longer key.
pub(crate) fn add(origin: Origin, hasher: &mut DefaultHasher) {
    core::ptr::from_ref(origin.site()).hash(hasher);
    // File names are long, and differ rarely where line and column are the same.
    (origin.caller().line(), origin.caller().column(), origin.address()).hash(hasher);
}
