//! Domains: the name under which a tool keeps a pool's heaps and regions.

use core::fmt;

/// The longest name of a domain, in bytes, that the interface allows.
pub(crate) const MAX_NAME: usize = 1023;
/// The longest default name: one real tool refuses longer ones.
#[allow(dead_code, reason = "only the runtime spells names out")]
pub(crate) const MAX_DEFAULT_NAME: usize = 255;

/// A domain: the name under which a tool keeps a pool's heaps and regions.
///
/// Declare one with [`domain!`](crate::domain!). Two declarations of one name are one domain. A tool is asked for it on
/// first use, once in the life of the process; there is no end of a domain. A pool that says none gets the domain that is named
/// after its module. A domain can be used from any thread.
///
/// Some tools know certain names only: `MSTX_DOMAINS=kv_cache=ptaCaching` renames this one for them, without another build.
///
/// ```
/// use mstx_runtime::Domain;
///
/// static KV_CACHE: Domain = Domain::new("kv_cache");
/// assert_eq!(KV_CACHE.name(), Some("kv_cache"));
/// ```
pub struct Domain {
    name: Name,
    #[cfg(feature = "rt")]
    #[allow(dead_code, reason = "only the runtime numbers them")]
    pub(crate) number: once_cell::race::OnceNonZeroUsize,
}

/// How a domain is named.
#[derive(Clone, Copy)]
pub(crate) enum Name {
    /// As it is written.
    Exact(&'static str),
    /// After a module's path.
    Module(&'static str),
}

impl Domain {
    /// A domain of this name: 1 to 1023 bytes of `[A-Za-z0-9_]`. One tool (mspti) refuses more than 255 bytes.
    ///
    /// It is not in the list of [`domains`](crate::domains()) until it is used, as one that [`domain!`](crate::domain!)
    /// declares is.
    ///
    /// # Panics
    ///
    /// If the name is none: in a `static` or `const` that is an error of the compiler, at the declaration.
    ///
    /// ```
    /// let domain = mstx_runtime::Domain::new("ptaCaching");
    /// # assert_eq!(domain.name(), Some("ptaCaching"));
    /// ```
    #[must_use]
    #[track_caller] // the compiler's message is about the declaration, and not about what follows
    #[expect(clippy::panic, reason = "documented: a name is meant to be checked at compile time")]
    pub const fn new(name: &'static str) -> Self {
        match check(name) {
            Ok(()) => Self::named(Name::Exact(name)),
            Err(Wrong::Empty) => panic!("a domain's name must have at least one byte"),
            Err(Wrong::Long) => panic!("a domain's name must have at most 1023 bytes"),
            Err(Wrong::Byte) => panic!("a domain's name must be made of the letters A-Z and a-z, digits, and `_`"),
        }
    }

    /// The domain named after a module: `::` becomes `__`, `r#` is dropped, other bytes become `xNN`.
    pub(crate) const fn of_module(path: &'static str) -> Self {
        Self::named(Name::Module(path))
    }

    const fn named(name: Name) -> Self {
        Self {
            name,
            #[cfg(feature = "rt")]
            number: once_cell::race::OnceNonZeroUsize::new(),
        }
    }

    /// The name as it was written; `None` for the domain that is named after a module (see
    /// [`Site::domain`](crate::Site::domain)).
    #[must_use]
    pub const fn name(&self) -> Option<&'static str> {
        match self.name {
            Name::Exact(name) => Some(name),
            Name::Module(_) => None,
        }
    }

    #[allow(dead_code, reason = "only the runtime spells names out")]
    pub(crate) const fn naming(&self) -> Name {
        self.name
    }
}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Name::Exact(name) => write!(f, "Domain({name:?})"),
            Name::Module(path) => write!(f, "Domain(module {path})"),
        }
    }
}

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    Empty,
    Long,
    Byte,
}

/// Whether a tool can take this name.
pub(crate) const fn check(name: &str) -> Result<(), Wrong> {
    let bytes = name.as_bytes();
    if bytes.is_empty() {
        return Err(Wrong::Empty);
    }
    if bytes.len() > MAX_NAME {
        return Err(Wrong::Long);
    }
    let mut at = 0;
    while at < bytes.len() {
        if !(bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
            return Err(Wrong::Byte);
        }
        at += 1;
    }
    Ok(())
}
