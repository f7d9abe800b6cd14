//! The kinds of files.

use core::fmt;

/// A kind of file that [`write`](crate::write) writes.
///
/// ```
/// use mstx_checker::Format;
///
/// assert_eq!(Format::HeapMap.to_string(), "heap map");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A picture, SVG: each heap's memory over time, its regions coloured by the call that registered them, free space, what is
    /// still live, fragmentation, marks and ranges. Any browser shows it; what the mouse is on says what it is.
    HeapMap,
    /// A memory snapshot as `PyTorch` makes it, pickled: for <https://pytorch.org/memory_viz> and other tools for such files.
    Snapshot,
    /// A trace, JSON: for <https://ui.perfetto.dev> and `chrome://tracing`.
    Trace,
    /// A profile as Valgrind's DHAT makes it, JSON: for `dh_view.html`, which comes with Valgrind.
    Dhat,
}

impl Format {
    /// All of them, each at the place of its number.
    pub(crate) const ALL: [Self; 4] = [Self::HeapMap, Self::Snapshot, Self::Trace, Self::Dhat];

    /// What it is called in `MSTX_CHECK`.
    pub(crate) const fn option(self) -> &'static str {
        match self {
            Self::HeapMap => "heapmap",
            Self::Snapshot => "snapshot",
            Self::Trace => "trace",
            Self::Dhat => "dhat",
        }
    }
}

/// What it is called in messages.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::HeapMap => "heap map",
            Self::Snapshot => "memory snapshot",
            Self::Trace => "trace",
            Self::Dhat => "DHAT profile",
        })
    }
}
