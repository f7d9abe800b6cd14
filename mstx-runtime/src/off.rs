//! What is left where reporting is switched off: the same names, and no code.
//!
//! None of the guards has a `Drop`: a function with one is no longer inlined into other crates as it was without.
#![allow(clippy::unused_self, reason = "the same names, with the same arguments")]

use core::panic::Location;

use crate::tool::Visit;
use crate::{
    AsDomain, AsHeap, Device, Domain, DomainInfo, Fault, FaultKind, HeapKey, KnowsSize, Label, Regions, Site, Size, Status, Stream,
    Tool, ToolStatus,
};

/// Nobody listens, and the compiler knows it.
#[inline(always)]
#[must_use]
pub const fn listening() -> bool {
    false
}

/// There are no books.
#[must_use]
pub const fn is_kept() -> bool {
    false
}

pub use self::listening as may_listen;
pub use self::listening as does_listen;

/// The regions that one call reports: none.
#[derive(Debug)]
pub struct Spans;

impl Spans {
    pub(crate) const fn new() -> Self {
        Self
    }

    pub(crate) const fn same_place() -> Self {
        Self
    }

    pub(crate) const fn len(&self) -> usize {
        0
    }

    pub(crate) const fn push(&mut self, _start: usize, _size: Option<usize>) {}

    pub(crate) const fn append(&mut self, _other: &Self) {}

    pub(crate) const fn resize_from(&mut self, _skip: usize, _bytes: usize) {}
}

macro_rules! inert {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        #[must_use]
        pub struct $name(());

        impl $name {
            /// Nobody listens.
            #[inline(always)]
            pub const fn off() -> Self {
                Self(())
            }

            /// As it is.
            #[inline(always)]
            pub const fn kept(self) -> Self {
                self
            }

            /// Nobody listens.
            #[inline(always)]
            #[must_use]
            pub const fn is_on(&self) -> bool {
                false
            }
        }
    )*};
}

inert! {
    /// Lives as long as the body of a release.
    Release
    /// Lives as long as the body of a resize.
    Resize
    /// Lives as long as the body of a heap's reset or end.
    Body
    /// A range.
    Range
    /// A batch.
    Batch
    /// The allocator's own code.
    Internal
}

/// What an `async` function has while it runs. Nobody listens.
pub trait Suspend {
    /// Something is awaited.
    #[inline(always)]
    fn suspend(&self) {}
    /// The body goes on.
    #[inline(always)]
    fn resume(&self) {}
}

impl Suspend for Call {}
impl Suspend for Release {}
impl Suspend for Resize {}
impl Suspend for HeapResize {}
impl Suspend for Body {}
impl Suspend for Internal {}

/// A call of an annotated function.
#[derive(Debug)]
#[must_use]
pub struct Call(());

/// Lives as long as the body of a heap's resize.
#[derive(Debug)]
#[must_use]
pub struct HeapResize(());

// Each is what it is where reporting is on: see `live::call`. None is ever called.
#[expect(missing_docs, reason = "documented where reporting is on")]
impl Call {
    #[inline(always)]
    pub const fn off() -> Self {
        Self(())
    }

    pub const fn new(_site: &'static Site) -> Self {
        Self(())
    }

    pub fn domain<D: AsDomain + ?Sized>(self, _domain: &D) -> Self {
        self
    }

    pub fn heap<H: AsHeap + ?Sized>(self, _heap: &H) -> Self {
        self
    }

    pub const fn ptr(self, _spans: Spans) -> Self {
        self
    }

    pub fn size<S: Size>(self, _size: S) -> Self {
        self
    }

    pub fn device<D: Device>(self, _device: D) -> Self {
        self
    }

    pub const fn host(self) -> Self {
        self
    }

    pub fn name<N: AsRef<str> + ?Sized>(self, _name: &N) -> Self {
        self
    }

    pub const fn deferred(self) -> Self {
        self
    }

    pub fn deferred_at<S: Size>(self, _n: S) -> Self {
        self
    }

    pub const fn suspends(self) -> Self {
        self
    }

    pub const fn begin(self) -> Self {
        self
    }

    #[inline(always)]
    pub const fn kept(self) -> Self {
        self
    }

    #[inline(always)]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        false
    }

    #[must_use]
    pub const fn is_heard(&self) -> bool {
        false
    }

    pub fn returned<R: Regions + KnowsSize + ?Sized>(self, _result: &R) {}

    pub fn returned_sized<R: Regions + ?Sized>(self, _result: &R) {}

    pub fn pass<R: Regions + KnowsSize>(self, result: R) -> R {
        result
    }

    pub fn pass_sized<R: Regions>(self, result: R) -> R {
        result
    }

    pub const fn finish(self) {}

    pub const fn release(self) -> Release {
        Release::off()
    }

    pub const fn resize(self) -> Resize {
        Resize::off()
    }

    pub const fn heap_resize(self) -> HeapResize {
        HeapResize::off()
    }

    pub const fn heap_reset(self) -> Body {
        Body::off()
    }

    pub const fn heap_unregister(self) -> Body {
        Body::off()
    }

    pub(crate) const fn at(_site: &'static Site, _caller: &'static Location<'static>) -> Self {
        Self(())
    }

    pub(crate) const fn bad_device(self) -> Self {
        self
    }

    pub(crate) const fn complain(self, _kind: FaultKind) {}

    pub(crate) const fn register_region(self, _spans: &Spans, _size: Option<usize>) {}

    pub(crate) const fn register_heap(self, _spans: &Spans, _size: Option<usize>) -> HeapKey {
        HeapKey::at(0)
    }
}

#[expect(missing_docs, reason = "documented where reporting is on")]
impl HeapResize {
    #[inline(always)]
    pub const fn off() -> Self {
        Self(())
    }

    #[inline(always)]
    pub const fn kept(self) -> Self {
        self
    }

    #[inline(always)]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        false
    }

    pub const fn succeeded(self) {}
}

#[expect(missing_docs, reason = "documented where reporting is on")]
impl Release {
    pub fn refused(self) {}
}

#[expect(missing_docs, reason = "documented where reporting is on")]
impl Resize {
    pub fn moved(self, _to: Spans) {}
}

#[expect(missing_docs, reason = "documented where reporting is on")]
impl Range {
    pub const fn new(_site: &'static Site) -> Self {
        Self::off()
    }

    pub(crate) const fn named(_message: &str) -> Self {
        Self::off()
    }

    pub fn domain<D: AsDomain + ?Sized>(self, _domain: &D) -> Self {
        self
    }

    pub fn name<N: AsRef<str> + ?Sized>(self, _name: &N) -> Self {
        self
    }

    pub fn stream<S: Stream>(self, _stream: S) -> Self {
        self
    }

    pub const fn enter(self) -> Self {
        self
    }
}

#[expect(missing_docs, reason = "documented where reporting is on")]
impl Batch {
    pub const fn open() -> Self {
        Self::off()
    }
}

#[expect(missing_docs, reason = "documented where reporting is on")]
impl Internal {
    pub const fn enter() -> Self {
        Self::off()
    }
}

pub(crate) fn attach(_tool: &'static dyn Tool) -> bool {
    false
}

pub(crate) const fn init() {}

pub(crate) const fn flush() {}

pub(crate) const fn mark(_domain: Option<&Domain>, _message: &str, _stream: usize) {}

pub(crate) const fn status() -> Status {
    Status { build: crate::BUILD, tool: ToolStatus::None, checker: false, shared: false, refused: 0, listening: false }
}

pub(crate) const fn fault_from(_number: u64) -> Option<(u64, Fault)> {
    None
}

pub(crate) const fn fault_count() -> u64 {
    0
}

pub(crate) const fn site(_index: usize) -> Option<&'static Site> {
    None
}

pub(crate) const fn last_release(_start: usize) -> Option<crate::Origin> {
    None
}

pub(crate) fn show(_key: Option<HeapKey>, _visit: &mut Visit<'_>) {}

pub(crate) const fn domain(_index: usize) -> Option<DomainInfo> {
    None
}

/// The tool's functions: there is no tool.
pub(crate) mod raw {
    use crate::abi;

    /// A function of the interface.
    pub(crate) struct Function<F>(core::marker::PhantomData<F>);

    macro_rules! functions {
        ($($name:ident: $signature:ident)*) => {
            /// The functions of the three modules.
            pub(crate) struct Functions {
                $(pub(crate) $name: Function<abi::$signature>,)*
            }
        };
    }

    functions! {
        mark: Mark
        range_start: RangeStart
        range_end: RangeEnd
        get_tool_id: GetToolId
        domain_create: DomainCreate
        domain_destroy: DomainDestroy
        domain_mark: DomainMark
        domain_range_start: DomainRangeStart
        domain_range_end: DomainRangeEnd
        heap_register: HeapRegister
        heap_unregister: HeapUnregister
        regions_register: RegionsRegister
        regions_unregister: RegionsUnregister
    }

    /// Calls nothing.
    #[expect(unsafe_code, reason = "as where reporting is on")]
    pub(crate) unsafe fn call<F: Copy + 'static, R>(
        _which: impl FnOnce(&'static Functions) -> &'static Function<F>,
        _call: impl FnOnce(F) -> R,
    ) -> Option<R> {
        None
    }
}

/// Uses the types that only exist where reporting is on.
const _: fn(Label) = |_| {};
