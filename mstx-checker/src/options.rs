//! What can be asked of the checker, by the program or by `MSTX_CHECK`.

use core::num::{NonZeroU8, NonZeroUsize};
use core::sync::atomic::{AtomicU8, Ordering};

use crate::files::Format;
use crate::files::wanted::{self, Wishes};

/// What the program asks for, and what whoever runs it asks for, which counts for more; 0 where nothing is asked for.
struct Asked {
    by_program: AtomicU8,
    by_environment: AtomicU8,
}

impl Asked {
    const fn new() -> Self {
        Self { by_program: AtomicU8::new(0), by_environment: AtomicU8::new(0) }
    }

    fn value(&self) -> Option<NonZeroU8> {
        let asked = |by: &AtomicU8| NonZeroU8::new(by.load(Ordering::Relaxed));
        asked(&self.by_environment).or_else(|| asked(&self.by_program))
    }

    fn is_on(&self, otherwise: bool) -> bool {
        self.value().map_or(otherwise, |value| value.get() == ON)
    }
}

const OFF: u8 = 1;
const ON: u8 = 2;

static EXIT_CODE: Asked = Asked::new();
static ACCESS: Asked = Asked::new();
static GUARD: Asked = Asked::new();
static STRICT: Asked = Asked::new();
static UNINIT: Asked = Asked::new();

/// Something that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    Access,
    Guard,
    Strict,
    Uninit,
}

impl Switch {
    /// Their names in `MSTX_CHECK`.
    pub(crate) const NAMES: [(&'static str, Self); 4] =
        [("access", Self::Access), ("guard", Self::Guard), ("strict", Self::Strict), ("uninit", Self::Uninit)];

    fn asked(self) -> &'static Asked {
        match self {
            Self::Access => &ACCESS,
            Self::Guard => &GUARD,
            Self::Strict => &STRICT,
            Self::Uninit => &UNINIT,
        }
    }
}

const fn state(on: bool) -> u8 {
    if on { ON } else { OFF }
}

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
    access: Option<bool>,
    guard: Option<bool>,
    strict: Option<bool>,
    uninit: Option<bool>,
    wishes: Wishes<'static>,
}

impl Options {
    /// Nothing special: what [`install`](crate::install) does.
    pub const fn new() -> Self {
        Self { exit_code: None, access: None, guard: None, strict: None, uninit: None, wishes: Wishes::NONE }
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

    /// Whether Valgrind and AddressSanitizer are told what may be accessed, where they are there; they are by default. In
    /// `MSTX_CHECK`: `access=0`. See [accesses](crate#accesses).
    ///
    /// This, and the options below, count from when the checker begins to listen.
    pub const fn access(mut self, on: bool) -> Self {
        self.access = Some(on);
        self
    }

    /// Where there is neither Valgrind nor AddressSanitizer: pages of a heap in which nothing is live may not be accessed (Linux). In
    /// `MSTX_CHECK`: `guard=1`.
    ///
    /// An access that is refused is reported, and ends the process as any other such signal does. This is for pools that hand out whole
    /// pages. A region's page is open if anything else in it is live; what the system itself accesses (`read` into a buffer) is refused
    /// with `EFAULT`, and not reported; a heap of which not all may be read and written, or which may hold code, is left alone; a program
    /// that handles
    /// `SIGSEGV` itself, and began to do so after the first heap was registered, gets the signal instead. Nor may it change the protection of
    /// a heap's pages. Linux allows a process some 65,000 mappings: with more than 12,000 live regions, pages stay open, which is said once.
    pub const fn guard(mut self, on: bool) -> Self {
        self.guard = Some(on);
        self
    }

    /// The pools' own code accesses no memory that is not handed out: it keeps no headers between regions, and no links in free ones.
    /// Then it is checked, too. In `MSTX_CHECK`: `strict=1`.
    ///
    /// A resize that copies writes to the new block before it is handed out, and does not go with this; nor does a function that clears
    /// what it hands out.
    ///
    /// Worth setting where it holds: under AddressSanitizer everything that is not live is off limits then, and all the time; but in a
    /// heap of more than 4 GiB, which is not checked then. A block that is resized while another thread uses it does not go with this.
    pub const fn strict(mut self, on: bool) -> Self {
        self.strict = Some(on);
        self
    }

    /// What functions with `#[mstx::region]` hand out holds nothing yet: under Valgrind, using it before it is written is an error. In
    /// `MSTX_CHECK`: `uninit=1`.
    ///
    /// Not for pools that write to it before they return it: typed arenas, `alloc_zeroed`.
    pub const fn uninit(mut self, on: bool) -> Self {
        self.uninit = Some(on);
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
            EXIT_CODE.by_program.store(code, Ordering::Relaxed);
        }
        let switches = [
            (Switch::Access, self.access),
            (Switch::Guard, self.guard),
            (Switch::Strict, self.strict),
            (Switch::Uninit, self.uninit),
        ];
        for (switch, on) in switches {
            if let Some(on) = on {
                switch.asked().by_program.store(state(on), Ordering::Relaxed);
            }
        }
    }
}

/// `MSTX_CHECK` asks for this status.
pub(crate) fn set_exit_code(code: NonZeroU8) {
    EXIT_CODE.by_environment.store(code.get(), Ordering::Relaxed);
}

/// `MSTX_CHECK` asks for this.
pub(crate) fn set_switch(switch: Switch, on: bool) {
    switch.asked().by_environment.store(state(on), Ordering::Relaxed);
}

/// The status with which the process ends if there were faults.
pub(crate) fn exit_code() -> Option<NonZeroU8> {
    EXIT_CODE.value()
}

/// Whether whoever sees accesses is told of heaps and regions.
pub(crate) fn access() -> bool {
    ACCESS.is_on(true)
}

/// Whether pages are protected.
pub(crate) fn guard() -> bool {
    GUARD.is_on(false)
}

/// Whether the allocator's own code is checked.
pub(crate) fn strict() -> bool {
    STRICT.is_on(false)
}

/// Whether regions hold nothing when they are handed out.
pub(crate) fn uninit() -> bool {
    UNINIT.is_on(false)
}
