//! What can be asked of the checker, by the program or by `MSTX_CHECK`.

use core::num::NonZeroU8;
use core::sync::atomic::{AtomicU8, Ordering};

/// What the program asks for; 0 where it asks for nothing.
static BY_PROGRAM: AtomicU8 = AtomicU8::new(0);
/// What whoever runs it asks for, which counts for more.
static BY_ENVIRONMENT: AtomicU8 = AtomicU8::new(0);

/// Options of the checker, for [`install_with`](crate::install_with). It is a constant, where one is wanted.
///
/// ```
/// use mstx_checker::Options;
///
/// const STRICT: Options = Options::new().exit_code(9);
/// mstx_checker::install_with(STRICT);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Options {
    exit_code: Option<u8>,
}

impl Options {
    /// Nothing special: what [`install`](crate::install) does.
    pub const fn new() -> Self {
        Self { exit_code: None }
    }

    /// The process ends with this status if there were faults; 0 leaves its status alone. In `MSTX_CHECK`: `exitcode=9`.
    ///
    /// It takes the place of success only: a program that fails by itself keeps its own status. All exit handlers run, and
    /// nothing that was written to the standard output is lost. What is live at exit is no fault; a region that is live when
    /// its heap ends is one.
    ///
    /// Outside of glibc the C library has no such means. There the status takes the place of any other, and exit handlers
    /// that were registered before the first event do not run.
    pub const fn exit_code(mut self, code: u8) -> Self {
        self.exit_code = Some(code);
        self
    }

    /// These options hold from now on.
    pub(crate) fn set(self) {
        if let Some(code) = self.exit_code {
            BY_PROGRAM.store(code, Ordering::Relaxed);
        }
    }
}

/// `MSTX_CHECK` asks for this status.
pub(crate) fn set_exit_code(code: NonZeroU8) {
    BY_ENVIRONMENT.store(code.get(), Ordering::Relaxed);
}

/// The status with which the process ends if there were faults.
pub(crate) fn exit_code() -> Option<NonZeroU8> {
    let asked = |by: &AtomicU8| NonZeroU8::new(by.load(Ordering::Relaxed));
    asked(&BY_ENVIRONMENT).or_else(|| asked(&BY_PROGRAM))
}
