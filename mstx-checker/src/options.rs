//! What can be asked of the checker, by the program or by `MSTX_CHECK`.

use core::num::NonZeroUsize;
use core::str;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::files::Format;
use crate::files::wanted::{self, Wishes};
use crate::lock::Lock;
use crate::recording::memory::{Vec, vec};
use crate::{log, suppress};

/// What the program asks for, and what whoever runs it asks for, which counts for more; 0 where nothing is asked for.
struct Asked {
    by_program: AtomicU8,
    by_environment: AtomicU8,
}

impl Asked {
    const fn new() -> Self {
        Self { by_program: AtomicU8::new(0), by_environment: AtomicU8::new(0) }
    }

    fn value(&self) -> u8 {
        match self.by_environment.load(Ordering::Relaxed) {
            0 => self.by_program.load(Ordering::Relaxed),
            value => value,
        }
    }

    fn is_on(&self, otherwise: bool) -> bool {
        match self.value() {
            0 => otherwise,
            value => value == ON,
        }
    }

    /// The program asks for this, if for anything.
    fn program(&self, value: Option<u8>) {
        if let Some(value) = value {
            self.by_program.store(value, Ordering::Relaxed);
        }
    }

    /// Whoever runs the program asks for it. Returns whether it is anything.
    fn environment(&self, value: Option<u8>) -> bool {
        if let Some(value) = value {
            self.by_environment.store(value, Ordering::Relaxed);
        }
        value.is_some()
    }
}

const OFF: u8 = 1;
const ON: u8 = 2;

/// The same for a name.
pub(crate) struct Name(Lock<[Option<&'static [u8]>; 2]>);

impl Name {
    /// What counts.
    pub(crate) fn get(&self) -> Option<&'static [u8]> {
        self.0.with(|[by_environment, by_program]| by_environment.or(*by_program)).flatten()
    }

    fn program(&self, name: Option<&'static [u8]>) {
        self.0.with(|[_, by_program]| *by_program = name.or(*by_program));
    }

    /// The variable may change, so the name is kept, for as long as the process lives.
    fn environment(&self, name: &[u8]) -> bool {
        if name.is_empty() {
            return false;
        }
        let name = keep(name);
        self.0.with(|[by_environment, _]| *by_environment = name.or(*by_environment));
        true
    }
}

/// Bytes that stay; `None` where there is no memory.
fn keep(bytes: &[u8]) -> Option<&'static [u8]> {
    let mut kept = vec();
    kept.try_reserve_exact(bytes.len()).ok()?;
    kept.extend_from_slice(bytes);
    Some(Vec::leak(kept))
}

static EXIT_CODE: Asked = Asked::new();
static LEAKS: Asked = Asked::new();
static COLOR: Asked = Asked::new();
static ACCESS: Asked = Asked::new();
static GUARD: Asked = Asked::new();
static STRICT: Asked = Asked::new();
static UNINIT: Asked = Asked::new();
/// The file that reports go to.
pub(crate) static LOG: Name = Name(Lock::new([None; 2]));

/// An option as `MSTX_CHECK` has it.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// What its value looks like.
    pub(crate) value: &'static str,
    /// What it does, for those who ask for `help`.
    pub(crate) help: &'static str,
    /// Reads what is asked for: all of it, and its value alone. Returns whether that is one.
    read: fn(&[u8], &[u8]) -> bool,
}

/// All of them, in the order in which they are shown.
pub(crate) const KNOWN: [Known; 15] = [
    Known {
        name: "exitcode",
        value: "N",
        help: "the process ends with this status (1 to 255) if there were faults",
        read: |_, value| EXIT_CODE.environment(number(value).filter(|&code| code != 0)),
    },
    Known {
        name: "leaks",
        value: "0|1|2",
        help: "what is live at exit is: 0 not listed, 1 listed (the default), 2 listed, and each is a fault",
        read: |_, value| {
            LEAKS.environment(number(value).and_then(|level| LEVELS.get(usize::from(level))).map(|&level| state_of(level)))
        },
    },
    Known {
        name: "log",
        value: "FILE",
        help: "reports go to this file; %p in its name is the process's number",
        read: |_, value| LOG.environment(value),
    },
    Known {
        name: "suppressions",
        value: "FILE",
        help: "what the lines of this file name is not reported",
        read: |_, value| suppress::read_file(value),
    },
    Known {
        name: "color",
        value: "0|1",
        help: "whether reports are colored; without it, on a terminal only",
        read: |_, value| COLOR.environment(switch(value)),
    },
    Known {
        name: "access",
        value: "0|1",
        help: "whether Valgrind and AddressSanitizer are told what may be accessed (1 is the default)",
        read: |_, value| ACCESS.environment(switch(value)),
    },
    Known {
        name: "guard",
        value: "0|1",
        help: "without them: pages of heaps in which nothing is live are protected",
        read: |_, value| GUARD.environment(switch(value)),
    },
    Known {
        name: "strict",
        value: "0|1",
        help: "the pools' own code is checked, too",
        read: |_, value| STRICT.environment(switch(value)),
    },
    Known {
        name: "uninit",
        value: "0|1",
        help: "what is handed out holds nothing yet (Valgrind)",
        read: |_, value| UNINIT.environment(switch(value)),
    },
    Known { name: "heapmap", value: "FILE", help: "draws each heap's memory over time (SVG)", read: file },
    Known { name: "snapshot", value: "FILE", help: "writes a memory snapshot for PyTorch's memory_viz", read: file },
    Known { name: "trace", value: "FILE", help: "writes a trace for Perfetto", read: file },
    Known { name: "dhat", value: "FILE", help: "writes a profile for Valgrind's dh_view.html", read: file },
    Known { name: "recording", value: "N", help: "the newest N events are kept for these files (1000000)", read: file },
    Known { name: "help", value: "1", help: "lists the options", read: |_, value| value == b"1" },
];

fn file(option: &[u8], _: &[u8]) -> bool {
    wanted::by_environment(option)
}

fn number(value: &[u8]) -> Option<u8> {
    str::from_utf8(value).ok()?.parse().ok()
}

fn switch(value: &[u8]) -> Option<u8> {
    match value {
        b"0" => Some(OFF),
        b"1" => Some(ON),
        _ => None,
    }
}

/// What becomes of one option.
#[derive(Clone, Copy)]
pub(crate) enum Read {
    Fine,
    /// There is no such option.
    Unknown,
    /// There is, and this is not a value of it.
    Unfit(&'static Known),
}

/// Whoever runs the program asks for this.
pub(crate) fn read(option: &[u8]) -> Read {
    let Some(at) = option.iter().position(|&byte| byte == b'=') else {
        return named(option).map_or(Read::Unknown, Read::Unfit);
    };
    match named(&option[..at]) {
        None => Read::Unknown,
        Some(known) if (known.read)(option, &option[at + 1..]) => Read::Fine,
        Some(known) => Read::Unfit(known),
    }
}

fn named(name: &[u8]) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name.as_bytes() == name)
}

/// What is said of heaps and regions that are live when the process exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leaks {
    /// Nothing.
    Ignored,
    /// They are listed, by the call that registered them.
    Listed,
    /// They are listed, and count as a fault: [`Options::exit_code`] takes effect.
    Fault,
}

const LEVELS: [Leaks; 3] = [Leaks::Ignored, Leaks::Listed, Leaks::Fault];

const fn state_of(leaks: Leaks) -> u8 {
    leaks as u8 + 1
}

/// What is said of what is live at exit.
pub(crate) fn leaks() -> Leaks {
    let at = usize::from(LEAKS.value()).checked_sub(1);
    at.and_then(|at| LEVELS.get(at)).copied().unwrap_or(Leaks::Listed)
}

/// Whether reports are colored, if that is said.
pub(crate) fn color() -> Option<bool> {
    (COLOR.value() != 0).then(|| COLOR.is_on(false))
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
    leaks: Option<Leaks>,
    log: Option<&'static str>,
    color: Option<bool>,
    suppressions: Option<&'static str>,
    access: Option<bool>,
    guard: Option<bool>,
    strict: Option<bool>,
    uninit: Option<bool>,
    wishes: Wishes<'static>,
}

impl Options {
    /// Nothing special: what [`install`](crate::install) does.
    pub const fn new() -> Self {
        Self {
            exit_code: None,
            leaks: None,
            log: None,
            color: None,
            suppressions: None,
            access: None,
            guard: None,
            strict: None,
            uninit: None,
            wishes: Wishes::NONE,
        }
    }

    /// The process ends with this status if there were faults; 0 leaves its status alone. In `MSTX_CHECK`: `exitcode=9`.
    ///
    /// It takes the place of success only: a program that fails by itself keeps its own status. All exit handlers run, and
    /// nothing that was written to the standard output is lost. What is live at exit is no fault (but with
    /// [`Leaks::Fault`]); a region that is live when its heap ends is one.
    ///
    /// Outside of glibc the C library has no such means. There the status takes the place of any other, and exit handlers
    /// that were registered before the first event do not run.
    pub const fn exit_code(mut self, code: u8) -> Self {
        self.exit_code = Some(code);
        self
    }

    /// What is said of heaps and regions that are live when the process exits; they are listed by default. In `MSTX_CHECK`:
    /// `leaks=0`, `leaks=1`, or `leaks=2` for [`Leaks::Fault`].
    ///
    /// ```
    /// use mstx_checker::{Leaks, Options};
    ///
    /// const NO_LEAKS: Options = Options::new().leaks(Leaks::Fault).exit_code(9);
    /// ```
    pub const fn leaks(mut self, leaks: Leaks) -> Self {
        self.leaks = Some(leaks);
        self
    }

    /// Reports go to this file instead of the standard error stream; if it is there already, to its end. In `MSTX_CHECK`:
    /// `log=FILE`.
    ///
    /// In its name, `%p` is the process's number, and `%%` is `%`. It is opened for the first report: that of a process that has
    /// nothing to say does not come into being. Where it cannot be opened, one line says so, and reports go to the standard error
    /// stream. On Unix only.
    ///
    /// ```
    /// mstx_checker::install_with(mstx_checker::Options::new().log("pool.%p.log"));
    /// # mstx_checker::install_with(mstx_checker::Options::new().log("/dev/stderr"));
    /// ```
    pub const fn log(mut self, file: &'static str) -> Self {
        self.log = Some(file);
        self
    }

    /// Whether reports are colored. By default they are on a terminal, if the variable `NO_COLOR` is not set and `TERM` is not `dumb`.
    /// In `MSTX_CHECK`: `color=0`, `color=1`.
    pub const fn color(mut self, on: bool) -> Self {
        self.color = Some(on);
        self
    }

    /// What these lines name is neither reported nor counted. In `MSTX_CHECK`: `suppressions=FILE`, with the lines in that file.
    ///
    /// Each line is a code, or `*` for any, or `leak` for what is live at exit; and a call site: where the call is, as reports show it
    /// (`src/cache.rs:12`, or `src/cache.rs` for all of the file), or of which function (`cache::alloc`, or `cache` for all of the
    /// module). In it, `*` stands for anything. It is enough that it fits one of the two calls of a report. What follows `#` is a
    /// comment. [`mstx::faults`](mstx_runtime::faults) has all faults, also those.
    ///
    /// Called again, the lines are added to those before.
    ///
    /// ```
    /// const KNOWN: &str = "
    ///     MSTX06 vendored::pool    # releases what it has moved on from: its issue 12
    ///     leak src/cache.rs:40
    /// ";
    /// mstx_checker::install_with(mstx_checker::Options::new().suppressions(KNOWN));
    /// ```
    pub const fn suppressions(mut self, lines: &'static str) -> Self {
        self.suppressions = Some(lines);
        self
    }

    /// Whether Valgrind and AddressSanitizer are told what may be accessed, where they are there; they are by default. In
    /// `MSTX_CHECK`: `access=0`. See [accesses](crate#accesses).
    ///
    /// This, and [`guard`](Self::guard), [`strict`](Self::strict) and [`uninit`](Self::uninit), count from when the checker begins to listen.
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
        EXIT_CODE.program(self.exit_code);
        LEAKS.program(self.leaks.map(state_of));
        COLOR.program(self.color.map(state));
        ACCESS.program(self.access.map(state));
        GUARD.program(self.guard.map(state));
        STRICT.program(self.strict.map(state));
        UNINIT.program(self.uninit.map(state));
        LOG.program(self.log.map(str::as_bytes));
        if let Some(lines) = self.suppressions {
            suppress::add(lines.as_bytes());
        }
        if self.log.is_some() || self.color.is_some() {
            log::reset();
        }
    }
}

/// The status with which the process ends if there were faults; 0 where it stays as it is.
pub(crate) fn exit_code() -> u8 {
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

#[cfg(test)]
mod tests {
    use super::{KNOWN, Read, read};

    fn shown(option: &str) -> &'static str {
        match read(option.as_bytes()) {
            Read::Fine => "fine",
            Read::Unknown => "unknown",
            Read::Unfit(known) => known.name,
        }
    }

    #[test]
    fn each_option_has_its_values() {
        for option in
            ["exitcode=9", "exitcode=255", "leaks=2", "color=0", "guard=0", "access=1", "strict=0", "uninit=0", "help=1"]
        {
            assert_eq!(shown(option), "fine", "{option}");
        }
        let unfit = [
            ("exitcode", ["", "0", "256", "-1", "9x"]),
            ("leaks", ["", "3", "-1", "2.0", "all"]),
            ("guard", ["", "2", "on", "true", "01"]),
            ("recording", ["", "0", "-1", "many", "1.5"]),
            ("help", ["", "0", "2", "me", "11"]),
        ];
        for (name, values) in unfit {
            assert_eq!(shown(name), name);
            for value in values {
                assert_eq!(shown(&format!("{name}={value}")), name, "{value}");
            }
        }
        assert_eq!(shown("log="), "log");
        assert_eq!(shown("heapmap="), "heapmap");
    }

    #[test]
    fn everything_else_is_unknown() {
        for option in ["=1", "2", "exit_code=9", "EXITCODE=9", " guard=1", "\u{e4}"] {
            assert_eq!(shown(option), "unknown", "{option}");
        }
    }

    #[test]
    fn the_documentation_has_each_option() {
        let page = include_str!("lib.rs");
        for known in &KNOWN {
            assert!(page.contains(&format!("//! | `{}={}` |", known.name, known.value.replace('|', r"\|"))), "{}", known.name);
        }
    }
}
