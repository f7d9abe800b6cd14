//! What is written when all is over.

use crate::books::Range;
use crate::gate::{self, Status};
use crate::{kind, log};
use std::fmt::Write;

/// Has the summary written when the process exits.
pub(crate) fn at_exit() {
    // SAFETY: the handler is a function of this library; it is called before the library is unloaded.
    let failed = unsafe { libc::atexit(handler) } != 0;
    if failed {
        log::line(format_args!("atexit failed"));
    }
}

extern "C" fn handler() {
    // A child that exits has inherited this handler; it may also have inherited a lock that nobody will release.
    if gate::in_child() {
        return;
    }
    if gate::status() != Status::Failed {
        gate::set_status(Status::Exited);
    }
    write();
}

/// One line of numbers, and one for each region that is still live.
pub(crate) fn write() {
    let state = gate::state();
    let (live, bytes) = state.as_ref().map_or((Vec::new(), 0), |s| (s.temper.live(), s.temper.bytes()));
    let mut counts = String::new();
    for (kind, count) in kind::counts().filter(|(_, count)| *count > 0) {
        // Writing to a String does not fail.
        let _ = write!(counts, " {}={count}", kind.name());
    }
    log::line(format_args!(
        "exit open={} violations={} calls={} bytes={bytes}{counts}",
        live.len(),
        log::violations(),
        kind::calls(),
    ));
    for [start, size, heap] in live {
        log::line(format_args!("open {} heap={heap:#x}", Range { device: 0, start, size }));
    }
}
