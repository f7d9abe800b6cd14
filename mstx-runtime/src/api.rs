//! Plain calls, for code that cannot carry attributes.

use core::fmt;

use crate::backend::{self, Batch, Call, Range, listening};
use crate::{AsHeap, Device, Domain, DomainInfo, Fault, HeapKey, Regions, Report, Site, Spans, Status, Stream, Tool, Word};

/// Looks for a tool now, and lets it initialise, instead of at the first event. Returns whether anybody listens.
///
/// Worth calling at the start of `main`, before there are threads: a process that forks while another thread initialises
/// leaves a child in which nothing is reported.
///
/// ```
/// assert!(!mstx_runtime::init()); // no tool here
/// ```
#[expect(clippy::must_use_candidate, reason = "most do not ask")]
pub fn init() -> bool {
    backend::init();
    listening()
}

/// Who listens; and if no tool does, why not. Initialises, if that has not happened yet.
///
/// ```
/// println!("{}", mstx_runtime::status()); // "no tool"
/// ```
#[must_use]
pub fn status() -> Status {
    backend::status()
}

/// Adds a tool in the process. It is told what is live already, and from now on of every event.
///
/// Returns `false` where nothing was added: it listens already, four others do, this is a forked child, or the process is
/// ending. A tool is never taken away again.
///
/// ```
/// use mstx_runtime::{Tool, ToolHeap};
///
/// struct Counter;
/// impl Tool for Counter {}
///
/// static COUNTER: Counter = Counter;
/// assert!(mstx_runtime::attach(&COUNTER));
/// assert!(!mstx_runtime::attach(&COUNTER));
/// ```
pub fn attach(tool: &'static dyn Tool) -> bool {
    backend::attach(tool)
}

/// Sends everything that is pending to the tool, of all threads. When it returns, the tool has been told.
///
/// ```
/// mstx_runtime::flush();
/// ```
pub fn flush() {
    backend::flush();
}

/// Holds back what this thread reports in `body`, until it is through: then at most one call of the tool unregisters, and one registers,
/// for each heap. What was registered and unregistered meanwhile is never sent.
///
/// A batch in a batch is part of the outer one. The batch ends with a panic, too. It is a closure and not a guard, since a guard could be
/// forgotten, or held across an `.await` into another thread. Until the batch ends, the tool does not know of what is held back; tools in
/// the process are told at once. With `MSTX_BATCH=immediate` in the environment nothing is held back.
///
/// ```
/// mstx_runtime::domain!(static TABLES = "tables");
/// let table = vec![0_u64; 1000];
/// mstx_runtime::batch(|| {
///     for entry in &table {
///         mstx_runtime::register_region(&TABLES, entry, 8);
///     }
/// }); // one call of the tool for all of them
/// ```
pub fn batch<R>(body: impl FnOnce() -> R) -> R {
    let _batch = if listening() { Batch::open() } else { Batch::off() };
    body()
}

/// The domains that were declared or used, in no particular order.
///
/// A declaration that the linker has dropped (in a crate that nothing mentions) is missing until its domain is used.
///
/// ```
/// mstx_runtime::domain!(static KV_CACHE = "kv_cache");
/// assert!(mstx_runtime::domains().any(|domain| domain.name() == "kv_cache"));
/// ```
pub fn domains() -> impl Iterator<Item = DomainInfo> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let domain = backend::domain(next);
        next += 1;
        domain
    })
}

/// The call sites that have reported so far; with the feature `sites`, all that are linked.
///
/// ```
/// for site in mstx_runtime::sites() {
///     println!("{site} reports {}", site.word());
/// }
/// ```
pub fn sites() -> impl Iterator<Item = &'static Site> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let site = backend::site(next);
        next += 1;
        site
    })
}

/// The latest faults, oldest first: up to 1024 are kept. Empty while nobody listens, since then there are no books.
///
/// ```
/// assert_eq!(mstx_runtime::faults().count(), 0);
/// ```
pub fn faults() -> impl Iterator<Item = Fault> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let (number, fault) = backend::fault_from(next)?;
        next = number + 1;
        Some(fault)
    })
}

/// How many faults there were, of which [`faults`] has the latest.
#[must_use]
pub fn fault_count() -> u64 {
    backend::fault_count()
}

/// Sets a mark in the default domain. Up to 156 bytes, and up to the first NUL, reach the tool.
///
/// ```
/// mstx_runtime::mark("step 7");
/// ```
pub fn mark(message: &str) {
    mark_on(message, ());
}

/// Sets a mark on a stream of a device. See [`mark`].
///
/// ```
/// # let stream = core::ptr::null_mut::<core::ffi::c_void>();
/// mstx_runtime::mark_on("copy", stream);
/// ```
pub fn mark_on(message: &str, stream: impl Stream) {
    backend::mark(None, message, stream.address());
}

/// Begins a range in the default domain, which ends when the guard goes. See [`mark`] for the length of messages.
///
/// ```
/// let range = mstx_runtime::range("step");
/// drop(range);
/// ```
pub fn range(message: &str) -> Range {
    range_on(message, ())
}

/// Begins a range on a stream of a device. See [`range()`].
///
/// ```
/// # let stream = core::ptr::null_mut::<core::ffi::c_void>();
/// let _range = mstx_runtime::range_on("copy", stream);
/// ```
pub fn range_on(message: &str, stream: impl Stream) -> Range {
    if listening() { Range::named(message).stream(stream).enter() } else { Range::off() }
}

impl Domain {
    /// Sets a mark in this domain. See [`mark`].
    ///
    /// ```
    /// mstx_runtime::domain!(static POOL = "pool");
    /// POOL.mark("full");
    /// ```
    pub fn mark(&self, message: &str) {
        self.mark_on(message, ());
    }

    /// Sets a mark in this domain, on a stream of a device. See [`mark`].
    pub fn mark_on(&self, message: &str, stream: impl Stream) {
        backend::mark(Some(self), message, stream.address());
    }

    /// Begins a range in this domain. See [`range()`].
    ///
    /// ```
    /// mstx_runtime::domain!(static POOL = "pool");
    /// let _range = POOL.range("compaction");
    /// ```
    pub fn range(&self, message: &str) -> Range {
        self.range_on(message, ())
    }

    /// Begins a range in this domain, on a stream of a device. See [`range()`].
    pub fn range_on(&self, message: &str, stream: impl Stream) -> Range {
        if listening() { Range::named(message).domain(self).stream(stream).enter() } else { Range::off() }
    }
}

macro_rules! site {
    ($word:ident $function:literal) => {{
        static SITE: Site = Site::new(Word::$word, $function, "mstx");
        &SITE
    }};
}

fn spans(of: &impl Regions) -> Spans {
    let mut spans = Spans::new();
    of.regions(&mut Report { spans: &mut spans });
    spans
}

/// A region that belongs to no heap was handed out. `size` is in bytes.
///
/// A null address, or a size of zero, is a fault here, since the program's author wrote the call.
///
/// ```
/// mstx_runtime::domain!(static BUFFERS = "buffers");
/// let buffer = [0_u8; 64];
/// mstx_runtime::register_region(&BUFFERS, buffer.as_ptr(), 64);
/// mstx_runtime::unregister_region(&BUFFERS, buffer.as_ptr());
/// ```
#[track_caller]
pub fn register_region(domain: &Domain, region: impl Regions, size: usize) {
    if listening() {
        let call = Call::new(site!(region "register_region")).domain(domain);
        call.begin().register_region(&spans(&region), Some(size));
    }
}

/// A region is about to be given back; call it before anybody else can get the memory.
///
/// See [`register_region`].
#[track_caller]
pub fn unregister_region(domain: &Domain, region: impl Regions) {
    if listening() {
        let call = Call::new(site!(region_unregister "unregister_region")).domain(domain);
        drop(call.ptr(spans(&region)).release());
    }
}

/// A heap that is registered as long as this lives.
///
/// Made by [`Heap::register`] or [`Heap::options`]. When it is dropped, its regions and then the heap are unregistered.
///
/// As a field of a pool it is dropped *after* the pool's own `Drop`, that is, after the memory was given back: there, call
/// [`unregister`](Heap::unregister) first, or keep it in an `Option` and take it.
///
/// ```
/// mstx_runtime::domain!(static POOL = "pool");
///
/// let slab = vec![0_u8; 4096];
/// let heap = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
/// let block = &slab[..64];
/// heap.register_region(block.as_ptr(), 64);
/// // .. the block is in use ..
/// heap.unregister_region(block.as_ptr());
/// heap.unregister(); // before the slab goes
/// # drop(slab);
/// ```
#[derive(Debug)]
#[must_use = "the heap is unregistered when the guard goes"]
pub struct Heap {
    key: HeapKey,
    registered: bool,
}

impl Heap {
    /// Registers the memory at `start`, of `size` bytes. See [`Heap::options`] for more that can be said.
    #[track_caller]
    pub fn register(domain: &Domain, start: impl Regions, size: usize) -> Self {
        Self::options().domain(domain).register(start, size)
    }

    /// Says more about a heap, before it is registered.
    ///
    /// ```
    /// mstx_runtime::domain!(static KV_CACHE = "kv_cache");
    ///
    /// // Memory of device 1: never touched by checks on the host.
    /// let start = 0x12c0_0000_0000_usize as *mut u8;
    /// let heap = mstx_runtime::Heap::options().domain(&KV_CACHE).device(1).name("blocks").register(start, 1 << 20);
    /// # drop(heap);
    /// ```
    pub const fn options<'a>() -> HeapOptions<'a> {
        HeapOptions { domain: None, device: None, name: None, host: false, deferral: None }
    }

    /// A region of this heap was handed out. `size` is in bytes. A null address, or a size of zero, is a fault.
    #[track_caller]
    pub fn register_region(&self, region: impl Regions, size: usize) {
        if listening() {
            let call = Call::new(site!(region "Heap::register_region")).heap(&self.key);
            call.begin().register_region(&spans(&region), Some(size));
        }
    }

    /// A region of this heap is about to be given back; call it before anybody else can get the memory.
    #[track_caller]
    pub fn unregister_region(&self, region: impl Regions) {
        if listening() {
            let call = Call::new(site!(region_unregister "Heap::unregister_region")).heap(&self.key);
            drop(call.ptr(spans(&region)).release());
        }
    }

    /// Every region of the heap is about to be given back.
    #[track_caller]
    pub fn reset(&self) {
        if listening() {
            drop(Call::new(site!(heap_reset "Heap::reset")).heap(&self.key).heap_reset());
        }
    }

    /// The heap has `size` bytes from now on, in place. Call it before memory is given back, and after memory was obtained.
    #[track_caller]
    pub fn resize(&self, size: usize) {
        if listening() {
            Call::new(site!(heap_resize "Heap::resize")).heap(&self.key).size(size).heap_resize().succeeded();
        }
    }

    /// The heap is about to be given back; its regions are unregistered first.
    #[track_caller]
    pub fn unregister(mut self) {
        self.end();
    }

    #[track_caller]
    fn end(&mut self) {
        if core::mem::take(&mut self.registered) && listening() {
            drop(Call::new(site!(heap_unregister "Heap::unregister")).heap(&self.key).heap_unregister());
        }
    }
}

impl AsHeap for Heap {
    fn as_heap(&self) -> HeapKey {
        self.key
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        self.end();
    }
}

/// What can be said about a heap; see [`Heap::options`].
#[derive(Clone, Copy)]
#[must_use]
pub struct HeapOptions<'a> {
    domain: Option<&'a Domain>,
    device: Option<u32>,
    name: Option<&'a str>,
    host: bool,
    deferral: Option<usize>,
}

impl<'a> HeapOptions<'a> {
    /// Its domain; otherwise the one named `mstx`.
    pub const fn domain(mut self, domain: &'a Domain) -> Self {
        self.domain = Some(domain);
        self
    }

    /// It is memory of this device. A number that is none (negative) counts as device 0.
    pub fn device(mut self, device: impl Device) -> Self {
        self.device = Some(device.number().unwrap_or(0));
        self
    }

    /// It is memory of the host: told only to tools that want it.
    pub const fn host(mut self) -> Self {
        self.host = true;
        self
    }

    /// Its name in reports; up to 47 bytes of it are kept.
    pub const fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// What happens in it is held back, in all threads, until a flush. For pools of devices, whose memory only kernels access, and where
    /// each launch flushes.
    pub const fn deferred(self) -> Self {
        self.deferred_at(usize::MAX)
    }

    /// The same, but no more than `events` are held back at a time.
    pub const fn deferred_at(mut self, events: usize) -> Self {
        self.deferral = Some(events);
        self
    }

    /// Registers the memory at `start`, of `size` bytes. A null address, or a size of zero, is a fault.
    #[track_caller]
    pub fn register(self, start: impl Regions, size: usize) -> Heap {
        if !listening() {
            return Heap { key: HeapKey::at(0), registered: false };
        }
        let mut call = Call::new(site!(heap "Heap::register"));
        if let Some(domain) = self.domain {
            call = call.domain(domain);
        }
        if let Some(device) = self.device {
            call = call.device(device);
        }
        if let Some(name) = self.name {
            call = call.name(name);
        }
        if self.host {
            call = call.host();
        }
        if let Some(events) = self.deferral {
            call = call.deferred_at(events);
        }
        let key = call.begin().register_heap(&spans(&start), Some(size));
        Heap { key, registered: key.id != 0 }
    }
}

impl fmt::Debug for HeapOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeapOptions")
            .field("domain", &self.domain)
            .field("device", &self.device)
            .field("name", &self.name)
            .field("host", &self.host)
            .field("deferral", &self.deferral)
            .finish()
    }
}
