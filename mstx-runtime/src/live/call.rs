//! What an annotated function calls: the thin code between the user's values and the operations on the books.

mod held;

use core::hint::black_box;
use core::panic::Location;

use self::held::Held;
use super::annotate::RangeIds;
use super::bodies::{Internal, Suspend};
use super::copies::operations;
use super::ledger::heaps::HeapId;
use super::ledger::names::DomainId;
use super::ledger::whole::{Covering, Description};
use super::ledger::{Caller, Entry, Hold, TakenList};
use super::message::Message;
use super::sites;
use super::spans::Spans;
use crate::value::spans_of;
use crate::{
    AsDomain, AsHeap, Device, FaultKind, HeapKey, KnowsSize, Label, Origin, Place, Regions, Site, Size, Stream, Word,
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

/// What is known of one call, from the beginning of the annotated function to its end.
#[derive(Debug)]
struct Arguments {
    caller: Caller,
    spans: Option<Spans>,
    size: Bytes,
    device: Option<u32>,
    host: bool,
    name: Option<Label>,
    deferral: Option<usize>,
    bad_device: bool,
    /// What a release took.
    taken: TakenList,
    /// What a resize holds.
    hold: Option<Hold>,
    /// The heap that is to grow when the body is through.
    growing: Option<HeapId>,
    /// The heap whose reset or end the body is.
    covering: Option<Covering>,
    /// A heap is about to be reported, or to grow: regions that fit nowhere wait for it.
    starting: bool,
    /// From the first argument on, which may read a header, what the thread does is the allocator's own.
    internal: Internal,
}

impl Drop for Arguments {
    fn drop(&mut self) {
        if self.starting {
            (operations().started)();
        }
    }
}

/// All that a function has to keep: a pointer, which is null while nobody listens.
type Kept = Option<Held<Arguments>>;

/// What all have in common that a function keeps while its body runs.
macro_rules! kept {
    ($($name:ident)*) => {$(
        impl $name {
            /// Nobody listens.
            #[inline(always)]
            pub const fn off() -> Self {
                Self(None)
            }

            /// Somebody may listen; what comes before the body is done.
            #[inline(always)]
            pub fn kept(mut self) -> Self {
                Self(Some(Held::or_nothing(self.0.take())))
            }

            /// Whether somebody may have listened when the function was called.
            #[inline(always)]
            #[must_use]
            pub const fn is_on(&self) -> bool {
                self.0.is_some()
            }
        }
    )*};
}
kept!(Call Release Resize HeapResize Body Range);

/// Those that are kept by functions whose bodies are the allocator's own code.
macro_rules! suspend {
    ($($name:ident)*) => {$(
        impl Suspend for $name {
            #[inline]
            fn suspend(&self) {
                if let Some(kept) = &self.0 {
                    suspend(kept);
                }
            }

            #[inline]
            fn resume(&self) {
                if let Some(kept) = &self.0 {
                    resume(kept);
                }
            }
        }
    )*};
}
suspend!(Call Release Resize HeapResize Body);

#[cold]
#[inline(never)]
fn suspend(kept: &Held<Arguments>) {
    if let Some(call) = kept.get() {
        call.internal.suspend();
    }
}

#[cold]
#[inline(never)]
fn resume(kept: &Held<Arguments>) {
    if let Some(call) = kept.get() {
        call.internal.resume();
    }
}

/// A call of an annotated function.
#[derive(Debug)]
#[must_use]
pub struct Call(Kept);

impl Call {
    /// A call of the function `site`, by the caller.
    #[track_caller]
    #[cold]
    #[inline(never)]
    pub fn new(site: &'static Site) -> Self {
        Self::at(site, Location::caller())
    }

    /// A call whose caller is somebody else.
    pub(crate) fn at(site: &'static Site, caller: &'static Location<'static>) -> Self {
        sites::note(site);
        let origin = Origin::new(site, caller);
        let arguments = Arguments {
            caller: Caller { origin, domain: None, heap: None, entry: Entry::default() },
            spans: None,
            size: Bytes::Unsaid,
            device: None,
            host: false,
            name: None,
            deferral: None,
            bad_device: false,
            taken: TakenList::new(),
            hold: None,
            growing: None,
            covering: None,
            starting: false,
            internal: Internal::enter(),
        };
        // Where there is no memory, the event is lost.
        Self(Some(Held::new(arguments)))
    }

    fn arguments(&self) -> Option<&Arguments> {
        self.0.as_ref().and_then(Held::get)
    }

    /// Whether somebody listened when the function was called. Where not, nothing is asked of the user's code.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn is_heard(&self) -> bool {
        self.arguments().is_some()
    }

    fn with(mut self, set: impl FnOnce(&mut Arguments)) -> Self {
        if let Some(inner) = self.0.as_mut().and_then(Held::get_mut) {
            set(inner);
        }
        self
    }

    /// The argument `domain`.
    #[cold]
    #[inline(never)]
    pub fn domain<D: AsDomain + ?Sized>(self, domain: &D) -> Self {
        self.with(|call| call.caller.domain = (operations().domain)(domain.as_domain()))
    }

    /// The argument `heap`.
    #[cold]
    #[inline(never)]
    pub fn heap<H: AsHeap + ?Sized>(self, heap: &H) -> Self {
        let key = heap.as_heap();
        self.with(|call| call.caller.heap = Some(key))
    }

    /// The argument `ptr`.
    #[cold]
    #[inline(never)]
    pub fn ptr(self, spans: Spans) -> Self {
        self.with(|call| call.spans = Some(spans))
    }

    /// The argument `size`.
    #[cold]
    #[inline(never)]
    pub fn size<S: Size>(self, size: S) -> Self {
        let size = size.bytes().map_or(Bytes::Nothing, Bytes::Said);
        self.with(|call| call.size = size)
    }

    /// A device that is none.
    pub(crate) fn bad_device(self) -> Self {
        self.with(|call| (call.device, call.bad_device) = (Some(0), true))
    }

    /// The argument `device`.
    #[cold]
    #[inline(never)]
    pub fn device<D: Device>(self, device: D) -> Self {
        let device = device.number();
        self.with(|call| (call.device, call.bad_device) = (Some(device.unwrap_or(0)), device.is_none()))
    }

    /// The argument `host`.
    #[cold]
    #[inline(never)]
    pub fn host(self) -> Self {
        self.with(|call| call.host = true)
    }

    /// The argument `name`.
    #[cold]
    #[inline(never)]
    pub fn name<N: AsRef<str> + ?Sized>(self, name: &N) -> Self {
        let name = Label::new(name.as_ref());
        self.with(|call| call.name = Some(name))
    }

    /// The argument `deferred`.
    #[cold]
    #[inline(never)]
    pub fn deferred(self) -> Self {
        self.with(|call| call.deferral = Some(usize::MAX))
    }

    /// The argument `deferred = n`.
    #[cold]
    #[inline(never)]
    pub fn deferred_at<S: Size>(self, n: S) -> Self {
        let n = n.bytes();
        self.with(|call| call.deferral = n)
    }

    /// The body is one of an `async` function, and where it may be suspended is not seen: it is not let through, since the thread does
    /// something else meanwhile.
    #[cold]
    #[inline(never)]
    pub fn suspends(self) -> Self {
        self.with(|call| call.internal = Internal::off())
    }

    /// The body begins.
    #[cold]
    #[inline(never)]
    pub fn begin(self) -> Self {
        self.with(|call| {
            if call.caller.origin.site.word() == Word::heap {
                (operations().starts)();
                call.starting = true;
            }
            call.caller.entry = (operations().now)();
        })
    }

    /// Address and size are what the function returned.
    #[cold]
    #[inline(never)]
    pub fn returned<R: Regions + KnowsSize + ?Sized>(self, result: &R) {
        self.returned_sized(result);
    }

    /// The address is what the function returned.
    #[cold]
    #[inline(never)]
    pub fn returned_sized<R: Regions + ?Sized>(self, result: &R) {
        if self.is_heard() {
            self.ptr(spans_of(result)).finish();
        }
    }

    /// The same as [`returned`](Self::returned); the result goes through.
    #[cold]
    #[inline(never)]
    pub fn pass<R: Regions + KnowsSize>(self, result: R) -> R {
        self.returned(&result);
        passed(result)
    }

    /// The same as [`returned_sized`](Self::returned_sized); the result goes through.
    #[cold]
    #[inline(never)]
    pub fn pass_sized<R: Regions>(self, result: R) -> R {
        self.returned_sized(&result);
        passed(result)
    }

    /// Everything is known.
    #[cold]
    #[inline(never)]
    pub fn finish(self) {
        if let Some(call) = self.arguments() {
            call.finish();
        }
    }

    /// The body of a release begins.
    #[cold]
    #[inline(never)]
    pub fn release(self) -> Release {
        let call = self.with(|call| {
            if let (Some(spans), Bytes::Unsaid | Bytes::Said(_)) = (&call.spans, call.size) {
                (operations().release)(&call.caller, spans, call.size.said(), &mut call.taken);
            }
        });
        Release(call.0)
    }

    /// The body of a resize begins.
    #[cold]
    #[inline(never)]
    pub fn resize(self) -> Resize {
        let call = self.with(|call| {
            call.caller.entry = (operations().now)();
            if let Some(spans) = &call.spans {
                call.hold = (operations().hold)(&call.caller, spans);
            }
        });
        Resize(call.0)
    }

    /// The body of a heap's resize begins.
    #[cold]
    #[inline(never)]
    pub fn heap_resize(self) -> HeapResize {
        let call = self.with(|call| {
            let size = call.size.said().filter(|_| call.caller.heap.is_some());
            call.growing = size.and_then(|size| (operations().heap_resize_begin)(&call.caller, size));
            call.starting = call.growing.is_some();
        });
        // Kept also where the heap does not grow: until the body is through, it is let through.
        HeapResize(call.0)
    }

    /// The body of a heap's reset begins.
    #[cold]
    #[inline(never)]
    pub fn heap_reset(self) -> Body {
        Body(self.with(|call| call.covering = (operations().heap_reset)(&call.caller)).0)
    }

    /// The body of a heap's end begins.
    #[cold]
    #[inline(never)]
    pub fn heap_unregister(self) -> Body {
        Body(self.with(|call| call.covering = (operations().heap_unregister)(&call.caller)).0)
    }
}

impl Arguments {
    fn description(&self) -> Description {
        let place = match (self.host, self.device) {
            (true, _) => Place::Host,
            (false, Some(_)) => Place::Device,
            (false, None) => Place::Unsaid,
        };
        Description { name: self.name, device: self.device.unwrap_or(0), place, deferral: self.deferral }
    }

    fn finish(&self) {
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
        let description = self.description();
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

/// A result at the end of the call that it goes through. That call is the last of the function, and nothing has to outlive it, so the
/// function needs no stack frame for it. If the compiler saw that the result comes out as it went in, it would keep it outside.
fn passed<R>(result: R) -> R {
    black_box(result)
}

/// What happens at the end of a body, unless it has happened before.
trait Guard {
    type Kept;
    fn end(kept: &Self::Kept);
}

/// The end of a guard, out of the way of the function that it stands in.
#[cold]
#[inline(never)]
#[expect(clippy::needless_pass_by_value, reason = "ends it")]
fn end<G: Guard>(kept: Held<G::Kept>) {
    if let Some(kept) = kept.get() {
        G::end(kept);
    }
}

/// Whose end is that of its [`Guard`].
macro_rules! ends {
    ($($name:ident)*) => {$(
        impl Drop for $name {
            #[inline(always)]
            fn drop(&mut self) {
                if let Some(kept) = self.0.take() {
                    end::<Self>(kept);
                }
            }
        }
    )*};
}
ends!(Release Resize Body Range);

/// Lives as long as the body of a release.
#[derive(Debug)]
#[must_use]
pub struct Release(Kept);

impl Release {
    /// The function returned an error: the regions are live as before.
    #[cold]
    #[inline(never)]
    pub fn refused(mut self) {
        if let Some(call) = self.0.take().as_ref().and_then(Held::get) {
            (operations().refused)(&call.taken);
        }
    }
}

impl Guard for Release {
    type Kept = Arguments;

    fn end(call: &Arguments) {
        (operations().released)(&call.taken);
    }
}

/// Lives as long as the body of a resize.
#[derive(Debug)]
#[must_use]
pub struct Resize(Kept);

impl Resize {
    /// The function has returned; `to` is where the region is now.
    #[cold]
    #[inline(never)]
    pub fn moved(mut self, to: Spans) {
        if let Some(call) = self.0.take().as_ref().and_then(Held::get) {
            let to = if matches!(call.size, Bytes::Nothing) { Spans::new() } else { to };
            (operations().moved)(&call.caller, call.hold.as_ref(), &to, call.size.said());
        }
    }
}

/// It panicked, or was dropped half-way: nothing has changed.
impl Guard for Resize {
    type Kept = Arguments;

    fn end(call: &Arguments) {
        if let Some(hold) = &call.hold {
            (operations().lift)(hold);
        }
    }
}

/// Lives as long as the body of a heap's resize.
#[derive(Debug)]
#[must_use]
pub struct HeapResize(Kept);

impl HeapResize {
    /// The function has succeeded.
    #[cold]
    #[inline(never)]
    pub fn succeeded(self) {
        if let Some(call) = self.0.as_ref().and_then(Held::get) {
            if let (Some(heap), Some(size)) = (call.growing, call.size.said()) {
                (operations().heap_resize_end)(&call.caller, heap, size);
            }
        }
    }
}

/// Lives as long as the body of a heap's reset or end.
#[derive(Debug)]
#[must_use]
pub struct Body(Kept);

impl Guard for Body {
    type Kept = Arguments;

    fn end(call: &Arguments) {
        if let Some(covering) = &call.covering {
            (operations().covered)(covering);
        }
    }
}

impl Call {
    /// Written by the program's author, not by an attribute: a null address or a size of zero is a mistake.
    pub(crate) fn register_region(self, spans: &Spans, size: Option<usize>) {
        if let Some(call) = self.arguments() {
            (operations().register)(&call.caller, spans, size, call.device, true);
        }
    }

    /// There is something wrong with what the program's author wrote.
    pub(crate) fn complain(self, kind: FaultKind) {
        if let Some(call) = self.arguments() {
            let address = call.caller.heap.map_or(0, HeapKey::address);
            (operations().fault)(kind, &call.caller, address, 0);
        }
    }

    /// The same for a heap; returns the key of just this heap, or the one that finds what is there.
    pub(crate) fn register_heap(self, spans: &Spans, size: Option<usize>) -> HeapKey {
        let span = spans.iter().next();
        let address = span.map_or(0, |span| span.start);
        let Some(call) = self.arguments() else { return HeapKey::at(address) };
        if call.bad_device {
            (operations().fault)(FaultKind::BadDevice, &call.caller, address, 0);
        }
        let bytes = size.or(span.and_then(|span| span.size)).unwrap_or(0);
        if address == 0 || bytes == 0 {
            let kind = if address == 0 { FaultKind::NullAddress } else { FaultKind::NoSize };
            (operations().fault)(kind, &call.caller, address, bytes);
            return HeapKey::at(address);
        }
        let id = (operations().heap_register)(&call.caller, address, bytes, call.description());
        HeapKey { address, id: id.unwrap_or(0) }
    }
}

/// A range that was entered, and ends when this goes.
#[derive(Debug)]
#[must_use]
pub struct Range(Option<Held<Entered>>);

#[derive(Debug)]
struct Entered {
    message: Message,
    domain: Option<DomainId>,
    stream: usize,
    ids: Option<RangeIds>,
}

#[doc(hidden)]
impl Range {
    /// A range named after the function.
    #[cold]
    #[inline(never)]
    pub fn new(site: &'static Site) -> Self {
        sites::note(site);
        Self::named(site.function())
    }

    pub(crate) fn named(message: &str) -> Self {
        let range = Entered { message: Message::new(message), domain: None, stream: 0, ids: None };
        // Where there is no memory, the range is lost.
        Self(Some(Held::new(range)))
    }

    fn with(mut self, set: impl FnOnce(&mut Entered)) -> Self {
        if let Some(inner) = self.0.as_mut().and_then(Held::get_mut) {
            set(inner);
        }
        self
    }

    /// The argument `domain`.
    #[cold]
    #[inline(never)]
    pub fn domain<D: AsDomain + ?Sized>(self, domain: &D) -> Self {
        let domain = (operations().domain)(domain.as_domain());
        self.with(|range| range.domain = domain)
    }

    /// The argument `name`.
    #[cold]
    #[inline(never)]
    pub fn name<N: AsRef<str> + ?Sized>(self, name: &N) -> Self {
        let message = Message::new(name.as_ref());
        self.with(|range| range.message = message)
    }

    /// The argument `stream`.
    #[cold]
    #[inline(never)]
    pub fn stream<S: Stream>(self, stream: S) -> Self {
        let stream = stream.address();
        self.with(|range| range.stream = stream)
    }

    /// The range begins.
    #[cold]
    #[inline(never)]
    pub fn enter(self) -> Self {
        self.with(|range| {
            range.ids = Some((operations().range_start)(range.domain, range.message.as_c_str(), range.stream));
        })
    }
}

impl Guard for Range {
    type Kept = Entered;

    fn end(range: &Entered) {
        if let Some(ids) = range.ids {
            (operations().range_end)(range.domain, ids);
        }
    }
}

/// A batch that is open as long as this lives.
#[derive(Debug)]
#[must_use]
pub struct Batch(bool);

impl Batch {
    /// Nobody listens.
    #[inline(always)]
    pub const fn off() -> Self {
        Self(false)
    }

    /// Opens a batch in this thread.
    #[cold]
    #[inline(never)]
    pub fn open() -> Self {
        (operations().open_batch)();
        Self(true)
    }
}

impl Drop for Batch {
    #[inline(always)]
    fn drop(&mut self) {
        if self.0 {
            close_batch();
        }
    }
}

#[cold]
#[inline(never)]
fn close_batch() {
    (operations().close_batch)();
}
