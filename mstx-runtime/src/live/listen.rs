//! The flag that every annotated call reads.

use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Nobody has asked yet.
const UNKNOWN: u8 = 0;
/// Nobody listens.
const NOBODY: u8 = 1;
/// Somebody listens.
const SOMEBODY: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Nobody will ever listen again: a forked child, or the process is ending.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Whether anybody listens. While nobody does, this is one load, one comparison and one branch.
#[inline(always)]
#[must_use]
pub fn listening() -> bool {
    may_listen() && does_listen()
}

/// Whether anybody may listen: the first half of [`listening`].
#[inline(always)]
#[must_use]
pub fn may_listen() -> bool {
    STATE.load(Ordering::Relaxed) != NOBODY
}

/// Whether anybody listens: asked where somebody may.
#[cold]
#[inline(never)]
#[must_use]
pub fn does_listen() -> bool {
    match STATE.load(Ordering::Acquire) {
        SOMEBODY => true,
        UNKNOWN => super::init(),
        _ => false,
    }
}

/// Says whether anybody listens, unless that is settled for ever.
pub(crate) fn set(somebody: bool) {
    STATE.store(if somebody { SOMEBODY } else { NOBODY }, Ordering::SeqCst);
    if is_never() {
        STATE.store(NOBODY, Ordering::SeqCst);
    }
}

/// From now on nobody listens.
pub(crate) fn never() {
    NEVER.store(true, Ordering::SeqCst);
    STATE.store(NOBODY, Ordering::SeqCst);
}

/// Whether nobody will ever listen again.
pub(crate) fn is_never() -> bool {
    NEVER.load(Ordering::SeqCst)
}
