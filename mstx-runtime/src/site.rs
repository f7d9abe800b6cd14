//! Call sites: the annotated functions.

use core::fmt;
use core::panic::Location;
use core::sync::atomic::AtomicBool;

use crate::Domain;

/// What a call reports: the attribute on the function, or the plain call that does the same.
///
/// Its `Display` is the attribute's name.
///
/// ```
/// use mstx_runtime::Word;
///
/// assert_eq!(Word::region_unregister.to_string(), "region_unregister");
/// ```
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

/// A function that reports: one of these stands in each annotated function, as a static. The plain calls have some too, in a
/// module that is called `mstx`.
///
/// See [`sites`](crate::sites()) for all of them, and [`Origin::site`] for that of an event. Its `Display` is module, function
/// and place.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// use mstx_runtime::{Heap, Word};
///
/// mstx_runtime::domain!(static POOL = "sited");
/// let slab = [0_u8; 64];
/// let heap = Heap::register(&POOL, slab.as_ptr(), slab.len());
///
/// let site = mstx_runtime::sites().find(|site| site.function() == "Heap::register").unwrap();
/// assert_eq!((site.word(), site.module()), (Word::heap, "mstx"));
/// println!("{site}"); // "mstx::Heap::register (/../api.rs:374:34)"
/// ```
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

    /// The function's name, without its module.
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
    ///
    /// In its name `::` becomes `__`, `r#` is dropped, every other byte that tools do not take becomes `xNN`, and what goes
    /// beyond 255 bytes is cut, and ends with a hash of the whole.
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
///
/// With `#[track_caller]` on the annotated function the caller is the line that a user of the pool wants to see; without it
/// both are the same. Its `Display` is the caller's place and the function's name.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// # use mstx_runtime::Heap;
/// mstx_runtime::domain!(static POOL = "original");
///
/// #[track_caller]
/// fn alloc<'a>(heap: &Heap, slab: &'a [u8]) -> &'a [u8] {
///     heap.register_region(&slab[..64], 64);
///     &slab[..64]
/// }
///
/// let slab = [0_u8; 256];
/// let heap = Heap::register(&POOL, slab.as_ptr(), slab.len());
/// alloc(&heap, &slab);
/// alloc(&heap, &slab); // hands out the same again
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == slab.as_ptr().addr()).unwrap();
/// assert_eq!(fault.origin().site().function(), "Heap::register_region");
/// assert_eq!(fault.origin().caller().line(), fault.other().unwrap().caller().line() + 1); // the two lines that call `alloc`
/// println!("{}", fault.origin()); // "src/main.rs:14:1 in `Heap::register_region`"
/// # heap.unregister_region(&slab[..64]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    pub(crate) site: &'static Site,
    pub(crate) caller: &'static Location<'static>,
    /// Where a call from outside of Rust returns to; 0 for none.
    pub(crate) address: usize,
}

impl Origin {
    /// Not public API: of a function that is annotated, or a plain call.
    #[allow(dead_code, reason = "only the runtime reports")]
    pub(crate) const fn new(site: &'static Site, caller: &'static Location<'static>) -> Self {
        Self { site, caller, address: 0 }
    }

    /// Not public API: of a call of `site` from outside of Rust, which returns to `address`; 0 where that is not known.
    #[doc(hidden)]
    #[must_use]
    pub const fn foreign(site: &'static Site, address: usize) -> Self {
        Self { site, caller: site.location, address }
    }

    /// Not public API: where a call from outside of Rust returns to; 0 for all others.
    #[doc(hidden)]
    #[must_use]
    pub const fn address(&self) -> usize {
        self.address
    }

    /// The annotated function.
    #[must_use]
    pub const fn site(&self) -> &'static Site {
        self.site
    }

    /// The caller of a function that is `#[track_caller]`; else the annotated function's own line. Of a plain call, the line of
    /// the call.
    #[must_use]
    pub const fn caller(&self) -> &'static Location<'static> {
        self.caller
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            0 => write!(f, "{} in `{}`", self.caller, self.site.function),
            address => write!(f, "{address:#x} in `{}`", self.site.function),
        }
    }
}
