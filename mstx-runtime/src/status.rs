//! What the runtime says of itself.

use core::fmt;

use crate::Label;

/// Whether this build reports at all: decided by the features `rt`, `off`, `release_off` and `on`.
///
/// ```
/// use mstx_runtime::{BUILD, Build};
///
/// match BUILD {
///     Build::On => println!("reporting is {BUILD}"),
///     _ => println!("tools will see no pool: reporting is {BUILD}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Build {
    /// It reports, once somebody listens.
    On,
    /// The runtime is not part of the build (`default-features = false`).
    WithoutRuntime,
    /// Switched off by the feature `off`.
    Off,
    /// Switched off by the feature `release_off`, since `debug_assertions` are off.
    ReleaseOff,
}

/// The state of this build. It is a constant: a test that needs the books can be left out where there are none.
///
/// ```
/// use mstx_runtime::{BUILD, Build};
///
/// const REPORTS: bool = matches!(BUILD, Build::On);
/// # assert_eq!(mstx_runtime::status().build(), BUILD);
/// ```
pub const BUILD: Build = if cfg!(feature = "on") {
    Build::On
} else if cfg!(not(feature = "rt")) {
    Build::WithoutRuntime
} else if cfg!(feature = "off") {
    Build::Off
} else if cfg!(all(feature = "release_off", not(debug_assertions))) {
    Build::ReleaseOff
} else {
    Build::On
};

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::On => "on",
            Self::WithoutRuntime => "without the runtime (default-features = false)",
            Self::Off => "off (feature `off`)",
            Self::ReleaseOff => "off in this profile (feature `release_off`)",
        })
    }
}

/// Who listens, and if no tool does: why not. Given by [`status`](crate::status()); a copy, which later events do not change. Its
/// `Display` is one line.
///
/// ```standalone_crate
/// use mstx_runtime::{BUILD, Tool, ToolStatus};
///
/// struct Recorder(u8);
/// impl Tool for Recorder {}
/// static RECORDER: Recorder = Recorder(0);
/// mstx_runtime::attach(&RECORDER);
///
/// let status = mstx_runtime::status();
/// assert_eq!(status.build(), BUILD);
/// assert_eq!(status.tool(), ToolStatus::None);
/// assert!(status.checker() && status.listening());
/// assert!(!status.shared());
/// assert_eq!(status.refused_domains().count(), 0);
/// assert_eq!(status.to_string(), "no tool; a tool in the process listens");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Status {
    pub(crate) build: Build,
    pub(crate) tool: ToolStatus,
    pub(crate) checker: bool,
    pub(crate) shared: bool,
    pub(crate) refused: usize,
    pub(crate) listening: bool,
}

impl Status {
    /// Whether this build reports at all.
    #[must_use]
    pub const fn build(&self) -> Build {
        self.build
    }

    /// The injected tool.
    #[must_use]
    pub const fn tool(&self) -> ToolStatus {
        self.tool
    }

    /// Whether a tool in the process listens: the built-in checker, or one of your own.
    #[must_use]
    pub const fn checker(&self) -> bool {
        self.checker
    }

    /// Whether the books are those of another copy of this library in the same process (a plug-in's, or the host's).
    #[must_use]
    pub const fn shared(&self) -> bool {
        self.shared
    }

    /// The domains that the injected tool has refused. Their events are sent all the same: one real tool refuses what it
    /// listens to.
    ///
    /// As many as there were when the status was asked for; from inside a [`Tool`](crate::Tool), none. See [`Answer::Refused`].
    pub fn refused_domains(&self) -> impl Iterator<Item = DomainInfo> {
        let refused = |domain: &DomainInfo| domain.answer == Answer::Refused;
        crate::domains().filter(refused).take(self.refused)
    }

    /// Whether anybody listens.
    #[must_use]
    pub const fn listening(&self) -> bool {
        self.listening
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.build != Build::On {
            return write!(f, "reporting is {}", self.build);
        }
        write!(f, "{}", self.tool)?;
        for (number, domain) in self.refused_domains().enumerate() {
            let before = if number == 0 { "; it refused the domain" } else { "," };
            write!(f, "{before} {}", domain.name)?;
        }
        if self.checker {
            f.write_str("; a tool in the process listens")?;
        }
        if self.shared {
            f.write_str("; the books are shared with another copy of mstx")?;
        }
        Ok(())
    }
}

/// The injected tool. It is looked for once, when the runtime initialises.
///
/// ```
/// use mstx_runtime::{Refusal, ToolStatus};
///
/// match mstx_runtime::status().tool() {
///     ToolStatus::Attached { library, id, .. } => println!("{library} listens, tool {id:#x}"),
///     ToolStatus::Failed(Refusal::NotFound) => println!("MSTX_INJECTION_PATH names no file"),
///     other => println!("{other}"), // "no tool"
/// }
/// assert_eq!(ToolStatus::Failed(Refusal::NotFound).to_string(), "no tool: the library was not found");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolStatus {
    /// No tool: `MSTX_INJECTION_PATH` is not set or empty, and no tool was preloaded.
    None,
    /// A tool listens.
    Attached {
        /// The library's name, or that it was found in the process.
        library: Label,
        /// What the tool says it is: 0x1002 is msSanitizer; 0 if it does not say (msMemScope does not). From the public headers
        /// of MSTX 26.0.0, and the two tools.
        id: u64,
        /// Whether the library that `MSTX_INJECTION_PATH` names failed, and this one was found in the process instead.
        instead: Option<Refusal>,
    },
    /// `MSTX_INJECTION_PATH` is set, but no tool listens.
    Failed(Refusal),
    /// This is a forked child: it reports nothing. (A child that was forked before its parent initialised starts afresh.)
    Forked,
    /// The process is ending: nothing is sent any more.
    Ended,
}

/// Why a tool does not listen. Where `MSTX_INJECTION_PATH` is read, one line on the standard error stream says
/// so too.
///
/// ```
/// use mstx_runtime::Refusal;
///
/// assert_eq!(Refusal::NoEntryPoint.to_string(), "the library has no function InitInjectionMstx");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no such file; or a bare name was given, and no such library is in the places where they are looked for
    /// (`LD_LIBRARY_PATH`), or one that it needs is not.
    NotFound,
    /// The file is there, but cannot be loaded here: it is no library, one for another machine, or needs one that is missing.
    NotLoadable,
    /// The library has no function `InitInjectionMstx`: it is no tool of this interface.
    NoEntryPoint,
    /// The tool's `InitInjectionMstx` answered that it failed. The tool may have said why on its own.
    Refused,
    /// The process is set-user-ID or set-group-ID: the variable is ignored.
    Privileged,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NotFound => "the library was not found",
            Self::NotLoadable => "the library could not be loaded",
            Self::NoEntryPoint => "the library has no function InitInjectionMstx",
            Self::Refused => "the library's InitInjectionMstx failed",
            Self::Privileged => "the process is set-user-ID, MSTX_INJECTION_PATH is ignored",
        })
    }
}

impl fmt::Display for ToolStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no tool"),
            Self::Attached { library, id, instead } => {
                write!(f, "tool {library} (id {id:#x}) listens")?;
                instead.map_or(Ok(()), |refusal| write!(f, "; it was found in the process, since {refusal}"))
            }
            Self::Failed(refusal) => write!(f, "no tool: {refusal}"),
            Self::Forked => f.write_str("no tool: a forked child reports nothing"),
            Self::Ended => f.write_str("no tool: the process is ending"),
        }
    }
}

/// A domain as the books know it; see [`domains`](crate::domains()).
///
/// ```
/// use mstx_runtime::Answer;
///
/// mstx_runtime::domain!(static WEIGHTS = "weights");
/// let weights = mstx_runtime::domains().find(|domain| domain.name() == "weights").unwrap();
/// assert_eq!(weights.renamed(), None); // or what `MSTX_DOMAINS=weights=..` says
/// assert_eq!(weights.answer(), Answer::NotAsked); // no injected tool here
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DomainInfo {
    pub(crate) name: &'static str,
    pub(crate) renamed: Option<&'static str>,
    pub(crate) answer: Answer,
}

/// What the injected tool said of a domain. See [`DomainInfo`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// It was not asked yet: the domain was not used, or there is no tool.
    NotAsked,
    /// It took the domain.
    Accepted,
    /// It refused the domain, or knows no domains. Its events are sent all the same: one real tool answers so and listens.
    ///
    /// msMemScope refuses all names but a few, and ignores their events: rename the domain with `MSTX_DOMAINS`.
    Refused,
}

impl DomainInfo {
    /// The domain's name in the program; of one that is named after a module, as it is spelled for tools (`my_crate__pool`).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name that the tool is told, if `MSTX_DOMAINS` says another.
    #[must_use]
    pub const fn renamed(&self) -> Option<&'static str> {
        self.renamed
    }

    /// What the injected tool said of it.
    #[must_use]
    pub const fn answer(&self) -> Answer {
        self.answer
    }
}
