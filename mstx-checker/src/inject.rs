//! The checker as the tool that was injected: whoever did that wants it, and need not ask once more.

use std::sync::OnceLock;

use crate::options::{self, Options};
use crate::{access, environment, install};

/// Lets the checker listen. `trusted`: the environment may say how. Returns whether it does; `MSTX_CHECK=0` says no.
#[must_use]
pub fn inject(trusted: bool) -> bool {
    if trusted {
        if environment::switches_off() {
            return false;
        }
        environment::read();
    }
    install()
}

/// Accesses are checked only if `MSTX_CHECK` asks for it: there is a client that does not say when its allocators' own code runs.
pub fn leave_accesses() {
    Options::new().access(false).set();
    if !options::access() {
        access::end();
    }
}

/// Says whether the program has a checker of its own that listens, and all that it does.
static OTHER: OnceLock<fn() -> bool> = OnceLock::new();

/// Where another checker listens in the process that sees all of this one's events, this one has nothing to add at the end. `listens`
/// is asked then.
pub fn stand_back(listens: fn() -> bool) {
    let _ = OTHER.set(listens);
}

/// Whether that is so.
pub(crate) fn is_beside_another() -> bool {
    OTHER.get().is_some_and(|listens| listens())
}
