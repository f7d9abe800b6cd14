//! The injected tool's functions themselves.
#![allow(unsafe_code, reason = "calls foreign code")]

use core::sync::atomic::Ordering;

use super::injected::table::{FUNCTIONS, Function, Functions};
use super::{WIRE, WIRED, errno, listen};
use crate::live::copies::operations;

/// Calls a function of the tool, one at a time. `None` where no tool listens, or it does not implement the function.
///
/// # Safety
///
/// As for the function itself.
pub(crate) unsafe fn call<F: Copy + 'static, R>(
    which: impl FnOnce(&'static Functions) -> &'static Function<F>,
    call: impl FnOnce(F) -> R,
) -> Option<R> {
    if !listen::listening() {
        return None;
    }
    let (mut which, mut call, mut answer) = (Some(which), Some(call), None);
    (operations().raw)(&mut |functions| {
        if let (Some(which), Some(call)) = (which.take(), call.take()) {
            // SAFETY: the user vouches for the tool.
            let function = unsafe { which(functions).get() };
            answer = function.map(call);
        }
    });
    answer
}

/// Lets somebody talk to the tool as it is; nobody else does meanwhile.
pub(crate) fn talk(to: &mut dyn FnMut(&'static Functions)) {
    let _errno = errno::Saved::new();
    // `None` in a call from inside one of the tool's functions: this thread may talk to the tool as it is.
    let _wire = WIRE.lock();
    if WIRED.load(Ordering::Acquire) && !listen::is_never() {
        to(&FUNCTIONS);
    }
}
