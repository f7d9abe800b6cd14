//! Call sites: the annotated functions.

use core::fmt;
use core::panic::Location;
use core::sync::atomic::AtomicBool;

use crate::Domain;

/// What a call reports: the attribute on the function, or the plain call that does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(non_camel_case_types, reason = "spelled as the attributes are, so that an expansion can name them")]
pub enum Word {
    /// A heap is registered.
    heap,
    /// A heap and its regions are unregistered.
    heap_unregister,
    /// The regions of a heap are unregistered.
    heap_reset,
    /// A heap's size changes in place.
    heap_resize,
    /// Regions are registered.
    region,
    /// Regions are unregistered.
    region_unregister,
    /// A region's size or place changes.
    region_resize,
    /// A range begins and ends.
    range,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::heap => "heap",
            Self::heap_unregister => "heap_unregister",
            Self::heap_reset => "heap_reset",
            Self::heap_resize => "heap_resize",
            Self::region => "region",
            Self::region_unregister => "region_unregister",
            Self::region_resize => "region_resize",
            Self::range => "range",
        })
    }
}

/// A function that reports: one of these stands in each annotated function, as a static.
pub struct Site {
    word: Word,
    function: &'static str,
    module: &'static str,
    location: &'static Location<'static>,
    domain: Domain,
    /// Whether it has reported yet.
    #[allow(dead_code, reason = "only the runtime reports")]
    pub(crate) seen: AtomicBool,
}

impl Site {
    /// Not public API: made by the attributes.
    #[doc(hidden)]
    #[must_use]
    #[track_caller]
    pub const fn new(word: Word, function: &'static str, module: &'static str) -> Self {
        Self {
            word,
            function,
            module,
            location: Location::caller(),
            domain: Domain::of_module(module),
            seen: AtomicBool::new(false),
        }
    }

    /// What the function reports.
    #[must_use]
    pub const fn word(&self) -> Word {
        self.word
    }

    /// The function's name.
    #[must_use]
    pub const fn function(&self) -> &'static str {
        self.function
    }

    /// The path of the module that the function stands in.
    #[must_use]
    pub const fn module(&self) -> &'static str {
        self.module
    }

    /// Where the function stands.
    #[must_use]
    pub const fn location(&self) -> &'static Location<'static> {
        self.location
    }

    /// The domain that is used where neither the attribute nor the heap says another: the one named after the module.
    #[must_use]
    pub const fn domain(&self) -> &Domain {
        &self.domain
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site")
            .field("word", &self.word)
            .field("function", &self.function)
            .field("module", &self.module)
            .field("location", &format_args!("{}", self.location))
            .finish_non_exhaustive()
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{} ({})", self.module, self.function, self.location)
    }
}

/// Where an event came from: the annotated function, and its caller.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    pub(crate) site: &'static Site,
    pub(crate) caller: &'static Location<'static>,
}

impl Origin {
    /// The annotated function.
    #[must_use]
    pub const fn site(&self) -> &'static Site {
        self.site
    }

    /// The caller of a function that is `#[track_caller]`; else the annotated function's own line.
    #[must_use]
    pub const fn caller(&self) -> &'static Location<'static> {
        self.caller
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in `{}`", self.caller, self.site.function)
    }
}
