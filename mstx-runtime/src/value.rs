//! How regions, pointers, sizes and heaps are read out of the values that pools use.
//!
//! The traits here are what the attributes ask of an annotated function's argument expressions and return type. They are
//! the same in every build, so that a switched-off build refuses what a switched-on one refuses.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use core::ops::Deref;
use core::pin::Pin;
use core::ptr::NonNull;

use crate::Domain;
use crate::Spans;

/// A number of bytes, as the argument `size` takes it.
///
/// Implemented for `usize`, `u32`, `u64`, their non-zero forms, and `Option` of these (`None`: there is nothing to report).
/// Not for `i32`: in `size = 32 << 30` it would silently be 0.
///
/// ```
/// use mstx_runtime::Size;
/// assert_eq!(4096_usize.bytes(), Some(4096));
/// assert_eq!(None::<u32>.bytes(), None);
/// ```
///
/// A type of your own can be a size too:
///
/// ```
/// use mstx_runtime::Size;
///
/// struct Pages(u32);
///
/// impl Size for Pages {
///     fn bytes(self) -> Option<usize> {
///         (self.0 as usize).checked_mul(4096)
///     }
/// }
/// assert_eq!(Pages(2).bytes(), Some(8192));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a size in bytes",
    label = "expected `usize`, `u32`, `u64`, a non-zero form of these, or an `Option` of one",
    note = "for another integer write `as usize`; signed ones are refused because `32 << 30` as `i32` would silently be 0"
)]
pub trait Size {
    /// The number of bytes; `None` where nothing is to be reported, as for 0.
    ///
    /// Called only while somebody listens, in the annotated function: it may not panic, nor allocate from the pool.
    fn bytes(self) -> Option<usize>;
}

impl Size for usize {
    fn bytes(self) -> Option<usize> {
        Some(self)
    }
}

impl Size for u32 {
    fn bytes(self) -> Option<usize> {
        // Saturates on 16-bit targets, where no region can be that large.
        Some(usize::try_from(self).unwrap_or(usize::MAX))
    }
}

impl Size for u64 {
    fn bytes(self) -> Option<usize> {
        Some(usize::try_from(self).unwrap_or(usize::MAX))
    }
}

impl Size for NonZeroUsize {
    fn bytes(self) -> Option<usize> {
        Some(self.get())
    }
}

impl Size for NonZeroU32 {
    fn bytes(self) -> Option<usize> {
        self.get().bytes()
    }
}

impl Size for NonZeroU64 {
    fn bytes(self) -> Option<usize> {
        self.get().bytes()
    }
}

impl<S: Size> Size for Option<S> {
    fn bytes(self) -> Option<usize> {
        self.and_then(Size::bytes)
    }
}

/// The number of a device, as the argument `device` takes it: any integer but the 128-bit ones, or a type of your own.
///
/// ```
/// use mstx_runtime::Device;
/// assert_eq!(1.number(), Some(1));
/// assert_eq!((-1).number(), None);
/// ```
#[diagnostic::on_unimplemented(message = "`{Self}` is not a device number", label = "expected an integer")]
pub trait Device {
    /// The device's number; `None` if it is none (negative, or over 32 bits): a fault, and device 0 is used.
    fn number(self) -> Option<u32>;
}

macro_rules! device {
    ($($integer:ty)*) => {$(
        impl Device for $integer {
            fn number(self) -> Option<u32> {
                u32::try_from(self).ok()
            }
        }
    )*};
}
device!(u16 u32 u64 usize i32 i64);

impl Device for u8 {
    fn number(self) -> Option<u32> {
        Some(self.into())
    }
}

/// A stream of a device (an `aclrtStream`), as marks and ranges take it: a raw pointer, or a type of your own. `()` is none: host
/// only. It is handed to tools as it is, and never used here.
///
/// ```
/// use std::ffi::c_void;
///
/// use mstx_runtime::Stream;
///
/// /// A stream of the device's runtime.
/// struct Queue(*mut c_void);
///
/// impl Stream for &Queue {
///     fn address(self) -> usize {
///         self.0.addr()
///     }
/// }
///
/// # let queue = Queue(std::ptr::null_mut());
/// mstx_runtime::mark_on("copy begins", &queue);
/// assert_eq!(().address(), 0);
/// ```
#[diagnostic::on_unimplemented(message = "`{Self}` is not a stream", label = "expected a raw pointer (an `aclrtStream`)")]
pub trait Stream {
    /// The stream as the interface carries it; 0 for none.
    fn address(self) -> usize;
}

impl<T> Stream for *mut T {
    fn address(self) -> usize {
        self.addr()
    }
}

impl<T> Stream for *const T {
    fn address(self) -> usize {
        self.addr()
    }
}

impl<T> Stream for NonNull<T> {
    fn address(self) -> usize {
        self.addr().get()
    }
}

impl Stream for () {
    fn address(self) -> usize {
        0
    }
}

/// Says which heap is meant: its start, or any address in it; or the very heap of a [`Heap`](crate::Heap) guard.
///
/// A number, and no borrow: the heap need not be live, and its memory is not touched. An address that starts heaps of several
/// domains means one of them only where the domain is given too. Of several heaps of one domain that start there, the innermost
/// is meant; for a region that is registered, the innermost that it fits into.
///
/// ```
/// let mut slab = [0_u8; 64];
/// let key = mstx_runtime::HeapKey::from(slab.as_mut_ptr());
/// assert_eq!(key.address(), slab.as_ptr().addr());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapKey {
    pub(crate) address: usize,
    /// Which of the heaps that started there; 0 where only the address is known.
    pub(crate) id: u32,
}

impl HeapKey {
    /// The heap that starts at this address, else the innermost heap that contains it. For pools that keep addresses as
    /// integers; see [`AsHeap`] for an example.
    #[must_use]
    pub const fn at(address: usize) -> Self {
        Self { address, id: 0 }
    }

    /// The address that the key was made from.
    #[must_use]
    pub const fn address(self) -> usize {
        self.address
    }
}

impl<T: ?Sized> From<*mut T> for HeapKey {
    fn from(pointer: *mut T) -> Self {
        Self::at(pointer.addr())
    }
}

impl<T: ?Sized> From<*const T> for HeapKey {
    fn from(pointer: *const T) -> Self {
        Self::at(pointer.addr())
    }
}

impl<T: ?Sized> From<NonNull<T>> for HeapKey {
    fn from(pointer: NonNull<T>) -> Self {
        Self::at(pointer.addr().get())
    }
}

/// What the argument `heap` takes: a pointer to the heap's start, a [`Heap`](crate::Heap) guard, or a pool of your own.
///
/// For a pool of your own, one line says which heap it is:
///
/// ```
/// use mstx_runtime::{AsHeap, HeapKey};
///
/// struct Pool { base: *mut u8 }
///
/// impl AsHeap for Pool {
///     fn as_heap(&self) -> HeapKey { self.base.into() }
/// }
/// ```
///
/// With it, `heap = self` works in every method, whatever the receiver: `&Self`, `&mut Self`, `Box<Self>`, `Rc<Self>`,
/// `Arc<Self>` and `Pin` of these.
///
/// A pool of device memory may have its start as an integer:
///
/// ```
/// use mstx_runtime::{AsHeap, HeapKey};
///
/// struct DevicePool { base: u64 }
///
/// impl AsHeap for DevicePool {
///     fn as_heap(&self) -> HeapKey { HeapKey::at(self.base as usize) }
/// }
/// # assert_eq!(DevicePool { base: 0x12c0_0000_0000 }.as_heap(), HeapKey::at(0x12c0_0000_0000));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which heap it is",
    label = "expected a pointer to the heap's start, a `Heap` guard, or a type with `AsHeap`",
    note = "for a pool of your own: `impl mstx::AsHeap for Pool {{ fn as_heap(&self) -> mstx::HeapKey {{ self.base.into() }} }}`"
)]
pub trait AsHeap {
    /// Says which heap this is.
    ///
    /// Called once for a call of an annotated function, before its body, and only while somebody listens: it may not panic, nor
    /// allocate from the pool.
    fn as_heap(&self) -> HeapKey;
}

impl AsHeap for HeapKey {
    fn as_heap(&self) -> HeapKey {
        *self
    }
}

impl<T: ?Sized> AsHeap for *mut T {
    fn as_heap(&self) -> HeapKey {
        (*self).into()
    }
}

impl<T: ?Sized> AsHeap for *const T {
    fn as_heap(&self) -> HeapKey {
        (*self).into()
    }
}

impl<T: ?Sized> AsHeap for NonNull<T> {
    fn as_heap(&self) -> HeapKey {
        (*self).into()
    }
}

/// Device addresses are often kept as integers.
impl AsHeap for usize {
    fn as_heap(&self) -> HeapKey {
        HeapKey::at(*self)
    }
}

impl AsHeap for u64 {
    fn as_heap(&self) -> HeapKey {
        HeapKey::at(usize::try_from(*self).unwrap_or(0))
    }
}

impl<T: AsHeap + ?Sized> AsHeap for &T {
    fn as_heap(&self) -> HeapKey {
        (**self).as_heap()
    }
}

impl<T: AsHeap + ?Sized> AsHeap for &mut T {
    fn as_heap(&self) -> HeapKey {
        (**self).as_heap()
    }
}

impl<T: AsHeap + ?Sized> AsHeap for Box<T> {
    fn as_heap(&self) -> HeapKey {
        (**self).as_heap()
    }
}

impl<T: AsHeap + ?Sized> AsHeap for Rc<T> {
    fn as_heap(&self) -> HeapKey {
        (**self).as_heap()
    }
}

impl<T: AsHeap + ?Sized> AsHeap for Arc<T> {
    fn as_heap(&self) -> HeapKey {
        (**self).as_heap()
    }
}

impl<P: Deref<Target: AsHeap>> AsHeap for Pin<P> {
    fn as_heap(&self) -> HeapKey {
        (**self).as_heap()
    }
}

/// What the argument `domain` takes: a [`Domain`], or a reference to one. A pool that has its domain in a field says
/// `domain = self.domain`.
///
/// ```
/// use mstx_runtime::{AsDomain, Domain};
///
/// struct Pool { domain: &'static Domain }
///
/// mstx_runtime::domain!(static WEIGHTS = "weights");
/// let pool = Pool { domain: &WEIGHTS };
/// assert_eq!(pool.domain.as_domain().name(), Some("weights"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a domain",
    label = "expected a `Domain`, a `&Domain`, or a string literal",
    note = "declare one with `mstx::domain!(pub static KV_CACHE = \"kv_cache\");`"
)]
pub trait AsDomain {
    /// The domain.
    fn as_domain(&self) -> &Domain;
}

impl AsDomain for Domain {
    fn as_domain(&self) -> &Domain {
        self
    }
}

impl<D: AsDomain + ?Sized> AsDomain for &D {
    fn as_domain(&self) -> &Domain {
        (**self).as_domain()
    }
}

/// A value that stands for regions of memory: none, one or many.
///
/// Implemented for raw pointers, [`NonNull`], references, slices behind any of these, `(pointer, bytes)`, lists of all of
/// them (`Vec`, arrays, `Box<[A]>`), and `Option`, `Result` and `Pin`. Thin raw pointers never know their size: there
/// the attribute needs `size`, for example `size = size_of::<Node>()`.
///
/// For a type of your own (a device pointer, a handle), implement it; if the type knows its size, also [`KnowsSize`]. (For most
/// structs both can be derived.)
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// use mstx_runtime::{KnowsSize, Regions, Report};
///
/// #[derive(Clone, Copy)]
/// struct DeviceBlock { address: u64, bytes: u32 }
///
/// impl Regions for DeviceBlock {
///     fn regions(&self, report: &mut Report<'_>) {
///         report.region(self.address as usize, self.bytes as usize);
///     }
/// }
/// impl KnowsSize for DeviceBlock {}
///
/// mstx_runtime::domain!(static BLOCKS = "device_blocks");
/// let block = DeviceBlock { address: 0x12c0_0000_0000, bytes: 4096 };
/// mstx_runtime::register_region(&BLOCKS, block, block.bytes as usize);
/// mstx_runtime::unregister_region(&BLOCKS, Some(block));
/// # assert!(mstx_runtime::faults().all(|fault| fault.address() != 0x12c0_0000_0000));
/// mstx_runtime::unregister_region(&BLOCKS, [block]); // a list, of what is given back already: a mistake
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == 0x12c0_0000_0000).unwrap();
/// assert_eq!(fault.kind(), mstx_runtime::FaultKind::ReleasedTwice);
/// ```
///
/// The memory is never touched: what is read is the value itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say where a region is",
    label = "expected a pointer, a reference, a list of these, or a type with `Regions`",
    note = "say where it is, as in `ptr = ret.base`; for a type of your own implement `mstx::Regions`",
    note = "an integer is an address only where `ptr = ret` says so, and only as `usize`, `u64` or `NonZeroUsize`"
)]
pub trait Regions {
    /// Tells `report` every region that the value stands for; nothing, where it stands for none. The order is that in which they
    /// are booked.
    ///
    /// Called in the annotated function, and only while somebody listens: it may not panic, nor allocate from the pool.
    fn regions(&self, report: &mut Report<'_>);
}

/// A type whose [`Regions`] say how long they are, so that the attribute needs no `size`.
///
/// Implementing it promises that `regions` calls [`Report::region`], never [`Report::pointer`]; a pointer without a size
/// would be a fault at run time ([`NoSize`](crate::FaultKind::NoSize)). See [`Regions`] for an example.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how long a region is",
    label = "the size is not known from this type",
    note = "add the bytes to the attribute, for example `size = size_of::<Node>()`",
    note = "for a type of your own that knows its size, implement `mstx::KnowsSize`"
)]
pub trait KnowsSize {
    /// Not public API: where a derived impl checks that the field's type knows its size.
    #[doc(hidden)]
    fn __check(&self) {}
}

/// Takes the regions that a value stands for; see [`Regions`], also for an example.
#[derive(Debug)]
pub struct Report<'a> {
    pub(crate) spans: &'a mut Spans,
}

/// The regions that a value stands for.
pub(crate) fn spans_of<T: Regions + ?Sized>(value: &T) -> Spans {
    let mut spans = Spans::new();
    value.regions(&mut Report { spans: &mut spans });
    spans
}

impl Report<'_> {
    /// A region at `address`, whose size is given by the attribute. Address 0 is no region: nothing is reported.
    pub fn pointer(&mut self, address: usize) {
        self.spans.push(address, None);
    }

    /// A region of `bytes` bytes at `address`. Where the attribute gives a size too, that one counts. Address 0, or 0 bytes, is
    /// no region: nothing is reported.
    pub fn region(&mut self, address: usize, bytes: usize) {
        self.spans.push(address, Some(bytes));
    }

    /// Not public API: for what is derived.
    #[doc(hidden)]
    pub fn __take(&mut self, spans: &Spans) {
        self.spans.append(spans);
    }

    /// Not public API: for what is derived.
    #[doc(hidden)]
    pub fn __take_sized(&mut self, spans: &Spans, size: impl Size) {
        let before = self.spans.len();
        // `None`: there is no region.
        if let Some(bytes) = size.bytes() {
            self.spans.append(spans);
            self.spans.resize_from(before, bytes);
        }
    }
}

macro_rules! thin_pointer {
    ($($pointer:ty)*) => {$(
        impl<T> Regions for $pointer {
            fn regions(&self, report: &mut Report<'_>) {
                report.pointer(self.cast::<u8>().addr().into());
            }
        }
    )*};
}
thin_pointer!(*mut T *const T NonNull<T>);

macro_rules! fat_pointer {
    ($($pointer:ty)*) => {$(
        impl<T> Regions for $pointer {
            fn regions(&self, report: &mut Report<'_>) {
                // A slice is never longer than the address space; a null one may claim to be, and reports nothing.
                report.region(self.cast::<u8>().addr().into(), self.len().saturating_mul(size_of::<T>()));
            }
        }
        impl<T> KnowsSize for $pointer {}
    )*};
}
fat_pointer!(*mut [T] *const [T] NonNull<[T]>);

fn of_value<T: ?Sized>(value: &T, report: &mut Report<'_>) {
    report.region(core::ptr::from_ref(value).addr(), size_of_val(value));
}

macro_rules! reference {
    ($($reference:ty)*) => {$(
        impl<T> Regions for $reference {
            fn regions(&self, report: &mut Report<'_>) {
                of_value(&**self, report);
            }
        }
        impl<T> KnowsSize for $reference {}
    )*};
}
reference!(&T &mut T &[T] &mut [T]);

macro_rules! text_reference {
    ($($reference:ty)*) => {$(
        impl Regions for $reference {
            fn regions(&self, report: &mut Report<'_>) {
                of_value(&**self, report);
            }
        }
        impl KnowsSize for $reference {}
    )*};
}
text_reference!(&str &mut str);

impl<P: Deref> Regions for Pin<P> {
    fn regions(&self, report: &mut Report<'_>) {
        of_value(&**self, report);
    }
}
impl<P: Deref> KnowsSize for Pin<P> {}

/// A pointer and a number of bytes.
impl<A: Regions> Regions for (A, usize) {
    fn regions(&self, report: &mut Report<'_>) {
        let before = report.spans.len();
        self.0.regions(report);
        report.spans.resize_from(before, self.1);
    }
}
impl<A: Regions> KnowsSize for (A, usize) {}

impl<A: Regions> Regions for Option<A> {
    fn regions(&self, report: &mut Report<'_>) {
        if let Some(some) = self {
            some.regions(report);
        }
    }
}
impl<A: KnowsSize> KnowsSize for Option<A> {}

impl<A: Regions, E> Regions for Result<A, E> {
    fn regions(&self, report: &mut Report<'_>) {
        if let Ok(ok) = self {
            ok.regions(report);
        }
    }
}
impl<A: KnowsSize, E> KnowsSize for Result<A, E> {}

pub(crate) fn of_list<A: Regions>(list: &[A], report: &mut Report<'_>) {
    for item in list {
        item.regions(report);
    }
}

impl<A: Regions, const N: usize> Regions for [A; N] {
    fn regions(&self, report: &mut Report<'_>) {
        of_list(self, report);
    }
}
impl<A: KnowsSize, const N: usize> KnowsSize for [A; N] {}

impl<A: Regions> Regions for Box<[A]> {
    fn regions(&self, report: &mut Report<'_>) {
        of_list(self, report);
    }
}
impl<A: KnowsSize> KnowsSize for Box<[A]> {}

impl<T: Regions> Regions for Vec<T> {
    fn regions(&self, report: &mut Report<'_>) {
        of_list(self, report);
    }
}
impl<T: KnowsSize> KnowsSize for Vec<T> {}
