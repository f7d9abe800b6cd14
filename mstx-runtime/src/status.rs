//! What the runtime says of itself.

use core::fmt;

use crate::Label;

/// Whether this build reports at all: decided by the features `rt`, `off`, `release_off` and `on`.
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

/// The state of this build.
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

/// Who listens, and if no tool does: why not.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    pub(crate) build: Build,
    pub(crate) tool: ToolStatus,
    pub(crate) checker: bool,
    pub(crate) shared: bool,
    pub(crate) refused: usize,
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

    /// The domains that the tool has refused. Their events are sent all the same: one real tool refuses what it listens to.
    pub fn refused_domains(&self) -> impl Iterator<Item = DomainInfo> {
        let refused = |domain: &DomainInfo| domain.answer == Answer::Refused;
        crate::domains().filter(refused).take(self.refused)
    }

    /// Whether anybody listens.
    #[must_use]
    pub const fn listening(&self) -> bool {
        self.checker || self.shared || matches!(self.tool, ToolStatus::Attached { .. })
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

/// The injected tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolStatus {
    /// No tool: `MSTX_INJECTION_PATH` is not set, and no tool was preloaded.
    None,
    /// A tool listens.
    Attached {
        /// The library's name, or that it was found in the process.
        library: Label,
        /// What the tool says it is; 0 if it does not say (msMemScope does not).
        id: u64,
        /// Whether the library that `MSTX_INJECTION_PATH` names failed, and this one was found in the process instead.
        instead: Option<Refusal>,
    },
    /// `MSTX_INJECTION_PATH` is set, but no tool listens.
    Failed(Refusal),
    /// This is a forked child: it reports nothing.
    Forked,
    /// The process is ending: nothing is sent any more.
    Ended,
}

/// Why a tool does not listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no such file.
    NotFound,
    /// The file is there, but is no library that can be loaded here.
    NotLoadable,
    /// The library has no function `InitInjectionMstx`.
    NoEntryPoint,
    /// The library's `InitInjectionMstx` answered that it failed.
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
#[derive(Clone, Copy, Debug)]
pub struct DomainInfo {
    pub(crate) name: &'static str,
    pub(crate) renamed: Option<&'static str>,
    pub(crate) answer: Answer,
}

/// What the tool said of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// It was not asked yet: the domain was not used, or there is no tool.
    NotAsked,
    /// It took the domain.
    Accepted,
    /// It refused the domain. Its events are sent all the same: one real tool answers so and listens.
    Refused,
}

impl DomainInfo {
    /// The domain's name in the program.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name that the tool is told, if `MSTX_DOMAINS` says another.
    #[must_use]
    pub const fn renamed(&self) -> Option<&'static str> {
        self.renamed
    }

    /// What the tool said of it.
    #[must_use]
    pub const fn answer(&self) -> Answer {
        self.answer
    }
}
