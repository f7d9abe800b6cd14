//! The seam between the books and whoever is told.

use core::ffi::CStr;

use crate::{Fault, Origin};

/// What a tool answered to a registration; `NONE` where it answered nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handle(pub usize);

impl Handle {
    /// No handle.
    pub const NONE: Self = Self(0);

    /// Whether there is none.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A domain, as a tool is told of it.
#[derive(Clone, Copy, Debug)]
pub struct ToolDomain<'a> {
    /// The name under which the tool knows it.
    pub name: &'a CStr,
    /// What the tool answered to its creation.
    pub handle: Handle,
}

/// A heap, as a tool is told of it.
#[derive(Clone, Copy, Debug)]
pub struct ToolHeap<'a> {
    /// Its domain.
    pub domain: ToolDomain<'a>,
    /// Its name, or its domain's.
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
    /// What the tool answered to its registration.
    pub handle: Handle,
}

/// A region, as a tool is told of it.
#[derive(Clone, Copy, Debug)]
pub struct ToolRegion {
    /// Its first address.
    pub start: usize,
    /// Its size in bytes.
    pub size: usize,
    /// The device whose memory it is.
    pub device: u32,
    /// Who registered it.
    pub origin: Origin,
    /// What the tool answered to its registration.
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
/// The injected tool is one, the built-in checker another, a test's recorder a third. All methods do nothing by default.
///
/// # Threads
///
/// Never two calls at a time, and in the order of ownership: an address is registered, unregistered, registered, and so on.
///
/// # Rules for implementors
///
/// The calls come from inside the program's allocators. A tool may not panic, and may not allocate from an allocator that is
/// annotated. An annotated function that a tool calls is not reported.
pub trait Tool: Sync {
    /// Whether it wants to be told of heaps that are host memory. The interface is for device memory, so the injected tool
    /// does not.
    fn wants_host(&self) -> bool {
        true
    }

    /// A domain is used for the first time. What is returned comes back in [`ToolDomain::handle`].
    fn domain_create(&self, name: &CStr) -> Handle {
        let _ = name;
        Handle::NONE
    }

    /// A heap is live from now on.
    fn heap_register(&self, heap: &ToolHeap<'_>) -> Handle {
        let _ = heap;
        Handle::NONE
    }

    /// A heap has another size from now on, or another name and origin; its regions stay. `heap` has the new ones.
    fn heap_resize(&self, heap: &ToolHeap<'_>, old_size: usize) {
        let _ = (heap, old_size);
    }

    /// A heap is live no longer. Its regions were unregistered before.
    fn heap_unregister(&self, heap: &ToolHeap<'_>) {
        let _ = heap;
    }

    /// Regions of one heap, or of none, are live from now on. `handles` is as long as `regions` and filled with `NONE`.
    fn regions_register(
        &self,
        domain: ToolDomain<'_>,
        heap: Option<&ToolHeap<'_>>,
        regions: &[ToolRegion],
        handles: &mut [Handle],
    ) {
        let _ = (domain, heap, regions, handles);
    }

    /// Regions are live no longer.
    fn regions_unregister(&self, domain: ToolDomain<'_>, regions: &[ToolRegion]) {
        let _ = (domain, regions);
    }

    /// A mark. `stream` is 0 for the host.
    fn mark(&self, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) {
        let _ = (domain, message, stream);
    }

    /// A range begins. What is returned comes back when it ends; 0 is a value like any other.
    fn range_start(&self, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) -> u64 {
        let _ = (domain, message, stream);
        0
    }

    /// A range ends.
    fn range_end(&self, domain: Option<ToolDomain<'_>>, id: u64) {
        let _ = (domain, id);
    }

    /// A mistake was found.
    fn fault(&self, fault: &Fault) {
        let _ = fault;
    }

    /// The process is ending; nothing follows.
    fn end(&self) {}
}
