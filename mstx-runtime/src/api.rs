//! Plain calls, for code that cannot carry attributes.

use core::fmt;
use core::panic::Location;

use crate::backend::{self, Batch, Call, Internal, Range, listening};
use crate::value::spans_of;
use crate::{AsHeap, Device, Domain, DomainInfo, Fault, FaultKind, HeapKey, Regions, Site, Status, Stream, Tool, Word};

/// Looks for a tool now, and lets it initialise, instead of at the first event. Returns whether anybody listens.
///
/// Worth calling at the start of `main`, before there are threads: a process that forks while another thread initialises
/// leaves a child in which nothing is reported. What is to listen in the process itself is attached before: see [`attach`].
///
/// It happens once, and takes as long as the tool's own initialiser; threads that report meanwhile wait for it. What
/// `MSTX_INJECTION_PATH` and `MSTX_CHECK` say then is what counts. May be called from any thread, and inside an allocator.
///
/// ```
/// if !mstx_runtime::init() {
///     println!("nobody listens: {}", mstx_runtime::status()); // "no tool"
/// }
/// # assert_eq!(mstx_runtime::init(), mstx_runtime::status().listening());
/// ```
#[expect(clippy::must_use_candidate, reason = "most do not ask")]
pub fn init() -> bool {
    backend::init();
    listening()
}

/// Who listens; and if no tool does, why not. Initialises, if that has not happened yet.
///
/// The first thing to print when a tool shows nothing. May be called from any thread.
///
/// ```
/// use mstx_runtime::ToolStatus;
///
/// let status = mstx_runtime::status();
/// println!("{status}"); // "no tool"
/// if let ToolStatus::Failed(refusal) = status.tool() {
///     eprintln!("MSTX_INJECTION_PATH is set, but {refusal}");
/// }
/// # assert_eq!(status.build(), mstx_runtime::BUILD);
/// ```
#[must_use]
pub fn status() -> Status {
    backend::status()
}

/// Adds a tool in the process. It is told what is live already, before this returns, and from now on of every event.
///
/// Returns `false` where nothing was added: it listens already, four others do, reporting is switched off in this build, this
/// is a forked child, the process is ending, or the call comes from inside a tool. A tool is never taken away again.
///
/// Attach it first thing in `main`, before [`init`]. Otherwise, if nobody listened so far, the books begin late: a heap that
/// they do not know, or a release or resize of a region that they do not know, may be from before, and is no fault.
///
/// ```standalone_crate
/// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
///
/// use mstx_runtime::{Fault, Tool};
///
/// /// Makes a test fail that has a pool with a mistake.
/// struct Strict {
///     faults: AtomicUsize,
/// }
///
/// impl Tool for Strict {
///     fn fault(&self, _: &Fault) {
///         self.faults.fetch_add(1, Relaxed);
///     }
/// }
///
/// static STRICT: Strict = Strict { faults: AtomicUsize::new(0) };
/// assert!(mstx_runtime::attach(&STRICT));
/// assert!(!mstx_runtime::attach(&STRICT)); // it listens already
/// // .. what is to be tested ..
/// assert_eq!(STRICT.faults.load(Relaxed), 0);
/// ```
pub fn attach(tool: &'static dyn Tool) -> bool {
    backend::attach(tool)
}

/// Sends everything that is pending to the tool, of all threads. When it returns, the tool has been told.
///
/// It belongs where the memory is about to be accessed by something that a tool watches, before the launch of a kernel. In
/// this version nothing is held back: every event is told before the call that reports it returns. May be called from any
/// thread.
///
/// ```
/// # mstx_runtime::domain!(static POOL = "flushed");
/// # let slab = [0_u8; 256];
/// # let heap = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
/// heap.register_region(&slab[..64], 64);
/// mstx_runtime::flush();
/// // .. launch the kernel that uses the region ..
/// # heap.unregister_region(&slab[..64]);
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

/// Says that what `body` accesses is the allocator's own: headers, links in free blocks, memory that is handed out to nobody.
///
/// Tools that check accesses let it through. The bodies of annotated functions are the allocator's own anyhow; this is for what else a
/// pool does with its memory: walking its free list in a `Debug` implementation, merging free blocks in the background. It is a closure
/// and not a guard, since a guard could be forgotten, or held across an `.await` into another thread.
///
/// ```
/// /// Counts the free blocks; each begins with a pointer to the next one.
/// fn count(mut free: *const *const u8) -> usize {
///     mstx_runtime::allocator_internal(|| {
///         let mut count = 0;
///         while !free.is_null() {
///             count += 1;
///             // SAFETY: it is a block of the list.
///             free = unsafe { *free }.cast();
///         }
///         count
///     })
/// }
/// # let last = [core::ptr::null::<u8>(); 2];
/// # assert_eq!(count(last.as_ptr()), 1);
/// ```
pub fn allocator_internal<R>(body: impl FnOnce() -> R) -> R {
    let _internal = if listening() { Internal::enter() } else { Internal::off() };
    body()
}

/// The domains that were declared or used, in no particular order.
///
/// A declaration that the linker has dropped (in a crate that nothing mentions) is missing until its domain is used. Nobody
/// needs to listen. May be called from any thread.
///
/// ```
/// mstx_runtime::domain!(static KV_CACHE = "kv_cache");
///
/// for domain in mstx_runtime::domains() {
///     println!("{} is {} to the tool", domain.name(), domain.renamed().unwrap_or("the same"));
/// }
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

/// The call sites that have reported so far, in the order of their first events; with the feature `sites`, all that are linked.
///
/// Shows which annotations a test has reached. The plain calls are sites of the module `mstx`. While nobody listens, nothing is
/// noted. May be called from any thread.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// # mstx_runtime::domain!(static POOL = "sites");
/// # let slab = [0_u8; 64];
/// # let heap = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
/// for site in mstx_runtime::sites() {
///     println!("{site} reports {}", site.word()); // "mstx::Heap::register (..) reports heap"
/// }
/// # assert!(mstx_runtime::sites().any(|site| site.function() == "Heap::register"));
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
/// They are those of the whole process, of all threads: a test that asks should run in a process of its own, or look for the
/// addresses of its own pool. The iterator asks for one fault at a time, and also gives those that are found meanwhile. May be
/// called from any thread; from inside a [`Tool`], and in a forked child, it is empty.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// # mstx_runtime::domain!(static POOL = "asked");
/// # let slab = [0_u8; 256];
/// let heap = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
/// heap.register_region(&slab[64..], 64);
/// heap.unregister_region(&slab[65..]); // not where it starts
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == slab[65..].as_ptr().addr()).unwrap();
/// assert_eq!(fault.kind(), mstx_runtime::FaultKind::InteriorRelease);
/// println!("{fault}");
/// # heap.unregister_region(&slab[64..]);
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
///
/// May be called from any thread; from inside a [`Tool`], and in a forked child, it is 0.
///
/// ```
/// let before = mstx_runtime::fault_count();
/// // .. what is to be tested ..
/// assert_eq!(mstx_runtime::fault_count(), before);
/// ```
#[must_use]
pub fn fault_count() -> u64 {
    backend::fault_count()
}

/// Sets a mark in the default domain: a message on the tool's time axis. Up to 156 bytes, and up to the first NUL, reach the
/// tool (the shortest limit that is known, msprof's), cut at a character.
///
/// Every tool that listens is told before this returns, of one mark at a time; while nobody listens, it is a load and a branch.
/// May be called from any thread. Of the tools that were measured, msMemScope takes marks, and msSanitizer does not.
///
/// ```
/// mstx_runtime::mark("step 7");
/// ```
pub fn mark(message: &str) {
    mark_on(message, ());
}

/// Sets a mark on a stream of a device, where work is queued (an `aclrtStream`). See [`mark`].
///
/// The stream is handed to the tool as it is, and never used here.
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
/// The guard may go in another thread than the one where it was made. Bind it to a name: `let _ = range(..)` ends the range
/// at once. A range that began while nobody listened is never told. For a whole function there is the attribute `range`.
///
/// ```
/// let copying = mstx_runtime::range("copy weights");
/// // .. copy them ..
/// drop(copying);
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
    /// The tools that were measured (msSanitizer and msMemScope, 26.0.0) take no marks and no ranges in domains; those in the
    /// default domain reach msMemScope.
    ///
    /// ```
    /// mstx_runtime::domain!(static POOL = "pool");
    /// POOL.mark("full");
    /// ```
    pub fn mark(&self, message: &str) {
        self.mark_on(message, ());
    }

    /// Sets a mark in this domain, on a stream of a device. See [`Domain::mark`] and [`mark_on`].
    ///
    /// ```
    /// # let stream = core::ptr::null_mut::<core::ffi::c_void>();
    /// mstx_runtime::domain!(static POOL = "pool");
    /// POOL.mark_on("copied", stream);
    /// ```
    pub fn mark_on(&self, message: &str, stream: impl Stream) {
        backend::mark(Some(self), message, stream.address());
    }

    /// Begins a range in this domain. See [`range()`], and [`Domain::mark`] for who takes it.
    ///
    /// ```
    /// mstx_runtime::domain!(static POOL = "pool");
    /// let _range = POOL.range("compaction");
    /// ```
    pub fn range(&self, message: &str) -> Range {
        self.range_on(message, ())
    }

    /// Begins a range in this domain, on a stream of a device. See [`Domain::range`].
    ///
    /// ```
    /// # let stream = core::ptr::null_mut::<core::ffi::c_void>();
    /// mstx_runtime::domain!(static POOL = "pool");
    /// let _range = POOL.range_on("compaction", stream);
    /// ```
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

/// A region that belongs to no heap was handed out. `size` is in bytes, and is what counts where the type of `region` knows a
/// size of its own. Tools are told that it is memory of device 0.
///
/// Call it after the memory was obtained. If a live heap of `domain` contains the region, it is booked in that heap. Otherwise
/// `domain` may have no live heap, and the region may touch none of another domain: that is a fault
/// ([`RegionOutsideHeap`](crate::FaultKind::RegionOutsideHeap)). A null address, or a size of zero, is a fault here, since the
/// program's author wrote the call. Where `region` stands for several regions, each has `size` bytes; where it stands for none
/// (`None`), nothing happens.
///
/// May be called from any thread, and inside an allocator: it allocates from the system only, and does not panic. Reports name
/// the line of the call; in a function of yours that is `#[track_caller]`, that function's caller.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// use mstx_runtime::{register_region, unregister_region};
///
/// mstx_runtime::domain!(static BUFFERS = "buffers");
///
/// let buffer = vec![0_u8; 64];
/// register_region(&BUFFERS, buffer.as_ptr(), buffer.len());
/// // .. the buffer is in use ..
/// unregister_region(&BUFFERS, buffer.as_ptr());
/// # assert!(mstx_runtime::faults().all(|fault| fault.address() != buffer.as_ptr().addr()));
/// unregister_region(&BUFFERS, buffer.as_ptr()); // a mistake
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == buffer.as_ptr().addr()).unwrap();
/// assert_eq!(fault.kind(), mstx_runtime::FaultKind::ReleasedTwice);
/// ```
#[track_caller]
pub fn register_region(domain: &Domain, region: impl Regions, size: usize) {
    if listening() {
        let call = Call::new(site!(region "register_region")).domain(domain);
        call.begin().register_region(&spans_of(&region), Some(size));
    }
}

/// A region is about to be given back; call it before anybody else can get the memory.
///
/// `region` is named by its first address; what it says of a size does not count. `domain` is the one it was registered with.
/// `None` and a null pointer are no regions, as for `free`.
///
/// See [`register_region`], also for an example.
#[track_caller]
pub fn unregister_region(domain: &Domain, region: impl Regions) {
    if listening() {
        let call = Call::new(site!(region_unregister "unregister_region")).domain(domain);
        drop(call.ptr(spans_of(&region)).release());
    }
}

/// A heap that is registered as long as this lives.
///
/// Made by [`Heap::register`] or [`Heap::options`]. When it is dropped, its regions and then the heap are unregistered. It does
/// not own the memory, and does not touch it; it can be sent to, and used by, several threads, also inside an allocator. It
/// allocates from the system only, and does not panic.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// mstx_runtime::domain!(static POOL = "pool");
///
/// let slab = vec![0_u8; 4096];
/// let heap = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
/// let block = &slab[..64];
/// heap.register_region(block.as_ptr(), 64);
/// // .. the block is in use ..
/// heap.unregister_region(block.as_ptr());
/// heap.unregister(); // before the slab goes
/// # assert!(mstx_runtime::faults().all(|fault| !slab.as_ptr_range().contains(&(fault.address() as *const u8))));
/// # drop(slab);
/// ```
///
/// As a field of a pool it is dropped *after* the pool's own `Drop`, that is, after the memory was given back: there, keep it in
/// an `Option`, and take it first. [`unregister`](Heap::unregister) has reports name your line; what dropping it finds has
/// only this crate's.
///
/// ```
/// struct Pool {
///     heap: Option<mstx_runtime::Heap>,
///     slab: *mut [u8],
/// }
///
/// impl Drop for Pool {
///     fn drop(&mut self) {
///         if let Some(heap) = self.heap.take() {
///             heap.unregister();
///         }
///         // SAFETY: it came from a box, and nothing uses it any more.
///         drop(unsafe { Box::from_raw(self.slab) });
///     }
/// }
/// #
/// # mstx_runtime::domain!(static POOL = "pool_with_a_guard");
/// # let slab = Box::into_raw(vec![0_u8; 64].into_boxed_slice());
/// # drop(Pool { heap: Some(mstx_runtime::Heap::register(&POOL, slab, 64)), slab });
/// ```
///
/// Where the registration was refused (a fault: it overlaps another heap, or is registered already), the guard ends nothing when
/// it goes, and its regions are booked in the heap that is live at its start, if one is. Where nobody listened, it stands for
/// no heap, also when a tool is attached later.
#[derive(Debug)]
#[must_use = "the heap is unregistered when the guard goes"]
pub struct Heap {
    key: HeapKey,
    registered: bool,
    registered_at: &'static Location<'static>,
}

impl Heap {
    /// Registers the memory at `start`, of `size` bytes. See [`Heap::options`] for more that can be said.
    ///
    /// Call it after the memory was obtained, and before anything in it is handed out: until a region is registered, no part of
    /// it may be accessed. `size` counts where the type of `start` knows a size of its own; where `start` stands for several
    /// regions, the first is the heap. A null address, or a size of zero, is a fault.
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
    /// // .. the pool is in use ..
    /// heap.unregister();
    /// ```
    pub const fn options<'a>() -> HeapOptions<'a> {
        HeapOptions { domain: None, device: None, bad_device: false, name: None, host: false, deferral: None }
    }

    /// A region of this heap was handed out. `size` is in bytes, and is what counts where the type of `region` knows a size of
    /// its own. A null address, or a size of zero, is a fault.
    ///
    /// Call it after the pool has taken the memory for the caller. See [`Heap`] for an example.
    #[track_caller]
    pub fn register_region(&self, region: impl Regions, size: usize) {
        if listening() {
            let call = Call::new(site!(region "Heap::register_region")).heap(&self.key);
            call.begin().register_region(&spans_of(&region), Some(size));
        }
    }

    /// A region of this heap is about to be given back; call it before anybody else can get the memory.
    ///
    /// The region is named by its first address; what its type knows of a size does not count. `None` and a null pointer are no
    /// regions. See [`Heap`] for an example.
    #[track_caller]
    pub fn unregister_region(&self, region: impl Regions) {
        if listening() {
            let call = Call::new(site!(region_unregister "Heap::unregister_region")).heap(&self.key);
            drop(call.ptr(spans_of(&region)).release());
        }
    }

    /// Every region of the heap is about to be given back; the heap stays. Regions that are live are no fault. A heap that is
    /// live inside of this one is.
    ///
    /// ```
    /// # struct Listener(u8);
    /// # impl mstx_runtime::Tool for Listener {}
    /// # static LISTENER: Listener = Listener(0);
    /// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
    /// # mstx_runtime::domain!(static POOL = "reset");
    /// # let slab = [0_u8; 256];
    /// let heap = mstx_runtime::Heap::register(&POOL, slab.as_ptr(), slab.len());
    /// heap.register_region(&slab[..64], 64);
    /// heap.reset();
    /// heap.register_region(&slab[..128], 128); // no overlap
    /// # heap.unregister_region(&slab[..128]);
    /// # assert!(mstx_runtime::faults().all(|fault| fault.address() != slab.as_ptr().addr()));
    /// ```
    #[track_caller]
    pub fn reset(&self) {
        if listening() {
            drop(Call::new(site!(heap_reset "Heap::reset")).heap(&self.key).heap_reset());
        }
    }

    /// The heap has `size` bytes from now on, in place. Call it before memory is given back, and after memory was obtained.
    ///
    /// Live regions stay; those that reach beyond a shrunk heap's end are ended, each a fault
    /// ([`RegionLeaked`](crate::FaultKind::RegionLeaked)). A heap that would grow into another keeps its size, a fault too
    /// ([`HeapOverlap`](crate::FaultKind::HeapOverlap)). A size of zero changes nothing.
    ///
    /// ```
    /// # struct Listener(u8);
    /// # impl mstx_runtime::Tool for Listener {}
    /// # static LISTENER: Listener = Listener(0);
    /// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
    /// # mstx_runtime::domain!(static POOL = "resize");
    /// # let reserved = [0_u8; 256];
    /// let heap = mstx_runtime::Heap::register(&POOL, reserved.as_ptr(), 64);
    /// heap.resize(256);
    /// heap.register_region(&reserved[64..128], 64);
    /// # heap.unregister_region(&reserved[64..128]);
    /// # assert!(mstx_runtime::faults().all(|fault| fault.address() != reserved[64..].as_ptr().addr()));
    /// ```
    #[track_caller]
    pub fn resize(&self, size: usize) {
        if listening() {
            let call = Call::new(site!(heap_resize "Heap::resize")).heap(&self.key);
            match size {
                0 => call.complain(FaultKind::NoSize),
                _ => call.size(size).heap_resize().succeeded(),
            }
        }
    }

    /// The heap is about to be given back; its regions are unregistered first. Those that are still live are faults, each
    /// ([`RegionLeaked`](crate::FaultKind::RegionLeaked)), as are heaps inside of it.
    ///
    /// See [`Heap`] for an example.
    #[track_caller]
    pub fn unregister(mut self) {
        self.end(Location::caller());
    }

    fn end(&mut self, caller: &'static Location<'static>) {
        if core::mem::take(&mut self.registered) && listening() {
            drop(Call::at(site!(heap_unregister "Heap::unregister"), caller).heap(&self.key).heap_unregister());
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
        // Who drops it is not known; where it comes from says more than this line.
        self.end(self.registered_at);
    }
}

/// What can be said about a heap; see [`Heap::options`].
///
/// It is `Copy`, and borrows the domain and the name: one can stand in a constant, and serve for many heaps.
///
/// ```
/// # struct Listener(u8);
/// # impl mstx_runtime::Tool for Listener {}
/// # static LISTENER: Listener = Listener(0);
/// # mstx_runtime::attach(&LISTENER); // there are books while somebody listens
/// use mstx_runtime::{Heap, HeapOptions};
///
/// mstx_runtime::domain!(static ARENAS = "arenas");
/// const ARENA: HeapOptions<'_> = Heap::options().domain(&ARENAS).name("arena").host();
///
/// let (first, second) = (vec![0_u8; 4096], vec![0_u8; 4096]);
/// let heaps = [ARENA.register(first.as_ptr(), 4096), ARENA.register(second.as_ptr(), 4096)];
/// heaps[0].register_region(&second[..64], 64); // a mistake
///
/// let fault = mstx_runtime::faults().find(|fault| fault.address() == second.as_ptr().addr()).unwrap();
/// assert_eq!(fault.heap().unwrap().name(), "arena");
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct HeapOptions<'a> {
    domain: Option<&'a Domain>,
    device: Option<u32>,
    bad_device: bool,
    name: Option<&'a str>,
    host: bool,
    deferral: Option<usize>,
}

impl<'a> HeapOptions<'a> {
    /// Its domain, under which tools keep the heap and its regions; otherwise the one named `mstx`.
    pub const fn domain(mut self, domain: &'a Domain) -> Self {
        self.domain = Some(domain);
        self
    }

    /// It is memory of this device: tools are told so, and the host never touches it. A number that is none (negative, or over
    /// 32 bits) counts as device 0.
    pub fn device(mut self, device: impl Device) -> Self {
        let number = device.number();
        (self.device, self.bad_device) = (number, number.is_none());
        self
    }

    /// It is memory of the host, whatever [`device`](Self::device) says: told to tools in the process, and not to an injected
    /// one, whose interface is for memory of devices.
    pub const fn host(mut self) -> Self {
        self.host = true;
        self
    }

    /// Its name in reports, otherwise its domain's; up to 47 bytes of it are kept, cut at a character.
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

    /// Registers the memory at `start`, of `size` bytes. See [`Heap::register`].
    #[track_caller]
    pub fn register(self, start: impl Regions, size: usize) -> Heap {
        if !listening() {
            return Heap { key: HeapKey::at(0), registered: false, registered_at: Location::caller() };
        }
        let mut call = Call::new(site!(heap "Heap::register"));
        if let Some(domain) = self.domain {
            call = call.domain(domain);
        }
        if let Some(device) = self.device {
            call = call.device(device);
        }
        if self.bad_device {
            call = call.bad_device();
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
        let key = call.begin().register_heap(&spans_of(&start), Some(size));
        Heap { key, registered: key.id != 0, registered_at: Location::caller() }
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
