//! What an annotated function calls: the thin code between the user's values and the operations on the books.

use core::panic::Location;

use super::annotate::RangeIds;
use super::copies::operations;
use super::ledger::heaps::HeapId;
use super::ledger::names::DomainId;
use super::ledger::whole::Description;
use super::ledger::{Caller, Hold, TakenList};
use super::message::Message;
use super::process::thread::Stamp;
use super::sites;
use super::spans::Spans;
use crate::{
    AsDomain, AsHeap, Device, FaultKind, HeapKey, KnowsSize, Label, Origin, Regions, Report, Site, Size, Stream, Word,
};

/// A size, as the attribute says it.
#[derive(Clone, Copy, Debug)]
enum Bytes {
    /// It says none: the type knows it.
    Unsaid,
    /// So many.
    Said(usize),
    /// `None`: nothing is to be reported.
    Nothing,
}

impl Bytes {
    const fn said(self) -> Option<usize> {
        match self {
            Self::Said(bytes) => Some(bytes),
            Self::Unsaid | Self::Nothing => None,
        }
    }
}

/// The arguments of one call, from the beginning of the annotated function to its end.
#[derive(Debug)]
struct Arguments {
    caller: Caller,
    spans: Option<Spans>,
    size: Bytes,
    device: Option<u32>,
    host: bool,
    name: Option<Label>,
    bad_device: bool,
}

/// A call of an annotated function.
#[derive(Debug)]
#[must_use]
pub struct Call(Option<Arguments>);

impl Call {
    /// Nobody listens.
    #[inline(always)]
    pub const fn off() -> Self {
        Self(None)
    }

    /// A call of the function `site`, by the caller.
    #[track_caller]
    #[cold]
    pub fn new(site: &'static Site) -> Self {
        sites::note(site);
        let origin = Origin { site, caller: Location::caller() };
        Self(Some(Arguments {
            caller: Caller { origin, domain: None, heap: None, entry: Stamp::default() },
            spans: None,
            size: Bytes::Unsaid,
            device: None,
            host: false,
            name: None,
            bad_device: false,
        }))
    }

    fn with(mut self, set: impl FnOnce(&mut Arguments)) -> Self {
        if let Some(inner) = &mut self.0 {
            set(inner);
        }
        self
    }

    /// The argument `domain`.
    pub fn domain<D: AsDomain + ?Sized>(self, domain: &D) -> Self {
        self.with(|call| call.caller.domain = (operations().domain)(domain.as_domain()))
    }

    /// The argument `heap`.
    pub fn heap<H: AsHeap + ?Sized>(self, heap: &H) -> Self {
        let key = heap.as_heap();
        self.with(|call| call.caller.heap = Some(key))
    }

    /// The argument `ptr`.
    pub fn ptr(self, spans: Spans) -> Self {
        self.with(|call| call.spans = Some(spans))
    }

    /// The argument `size`.
    pub fn size<S: Size>(self, size: S) -> Self {
        let size = size.bytes().map_or(Bytes::Nothing, Bytes::Said);
        self.with(|call| call.size = size)
    }

    /// The argument `device`.
    pub fn device<D: Device>(self, device: D) -> Self {
        let device = device.number();
        self.with(|call| (call.device, call.bad_device) = (Some(device.unwrap_or(0)), device.is_none()))
    }

    /// The argument `host`.
    pub fn host(self) -> Self {
        self.with(|call| call.host = true)
    }

    /// The argument `name`.
    pub fn name<N: AsRef<str> + ?Sized>(self, name: &N) -> Self {
        let name = Label::new(name.as_ref());
        self.with(|call| call.name = Some(name))
    }

    /// The argument `deferred`: holding back begins with a later version; sending early is always allowed.
    pub fn deferred(self) -> Self {
        self
    }

    /// The argument `deferred = n`.
    pub fn deferred_at<S: Size>(self, n: S) -> Self {
        let _ = n.bytes();
        self
    }

    /// The body begins.
    pub fn begin(self) -> Self {
        self.with(|call| call.caller.entry = (operations().now)())
    }

    /// Whether anybody listened when the function was called.
    #[inline(always)]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Address and size are what the function returned.
    pub fn returned<R: Regions + KnowsSize + ?Sized>(self, result: &R) {
        self.returned_sized(result);
    }

    /// The address is what the function returned.
    pub fn returned_sized<R: Regions + ?Sized>(self, result: &R) {
        let mut spans = Spans::new();
        result.regions(&mut Report { spans: &mut spans });
        self.ptr(spans).finish();
    }

    /// Everything is known.
    pub fn finish(self) {
        if let Some(call) = self.0 {
            call.finish();
        }
    }

    /// The body of a release begins.
    pub fn release(self) -> Release {
        Release(self.0.map(|call| {
            let none = Spans::new();
            let spans = call.spans.as_ref().filter(|_| !matches!(call.size, Bytes::Nothing)).unwrap_or(&none);
            (operations().release)(&call.caller, spans, call.size.said())
        }))
    }

    /// The body of a resize begins.
    pub fn resize(self) -> Resize {
        Resize(self.0.map(|mut call| {
            call.caller.entry = (operations().now)();
            let none = Spans::new();
            let hold = (operations().hold)(&call.caller, call.spans.as_ref().unwrap_or(&none));
            Resizing { call, hold }
        }))
    }

    /// The body of a heap's resize begins.
    pub fn heap_resize(self) -> HeapResize {
        HeapResize(self.0.and_then(|call| {
            let size = call.size.said()?;
            let heap = (operations().heap_resize_begin)(&call.caller, size).flatten()?;
            Some(Growing { caller: call.caller, heap, size })
        }))
    }

    /// The body of a heap's reset begins.
    pub fn heap_reset(self) -> Body {
        Body(self.0.and_then(|call| (operations().heap_reset)(&call.caller)))
    }

    /// The body of a heap's end begins.
    pub fn heap_unregister(self) -> Body {
        Body(self.0.and_then(|call| (operations().heap_unregister)(&call.caller)))
    }
}

impl Arguments {
    fn finish(self) {
        if self.bad_device {
            (operations().fault)(FaultKind::BadDevice, &self.caller, 0, 0);
        }
        let Some(spans) = &self.spans else { return };
        if matches!(self.size, Bytes::Nothing) {
            return;
        }
        let size = self.size.said();
        if self.caller.origin.site.word() != Word::heap {
            return (operations().register)(&self.caller, spans, size, self.device, false);
        }
        let description = Description { name: self.name, device: self.device, host: self.host };
        for span in spans.iter() {
            match (span.start, size.or(span.size)) {
                (0, _) | (_, Some(0)) => {}
                (start, None) => (operations().fault)(FaultKind::NoSize, &self.caller, start, 0),
                (start, Some(size)) => {
                    (operations().heap_register)(&self.caller, start, size, description);
                }
            }
        }
    }
}

/// Lives as long as the body of a release.
#[derive(Debug)]
#[must_use]
pub struct Release(Option<TakenList>);

impl Release {
    /// Nobody listens.
    #[inline(always)]
    pub const fn off() -> Self {
        Self(None)
    }

    /// Whether anybody listened when the function was called.
    #[inline(always)]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// The function returned an error: the regions are live as before.
    pub fn refused(mut self) {
        if let Some(taken) = self.0.take() {
            (operations().released)(&taken, true);
        }
    }
}

impl Drop for Release {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(taken) = &self.0 {
            (operations().released)(taken, false);
        }
    }
}

#[derive(Debug)]
struct Resizing {
    call: Arguments,
    hold: Option<Hold>,
}

/// Lives as long as the body of a resize.
#[derive(Debug)]
#[must_use]
pub struct Resize(Option<Resizing>);

impl Resize {
    /// Nobody listens.
    #[inline(always)]
    pub const fn off() -> Self {
        Self(None)
    }

    /// Whether anybody listened when the function was called.
    #[inline(always)]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// The function has returned; `to` is where the region is now.
    pub fn moved(mut self, to: Spans) {
        if let Some(Resizing { call, hold }) = self.0.take() {
            let to = if matches!(call.size, Bytes::Nothing) { Spans::new() } else { to };
            (operations().moved)(&call.caller, hold.as_ref(), &to, call.size.said());
        }
    }
}

impl Drop for Resize {
    #[inline(always)]
    fn drop(&mut self) {
        // It panicked, or was dropped half-way: nothing has changed.
        if let Some(Resizing { hold: Some(hold), .. }) = &self.0 {
            (operations().lift)(hold);
        }
    }
}

#[derive(Debug)]
struct Growing {
    caller: Caller,
    heap: HeapId,
    size: usize,
}

/// Lives as long as the body of a heap's resize.
#[derive(Debug)]
#[must_use]
pub struct HeapResize(Option<Growing>);

impl HeapResize {
    /// Nobody listens.
    #[inline(always)]
    pub const fn off() -> Self {
        Self(None)
    }

    /// Whether the heap grows, and anybody listened when the function was called.
    #[inline(always)]
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// The function has succeeded.
    pub fn succeeded(self) {
        if let Some(Growing { caller, heap, size }) = self.0 {
            (operations().heap_resize_end)(&caller, heap, size);
        }
    }
}

/// Lives as long as the body of a heap's reset or end.
#[derive(Debug)]
#[must_use]
pub struct Body(Option<u64>);

impl Body {
    /// Nobody listens.
    #[inline(always)]
    pub const fn off() -> Self {
        Self(None)
    }
}

impl Drop for Body {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(open) = self.0 {
            (operations().close)(open);
        }
    }
}

impl Call {
    /// Written by the program's author, not by an attribute: a null address or a size of zero is a mistake.
    pub(crate) fn register_region(self, spans: &Spans, size: Option<usize>) {
        if let Some(call) = &self.0 {
            (operations().register)(&call.caller, spans, size, call.device, true);
        }
    }

    /// The same for a heap; returns the key of just this heap, or the one that finds what is there.
    pub(crate) fn register_heap(self, spans: &Spans, size: Option<usize>) -> HeapKey {
        let span = spans.iter().next();
        let address = span.map_or(0, |span| span.start);
        let Some(call) = &self.0 else { return HeapKey::at(address) };
        if call.bad_device {
            (operations().fault)(FaultKind::BadDevice, &call.caller, address, 0);
        }
        let bytes = size.or(span.and_then(|span| span.size)).unwrap_or(0);
        if address == 0 || bytes == 0 {
            let kind = if address == 0 { FaultKind::NullAddress } else { FaultKind::NoSize };
            (operations().fault)(kind, &call.caller, address, bytes);
            return HeapKey::at(address);
        }
        let description = Description { name: call.name, device: call.device, host: call.host };
        let id = (operations().heap_register)(&call.caller, address, bytes, description);
        HeapKey { address, id: id.unwrap_or(0) }
    }
}

/// A range that was entered, and ends when this goes.
#[derive(Debug)]
#[must_use]
pub struct Range(Option<Entered>);

#[derive(Debug)]
struct Entered {
    message: Message,
    domain: Option<DomainId>,
    stream: usize,
    ids: Option<RangeIds>,
}

impl Range {
    /// Nobody listens.
    #[inline(always)]
    pub const fn off() -> Self {
        Self(None)
    }

    /// A range named after the function.
    #[cold]
    pub fn new(site: &'static Site) -> Self {
        sites::note(site);
        Self::named(site.function())
    }

    pub(crate) fn named(message: &str) -> Self {
        Self(Some(Entered { message: Message::new(message), domain: None, stream: 0, ids: None }))
    }

    fn with(mut self, set: impl FnOnce(&mut Entered)) -> Self {
        if let Some(inner) = &mut self.0 {
            set(inner);
        }
        self
    }

    /// The argument `domain`.
    pub fn domain<D: AsDomain + ?Sized>(self, domain: &D) -> Self {
        let domain = (operations().domain)(domain.as_domain());
        self.with(|range| range.domain = domain)
    }

    /// The argument `name`.
    pub fn name<N: AsRef<str> + ?Sized>(self, name: &N) -> Self {
        let message = Message::new(name.as_ref());
        self.with(|range| range.message = message)
    }

    /// The argument `stream`.
    pub fn stream<S: Stream>(self, stream: S) -> Self {
        let stream = stream.address();
        self.with(|range| range.stream = stream)
    }

    /// The range begins.
    pub fn enter(self) -> Self {
        self.with(|range| {
            range.ids = Some((operations().range_start)(range.domain, range.message.as_c_str(), range.stream));
        })
    }
}

impl Drop for Range {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(Entered { domain, ids: Some(ids), .. }) = &self.0 {
            (operations().range_end)(*domain, *ids);
        }
    }
}
