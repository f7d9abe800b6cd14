//! The seam between the books and whoever is told.

use core::ffi::CStr;

use crate::{Fault, Origin};

/// What a tool answered to a registration; `NONE` where it answered nothing.
///
/// Only the injected tool's answers are kept: its interface wants them back. A tool in the process can tell live regions of a
/// heap apart by their addresses.
///
/// ```
/// use mstx_runtime::Handle;
///
/// assert!(Handle::NONE.is_none());
/// assert!(!Handle(7).is_none());
/// assert_eq!(Handle::default(), Handle::NONE);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handle(pub usize);

impl Handle {
    /// No handle.
    pub const NONE: Self = Self(0);

    /// Whether there is none. The interface's null.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A domain, as a tool is told of it. Borrowed for the call.
#[derive(Clone, Copy, Debug)]
pub struct ToolDomain<'a> {
    /// The name under which the tool knows it: what `MSTX_DOMAINS` says, where it renames the domain.
    pub name: &'a CStr,
    /// What the injected tool answered to its creation; `NONE` for a tool in the process.
    pub handle: Handle,
}

/// A heap, as a tool is told of it. Borrowed for the call; the memory itself may be a device's, and is not to be touched.
#[derive(Clone, Copy, Debug)]
pub struct ToolHeap<'a> {
    /// Its domain.
    pub domain: ToolDomain<'a>,
    /// Its name, or its domain's; at most 47 bytes.
    pub name: &'a str,
    /// Its first address.
    pub start: usize,
    /// Its size in bytes.
    pub size: usize,
    /// The device whose memory it is; 0 if none was said.
    pub device: u32,
    /// Where it is.
    pub place: Place,
    /// Who registered it.
    pub origin: Origin,
    /// What the injected tool answered to its registration.
    pub handle: Handle,
}

/// A region, as a tool is told of it.
///
/// No two live regions of a heap overlap. One that is told to a tool in the process may have a whole heap inside of it.
#[derive(Clone, Copy, Debug)]
pub struct ToolRegion {
    /// Its first address.
    pub start: usize,
    /// Its size in bytes.
    pub size: usize,
    /// The device whose memory it is; 0 if none was said.
    pub device: u32,
    /// Who registered it, also when it is unregistered.
    pub origin: Origin,
    /// What the injected tool answered to its registration; `NONE` for a tool in the process.
    pub handle: Handle,
}

/// Where a heap's memory is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Nothing was said: told to tools as device 0.
    #[default]
    Unsaid,
    /// Memory of a device: never touched by checks on the host.
    Device,
    /// Memory of the host: told only to tools that want it.
    Host,
}

/// Somebody who is told what a program's pools do.
///
/// The injected tool is one, the built-in checker another, a test's recorder a third. All methods do nothing by default. A tool
/// in the process is attached with [`attach`](crate::attach):
///
/// ```standalone_crate
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
///
/// use mstx_runtime::{Handle, Heap, Tool, ToolDomain, ToolHeap, ToolRegion};
///
/// /// Counts the bytes that pools have handed out.
/// struct Live {
///     bytes: AtomicUsize,
/// }
///
/// impl Tool for Live {
///     fn regions_register(&self, _: ToolDomain<'_>, _: Option<&ToolHeap<'_>>, regions: &[ToolRegion], _: &mut [Handle]) {
///         self.bytes.fetch_add(regions.iter().map(|region| region.size).sum(), Relaxed);
///     }
///
///     fn regions_unregister(&self, _: ToolDomain<'_>, _: Option<&ToolHeap<'_>>, regions: &[ToolRegion]) {
///         self.bytes.fetch_sub(regions.iter().map(|region| region.size).sum(), Relaxed);
///     }
/// }
///
/// static LIVE: Live = Live { bytes: AtomicUsize::new(0) };
/// mstx_runtime::attach(&LIVE);
///
/// mstx_runtime::domain!(static POOL = "pool");
/// let slab = [0_u8; 256];
/// let heap = Heap::register(&POOL, slab.as_ptr(), slab.len());
/// heap.register_region(&slab[..64], 64);
/// assert_eq!(LIVE.bytes.load(Relaxed), 64);
/// heap.reset();
/// assert_eq!(LIVE.bytes.load(Relaxed), 0);
/// ```
///
/// # Threads
///
/// The calls come from whichever thread reports. Never two calls at a time, and in the order of ownership: an address is
/// registered, unregistered, registered, and so on. A call has returned before the annotated function goes on; other threads
/// that report wait meanwhile.
///
/// # Rules for implementors
///
/// The calls come from inside the program's allocators. A tool may not panic, and may not allocate from an allocator that is
/// annotated. An annotated function that a tool calls is not reported; so what it allocates there is unknown when it is given
/// back later, a fault. From inside a tool, [`faults`](crate::faults) is empty.
///
/// An injected C tool need not know of this trait; see [`raw`](crate::raw) for its side.
pub trait Tool: Sync {
    /// Whether it wants to be told of heaps that are host memory. The interface is for device memory, so the injected tool
    /// does not, unless it is our own checker.
    fn wants_host(&self) -> bool {
        true
    }

    /// Whether it wants to be told when the allocator's own code runs. Asked once, when it is attached.
    fn wants_bodies(&self) -> bool {
        false
    }

    /// The allocator's own code begins in this thread: the body of an annotated function, or
    /// [`allocator_internal`](crate::allocator_internal()). What the thread accesses until the end is no mistake of the program's.
    ///
    /// Several may be open in a thread, one inside the other. Other than the rest, this may be called by several threads at once, and
    /// while an event is told. Not told to an injected tool. The body of an `async` function ends at each `.await`, and
    /// begins again after it; one that may be suspended where that is not seen is not told at all.
    fn enter_allocator(&self) {}

    /// It ends, in the same thread; also where the process is ending, or was forked meanwhile.
    fn leave_allocator(&self) {}

    /// Not public API: whether it is the built-in checker. Besides that, an injected one has nothing more to say.
    #[doc(hidden)]
    fn is_checker(&self) -> bool {
        false
    }

    /// A domain is used for the first time, or listed by [`domains`](crate::domains()). Of two that `MSTX_DOMAINS` gives one
    /// name, only the first is told. One that was used before the tool was attached is not told; its heaps and regions are,
    /// with its name.
    fn domain_create(&self, name: &CStr) -> Handle {
        let _ = name;
        Handle::NONE
    }

    /// A heap is live from now on. Nothing in it may be accessed until regions are registered.
    ///
    /// A heap may lie inside a region of another, also at the same address. At a tool in the process, several heaps can start
    /// at one address then; at the injected one never.
    fn heap_register(&self, heap: &ToolHeap<'_>) -> Handle {
        let _ = heap;
        Handle::NONE
    }

    /// A heap has another size (in bytes) from now on, or another name and origin; its regions stay. `heap` has the new ones.
    ///
    /// The C interface has no such call: of another size, an injected tool is told that the heap and its regions end, and begin
    /// again.
    fn heap_resize(&self, heap: &ToolHeap<'_>, old_size: usize) {
        let _ = (heap, old_size);
    }

    /// A heap is live no longer. Its regions were unregistered before.
    fn heap_unregister(&self, heap: &ToolHeap<'_>) {
        let _ = heap;
    }

    /// Regions of one heap, or of none, are live from now on. `handles` is as long as `regions` and filled with `NONE`.
    ///
    /// `regions` is never empty. What one call of an annotated function hands out in one heap mostly comes in one call.
    fn regions_register(
        &self,
        domain: ToolDomain<'_>,
        heap: Option<&ToolHeap<'_>>,
        regions: &[ToolRegion],
        handles: &mut [Handle],
    ) {
        let _ = (domain, heap, regions, handles);
    }

    /// Regions of one heap, or of none, are live no longer. (To the injected tool they come by domain, of several heaps at once, and
    /// `heap` is never given.)
    fn regions_unregister(&self, domain: ToolDomain<'_>, heap: Option<&ToolHeap<'_>>, regions: &[ToolRegion]) {
        let _ = (domain, heap, regions);
    }

    /// A mark; without a domain, in the default one. `message` has at most 156 bytes. `stream` is 0 for the host.
    fn mark(&self, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) {
        let _ = (domain, message, stream);
    }

    /// A range begins; see [`mark`](Self::mark) for the arguments. What is returned comes back when it ends; 0 is a value like
    /// any other.
    fn range_start(&self, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) -> u64 {
        let _ = (domain, message, stream);
        0
    }

    /// A range ends: in the thread that drops its guard, and in any order.
    fn range_end(&self, domain: Option<ToolDomain<'_>>, id: u64) {
        let _ = (domain, id);
    }

    /// A mistake was found.
    ///
    /// While no tool in the process listens, the first hundred faults are written to the standard error stream instead. With
    /// one, it is the tool's to show them.
    fn fault(&self, fault: &Fault) {
        let _ = fault;
    }

    /// The process is about to end: soon nothing is told any more, and other threads go on meanwhile. From now on the allocator's own code is
    /// not told either. This may be called while an event is told.
    fn before_end(&self) {}

    /// The process is ending; nothing follows. What is live is not ended before. Not called if the process is killed, aborts or
    /// calls `_exit`, nor in a forked child, nor on systems other than Unix, where nobody says when the process exits.
    fn end(&self) {}
}

/// Is shown a heap, or none, and its live regions. It is called with the books locked, so what holds for a [`Tool`] holds for it.
pub type Visit<'a> = dyn FnMut(Option<&ToolHeap<'_>>, &mut dyn Iterator<Item = ToolRegion>) + 'a;
