//! What can be asked of the checker, by the program or by `MSTX_CHECK`.

use core::num::{NonZeroU8, NonZeroUsize};
use core::sync::atomic::{AtomicU8, Ordering};

use crate::files::Format;
use crate::files::wanted::{self, Wishes};

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
    wishes: Wishes<'static>,
}

impl Options {
    /// Nothing special: what [`install`](crate::install) does.
    pub const fn new() -> Self {
        Self { exit_code: None, wishes: Wishes::NONE }
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

    /// When the process exits, what was recorded is written to this file. In `MSTX_CHECK`: `heapmap=FILE`, `snapshot=FILE`,
    /// `trace=FILE`, `dhat=FILE`.
    ///
    /// In its name, `%p` is the process's number, and `%%` is `%`. For each format there is one file; a later name takes the
    /// place of an earlier one. Events are recorded from the first call that asks for it; see [`recording`](Self::recording).
    /// [`write`](crate::write) writes a file at any time.
    ///
    /// ```
    /// use mstx_checker::{Format, Options};
    ///
    /// const WATCHED: Options = Options::new().file(Format::HeapMap, "map.%p.svg").file(Format::Trace, "trace.%p.json");
    /// ```
    pub const fn file(mut self, format: Format, name: &'static str) -> Self {
        self.wishes.files[format as usize] = Some(name.as_bytes());
        self
    }

    /// Events are recorded, and the newest `events` of them kept: 1,000,000, if this is not said. In `MSTX_CHECK`:
    /// `recording=100000`. 0 says nothing.
    ///
    /// Each takes 32 bytes. What was live before the oldest of them is kept too, and takes about twice as much for each heap and
    /// region. Files say how many events were dropped, if any were. Once events were dropped, the number stays as it is.
    ///
    /// ```
    /// mstx_checker::install_with(mstx_checker::Options::new().recording(100_000));
    /// ```
    pub const fn recording(mut self, events: usize) -> Self {
        self.wishes.events = NonZeroUsize::new(events);
        self
    }

    /// These options hold from now on.
    pub(crate) fn set(self) {
        wanted::by_program(self.wishes);
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
