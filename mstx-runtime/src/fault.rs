//! Faults: what the books found wrong.

use core::fmt;

use crate::{Label, Origin};

/// What kind of mistake was found.
///
/// In each case the books are kept true and the program goes on; the event itself is not sent to a tool, except as the
/// kind says. *Booked* means that a heap or region is live in the books, and told to tools. A *silent* release is no further
/// fault: of the regions that were not booked, the latest 256 are remembered for that.
///
/// In each kind, *other* says what [`Fault::other`] is the call of, where it is one.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// use mstx_runtime::{FaultKind, Heap};
///
/// mstx_runtime::domain!(static POOL = "overlapping");
/// let slab = vec![0_u8; 4096];
/// let heap = Heap::register(&POOL, slab.as_ptr(), slab.len());
/// heap.register_region(&slab[..128], 128);
/// heap.register_region(&slab[64..128], 64); // handed out already
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == slab[64..].as_ptr().addr()).unwrap();
/// assert_eq!(fault.kind(), FaultKind::RegionOverlap);
/// assert_eq!(fault.kind().to_string(), "region overlaps a live region");
/// # heap.unregister_region(&slab[64..128]); // silent
/// # heap.unregister_region(&slab[..128]);
/// # let here = |fault: &mstx_runtime::Fault| fault.heap().is_some_and(|heap| heap.start() == slab.as_ptr().addr());
/// # assert_eq!(mstx_runtime::faults().filter(here).count(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// A region does not lie wholly inside its heap.
    ///
    /// A heap of 4096 bytes hands out 64 at its byte 4064. Where no heap is named: a region that crosses the edge of a heap, or
    /// that lies in no heap of its domain, while one is live.
    ///
    /// It is not booked; its release is silent. Look at the pool's arithmetic, and whether a growth of the heap was reported
    /// (`heap_resize`). *Other*: the heap's registration. (Where a new heap, or one that grows, crosses the bounds of a region
    /// of no heap, that region is booked no longer, and *other* is its registration.)
    RegionOutsideHeap,
    /// A region overlaps a live one.
    ///
    /// Bytes 0 to 127 are handed out, then bytes 64 to 127.
    ///
    /// It is not booked; its release is silent. The pool has handed out memory that is in use; or the annotation says a larger
    /// size than the pool keeps apart. *Other*: the live region's registration.
    RegionOverlap,
    /// A region starts where a live one starts: its release was missed.
    ///
    /// `alloc`, a way of giving back that is not annotated, and `alloc` of the same block.
    ///
    /// The newer one is booked in its place. Annotate all ways back: `free`, `realloc`, `reset`, a `Drop`. *Other*: the older
    /// one's registration.
    RegionRegisteredTwice,
    /// A region was released that is not known.
    ///
    /// `free` of what a function handed out that is not annotated; or of what was never handed out.
    ///
    /// Nothing changes. Annotate all ways out, or find out where the address comes from. No fault where the books began late (see
    /// [`attach`](crate::attach)).
    UnknownRelease,
    /// A region was released a second time.
    ///
    /// `alloc`, `free`, `free`; or `alloc`, `reset`, `free`.
    ///
    /// Nothing changes. The caller has kept a pointer too long. The latest 256 releases are remembered; after an older one this
    /// is an [`UnknownRelease`](Self::UnknownRelease). *Other*: the first release, reset or end.
    ReleasedTwice,
    /// An address inside a live region was released that is not its start.
    ///
    /// `alloc` of 64 bytes at 0x1000, `free` of 0x1010.
    ///
    /// The region stays live. The caller has moved the pointer; or the annotation and the pool mean different addresses (a header
    /// in front of the block). *Other*: the region's registration.
    InteriorRelease,
    /// A region was released to another heap than the one it came from.
    ///
    /// `first.alloc`, `second.free`.
    ///
    /// It stays live, in the first heap, which is the fault's. *Other*: its registration.
    WrongHeap,
    /// A region was released, or resized, while a heap lies on it.
    ///
    /// An arena lives in a block of a larger pool, and the block is freed before the arena has ended.
    ///
    /// It stays live; of a resize, the new one is booked. End the inner heap first. *Other*: the inner heap's registration.
    ReleasedUnderHeap,
    /// A region was to be resized that is not known.
    ///
    /// `realloc` of what was freed long ago, or handed out by a function that is not annotated. (Of what was freed lately it is
    /// [`ReleasedTwice`](Self::ReleasedTwice), of an address inside a region [`InteriorRelease`](Self::InteriorRelease).)
    ///
    /// The new one is booked, if the resize succeeds. No fault where the books began late.
    UnknownResize,
    /// A region was still live when its heap ended, or shrank so that it is not wholly inside any more.
    ///
    /// `alloc`, and the pool is dropped.
    ///
    /// It is ended. Free it before; or, if the pool's end is meant to take everything with it, put `heap_reset` on a function
    /// that is called before. What is live when the process exits is no fault. *Other*: the region's registration.
    RegionLeaked,
    /// A heap was still live when the heap that it lies in ended, was reset, or shrank away from it.
    ///
    /// An arena lives in a block of a larger pool, and that pool is dropped first.
    ///
    /// It is ended, with its regions, each a [`RegionLeaked`](Self::RegionLeaked). End inner heaps first. *Other*: the inner
    /// heap's registration.
    HeapLeaked,
    /// A heap overlaps another, and does not lie inside one of its live regions.
    ///
    /// A pool takes memory of another pool without an `alloc` that is annotated; or the end of an earlier heap in that place was
    /// not reported. Also a heap that grows into another, or out of the region that it lies on.
    ///
    /// It is not booked, and its end is silent; one that grows keeps its size. Annotate the `alloc` of the outer pool, and the
    /// end of every heap. *Other*: the registration of the heap in its way, which is the fault's.
    HeapOverlap,
    /// A heap was registered where one of its domain starts already, and is live.
    ///
    /// `Pool::new`, a way of ending the pool that is not annotated, and `Pool::new` in the same memory.
    ///
    /// The first one stays, with its size and its regions. Put `heap_unregister` on what gives the memory back. *Other*: the
    /// first one's registration.
    HeapRegisteredTwice,
    /// A heap was named that is not live: not registered yet, ended, or never known.
    ///
    /// `alloc` before the function that reports the heap; or any use of a pool after its end.
    ///
    /// A region is not booked, and its release is silent; a release, reset, resize or end does nothing. Put `heap` on the
    /// function that obtains the memory, and see that `heap = ..` says an address in it. No fault where the books began late.
    UnknownHeap,
    /// Heaps of several domains start at the named address, and the domain was not given.
    ///
    /// An arena lies at the very start of another pool's memory, and `heap = self.base` could mean either.
    ///
    /// As for [`UnknownHeap`](Self::UnknownHeap). Say `domain = ..` too, or name the heap by its [`Heap`](crate::Heap) guard.
    AmbiguousHeap,
    /// A region was registered before the heap that it lies in.
    ///
    /// `alloc` without `heap = ..`, and later the function that reports the heap around it.
    ///
    /// It is moved into the heap. Report the heap first. The fault's origin is the heap's registration; *other*: the region's.
    RegionBeforeHeap,
    /// Address and size together go beyond the end of the address space.
    ///
    /// `size = end - start` where `end` is the smaller one.
    ///
    /// It is not booked, and a region's release is silent; a heap that was to grow keeps its size.
    Wraps,
    /// A plain call that registers was given a null address.
    ///
    /// `heap.register_region(pointer, 64)` where the allocation had failed. Nothing is booked. Check first. (An attribute takes a
    /// null pointer for a failure, and reports nothing; a release of null is none.)
    NullAddress,
    /// A plain call that registers was given a size of zero; or a region came without a size.
    ///
    /// `heap.register_region(pointer, 0)`; or a type that claims [`KnowsSize`](crate::KnowsSize), and reports a pointer alone.
    /// Nothing is booked. (An attribute whose size is zero reports nothing.)
    NoSize,
    /// An attribute was given a device number that is none; device 0 is used.
    ///
    /// `device = self.device` where that is -1, "no device". Use `host`, or leave it out.
    BadDevice,
    /// The system's allocator had no memory for the books: the event is lost.
    ///
    /// What the books say of that heap or region afterwards may be wrong: further faults may follow that are none.
    OutOfMemory,
}

impl FaultKind {
    /// All of them, in the order of their codes.
    #[doc(hidden)]
    pub const ALL: [Self; 21] = [
        Self::RegionOutsideHeap,
        Self::RegionOverlap,
        Self::RegionRegisteredTwice,
        Self::UnknownRelease,
        Self::ReleasedTwice,
        Self::InteriorRelease,
        Self::WrongHeap,
        Self::ReleasedUnderHeap,
        Self::UnknownResize,
        Self::RegionLeaked,
        Self::HeapLeaked,
        Self::HeapOverlap,
        Self::HeapRegisteredTwice,
        Self::UnknownHeap,
        Self::AmbiguousHeap,
        Self::RegionBeforeHeap,
        Self::Wraps,
        Self::NullAddress,
        Self::NoSize,
        Self::BadDevice,
        Self::OutOfMemory,
    ];

    /// A short name that never changes, to search for and to suppress by: `MSTX01` and so on. The module
    /// `mstx::codes` goes through them one by one.
    ///
    /// ```
    /// assert_eq!(mstx_runtime::FaultKind::ReleasedTwice.code(), "MSTX05");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::RegionOutsideHeap => "MSTX01",
            Self::RegionOverlap => "MSTX02",
            Self::RegionRegisteredTwice => "MSTX03",
            Self::UnknownRelease => "MSTX04",
            Self::ReleasedTwice => "MSTX05",
            Self::InteriorRelease => "MSTX06",
            Self::WrongHeap => "MSTX07",
            Self::ReleasedUnderHeap => "MSTX08",
            Self::UnknownResize => "MSTX09",
            Self::RegionLeaked => "MSTX10",
            Self::HeapLeaked => "MSTX11",
            Self::HeapOverlap => "MSTX12",
            Self::HeapRegisteredTwice => "MSTX13",
            Self::UnknownHeap => "MSTX14",
            Self::AmbiguousHeap => "MSTX15",
            Self::RegionBeforeHeap => "MSTX16",
            Self::Wraps => "MSTX17",
            Self::NullAddress => "MSTX18",
            Self::NoSize => "MSTX19",
            Self::BadDevice => "MSTX20",
            Self::OutOfMemory => "MSTX21",
        }
    }

    /// One line that says what is wrong; the same as its `Display`.
    ///
    /// ```
    /// assert_eq!(mstx_runtime::FaultKind::ReleasedTwice.summary(), "region released twice");
    /// ```
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

    /// Whether it is about a region, or where one should be: then those around it matter.
    #[allow(dead_code, reason = "only the books find faults")]
    pub(crate) const fn is_about_a_region(self) -> bool {
        matches!(
            self,
            Self::RegionOutsideHeap
                | Self::RegionOverlap
                | Self::RegionRegisteredTwice
                | Self::UnknownRelease
                | Self::ReleasedTwice
                | Self::InteriorRelease
                | Self::WrongHeap
                | Self::ReleasedUnderHeap
                | Self::UnknownResize
        )
    }

    /// What the other origin of such a fault did.
    #[must_use]
    const fn other(self) -> &'static str {
        match self {
            Self::ReleasedTwice => "first released at",
            Self::RegionOverlap => "overlaps the one registered at",
            Self::HeapOverlap | Self::RegionOutsideHeap | Self::UnknownHeap | Self::ReleasedUnderHeap | Self::HeapLeaked => {
                "heap registered at"
            }
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
/// Handed to [`Tool::fault`](crate::Tool::fault) when it is found, and kept for [`faults`](crate::faults). It is a copy, on
/// which later events have no influence, and can be kept and sent anywhere. Its `Display` has two or three lines: what is
/// wrong, the call that is at fault, and the one that it contradicts.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// use mstx_runtime::{FaultKind, Heap};
///
/// mstx_runtime::domain!(static POOL = "faulty");
/// let slab = vec![0_u8; 4096];
/// let block = &slab[256..320];
/// let heap = Heap::options().domain(&POOL).name("slab").register(slab.as_ptr(), slab.len());
/// heap.register_region(block, block.len());
/// let first = line!() + 1;
/// heap.unregister_region(block);
/// heap.unregister_region(block);
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == block.as_ptr().addr()).unwrap();
/// assert_eq!(fault.kind(), FaultKind::ReleasedTwice);
/// assert_eq!(fault.size(), 0); // a release has none
/// assert_eq!(fault.heap().map(|heap| (heap.name(), heap.start(), heap.size())), Some(("slab", slab.as_ptr().addr(), 4096)));
/// assert_eq!(fault.other().unwrap().caller().line(), first);
/// assert_eq!(fault.origin().caller().line(), first + 1);
/// assert!(fault.inside().is_none() && fault.left().is_none() && fault.right().is_none()); // nothing else is live in this heap
///
/// // region released twice: slab+0x100 (0x55d6d1c3a100)
/// //     at src/main.rs:10:6 in `Heap::unregister_region`
/// //     first released at src/main.rs:9:6 in `Heap::unregister_region`
/// println!("{fault}");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) address: usize,
    pub(crate) size: usize,
    pub(crate) heap: Option<FaultHeap>,
    pub(crate) origin: Origin,
    pub(crate) other: Option<Origin>,
    pub(crate) around: Around,
    pub(crate) thread: Option<FaultThread>,
}

/// The live regions at and beside the address of a fault.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Around {
    pub(crate) inside: Option<FaultRegion>,
    pub(crate) left: Option<FaultRegion>,
    pub(crate) right: Option<FaultRegion>,
}

/// A live region at or beside the address of a fault, as it was then.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// mstx_runtime::domain!(static POOL = "neighbours");
/// let slab = vec![0_u8; 4096];
/// let heap = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
/// heap.register_region(&slab[..64], 64);
/// heap.register_region(&slab[128..], 100);
/// heap.unregister_region(&slab[140..]); // not where it starts
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == slab[140..].as_ptr().addr()).unwrap();
/// let region = fault.inside().unwrap();
/// assert_eq!((region.start(), region.size()), (slab[128..].as_ptr().addr(), 100));
/// assert_eq!(region.origin().caller().line(), line!() - 6);
/// assert_eq!(fault.left().map(|region| region.size()), Some(64));
/// assert!(fault.right().is_none());
/// # heap.unregister_region(&slab[128..]);
/// # heap.unregister_region(&slab[..64]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FaultRegion {
    pub(crate) start: usize,
    pub(crate) size: usize,
    pub(crate) origin: Origin,
}

impl FaultRegion {
    /// Its first address.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// Its size in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Where it was registered.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }
}

/// The thread whose event is at fault.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// # use std::thread;
/// mstx_runtime::domain!(static POOL = "threads");
/// let slab = vec![0_u8; 4096];
/// let heap = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
/// let worker = thread::Builder::new().name("worker".to_owned());
/// thread::scope(|scope| {
///     worker.spawn_scoped(scope, || heap.unregister_region(&slab[64..])).unwrap(); // was never registered
/// });
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == slab[64..].as_ptr().addr()).unwrap();
/// # #[cfg(target_os = "linux")]
/// assert_eq!(fault.thread().unwrap().name(), "worker");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FaultThread {
    pub(crate) id: u64,
    pub(crate) name: Label,
}

impl FaultThread {
    /// The system's number of the thread (`gettid` on Linux), as debuggers show it; 0 where it is not known.
    #[must_use]
    pub const fn id(&self) -> u64 {
        self.id
    }

    /// The name that the system knows it by, which has up to 15 bytes on Linux; empty where it is not known.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// The heap that a fault is about, as it was then. See [`Fault`] for an example.
#[derive(Clone, Copy, Debug)]
pub struct FaultHeap {
    pub(crate) name: Label,
    pub(crate) start: usize,
    pub(crate) size: usize,
}

impl FaultHeap {
    /// The heap's name, or else its domain's; at most 47 bytes.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The heap's first address.
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

    /// The address that the faulty event was about: where a region or heap starts or should, or the address by which a heap was
    /// named; 0 where there is none.
    #[must_use]
    pub const fn address(&self) -> usize {
        self.address
    }

    /// The size in bytes that it was about; 0 where it has none.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The heap that it was about, if there is one. Where the event contradicts another heap, that one: see the kinds.
    #[must_use]
    pub const fn heap(&self) -> Option<&FaultHeap> {
        self.heap.as_ref()
    }

    /// Where the faulty event came from: the call that is at fault, or that has found it.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// Where the event came from that it contradicts, if there is one: see the kinds.
    #[must_use]
    pub const fn other(&self) -> Option<Origin> {
        self.other
    }

    /// The live region that the address is in, of the heap that the fault is about; of faults that are about regions. See
    /// [`FaultRegion`] for an example.
    #[must_use]
    pub const fn inside(&self) -> Option<&FaultRegion> {
        self.around.inside.as_ref()
    }

    /// The nearest live region that ends at the address or before it, of the same heap.
    #[must_use]
    pub const fn left(&self) -> Option<&FaultRegion> {
        self.around.left.as_ref()
    }

    /// The nearest live region that starts behind the address, of the same heap. Where [`size`](Self::size) bytes from the address
    /// on reach over its start, they overlap.
    #[must_use]
    pub const fn right(&self) -> Option<&FaultRegion> {
        self.around.right.as_ref()
    }

    /// The thread that called; `None` where another thread has found the fault later. See [`FaultThread`] for an example.
    #[must_use]
    pub const fn thread(&self) -> Option<&FaultThread> {
        self.thread.as_ref()
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
