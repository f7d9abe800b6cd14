//! Faults: what the books found wrong.

use core::fmt;

use crate::{Label, Origin};

/// What kind of mistake was found.
///
/// In each case the books are kept true and the program goes on; the event itself is not sent to a tool, except as the
/// kind says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// A region does not lie inside its heap. It is not booked; its release is silent.
    RegionOutsideHeap,
    /// A region overlaps a live one. It is not booked; its release is silent.
    RegionOverlap,
    /// A region starts where a live one starts: its release was missed. The newer one is booked.
    RegionRegisteredTwice,
    /// A region was released that is not known.
    UnknownRelease,
    /// A region was released a second time; the first release is the other origin.
    ReleasedTwice,
    /// An address inside a live region was released that is not its start.
    InteriorRelease,
    /// A region was released to another heap than the one it came from. It stays live.
    WrongHeap,
    /// A region was released, or resized, while a heap lies on it. It stays live.
    ReleasedUnderHeap,
    /// A region was to be resized that is not known. The new one is booked.
    UnknownResize,
    /// A region was still live when its heap ended.
    RegionLeaked,
    /// A heap was still live when the heap or region that it lies on ended.
    HeapLeaked,
    /// A heap overlaps another, and does not lie inside one of its live regions. It is not booked.
    HeapOverlap,
    /// A heap was registered that is live already. The first one stays.
    HeapRegisteredTwice,
    /// A heap was named that is not live: not registered yet, ended, or never known.
    UnknownHeap,
    /// Heaps of several domains start at the named address, and the domain was not given.
    AmbiguousHeap,
    /// A region was registered before the heap that it lies in. It is moved into the heap.
    RegionBeforeHeap,
    /// Address and size together go beyond the end of the address space.
    Wraps,
    /// A plain call was given a null address.
    NullAddress,
    /// A plain call was given a size of zero, or a region without a size.
    NoSize,
    /// A device number that is none was given; device 0 is used.
    BadDevice,
    /// The system's allocator had no memory for the books: the event is lost.
    OutOfMemory,
}

impl FaultKind {
    /// One line that says what is wrong.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::RegionOutsideHeap => "region lies outside its heap",
            Self::RegionOverlap => "region overlaps a live region",
            Self::RegionRegisteredTwice => "region registered twice",
            Self::UnknownRelease => "release of an unknown region",
            Self::ReleasedTwice => "region released twice",
            Self::InteriorRelease => "release of an address inside a region",
            Self::WrongHeap => "region released to the wrong heap",
            Self::ReleasedUnderHeap => "release of a region that a heap lies on",
            Self::UnknownResize => "resize of an unknown region",
            Self::RegionLeaked => "region still live at the end of its heap",
            Self::HeapLeaked => "heap still live at the end of the memory it lies on",
            Self::HeapOverlap => "heap overlaps another heap",
            Self::HeapRegisteredTwice => "heap registered twice",
            Self::UnknownHeap => "no live heap here",
            Self::AmbiguousHeap => "heaps of several domains start here",
            Self::RegionBeforeHeap => "region registered before its heap",
            Self::Wraps => "address and size go beyond the address space",
            Self::NullAddress => "null address",
            Self::NoSize => "size of zero, or none",
            Self::BadDevice => "not a device number",
            Self::OutOfMemory => "no memory for the books; the event is lost",
        }
    }

    /// What the other origin of such a fault did.
    #[must_use]
    const fn other(self) -> &'static str {
        match self {
            Self::ReleasedTwice => "first released at",
            Self::RegionOverlap => "overlaps the one registered at",
            Self::HeapOverlap | Self::RegionOutsideHeap | Self::UnknownHeap => "heap registered at",
            Self::HeapRegisteredTwice | Self::RegionRegisteredTwice => "first registered at",
            _ => "registered at",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.summary())
    }
}

/// A mistake in the order or the extent of heaps and regions.
///
/// Its `Display` is one or two lines with both call sites.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) address: usize,
    pub(crate) size: usize,
    pub(crate) heap: Option<FaultHeap>,
    pub(crate) origin: Origin,
    pub(crate) other: Option<Origin>,
}

/// The heap that a fault is about.
#[derive(Clone, Copy, Debug)]
pub struct FaultHeap {
    pub(crate) name: Label,
    pub(crate) start: usize,
    pub(crate) size: usize,
}

impl FaultHeap {
    /// The heap's name, or else its domain's.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// Where the heap starts.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// The heap's size in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }
}

impl Fault {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The address that the faulty event was about.
    #[must_use]
    pub const fn address(&self) -> usize {
        self.address
    }

    /// The size in bytes that it was about; 0 where it has none.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The heap that it was about, if there is one.
    #[must_use]
    pub const fn heap(&self) -> Option<&FaultHeap> {
        self.heap.as_ref()
    }

    /// Where the faulty event came from.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// Where the event came from that it contradicts, if there is one.
    #[must_use]
    pub const fn other(&self) -> Option<Origin> {
        self.other
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, Place { address: self.address, size: self.size, heap: self.heap })?;
        write!(f, "\n    at {}", self.origin)?;
        if let Some(other) = self.other {
            write!(f, "\n    {} {other}", self.kind.other())?;
        }
        Ok(())
    }
}

/// An address as people read it: the heap's name and an offset, where there is a heap.
struct Place {
    address: usize,
    size: usize,
    heap: Option<FaultHeap>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.size != 0 {
            write!(f, "{} bytes at ", self.size)?;
        }
        match self.heap {
            Some(heap) if self.address >= heap.start => {
                write!(f, "{}+{:#x} ({:#x})", heap.name, self.address - heap.start, self.address)
            }
            Some(heap) => write!(f, "{}-{:#x} ({:#x})", heap.name, heap.start - self.address, self.address),
            None => write!(f, "{:#x}", self.address),
        }
    }
}
