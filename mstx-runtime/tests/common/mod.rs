//! What the tests of batches and threads share: the stub tool in this process, threads that do what they are told, and pools
//! whose functions come in parts.

#![allow(dead_code, reason = "not every test uses everything")]
#![expect(clippy::unwrap_used, reason = "tests")]

use std::any::Any;
use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use mstx_runtime::__private::{Batch, Body, Call, HeapResize, Release, Resize, Spans, probe};
use mstx_runtime::{Domain, Site, domain};

domain! {
    /// Pools.
    pub(crate) static POOLS = "ptaCaching";
    /// Pools on regions of pools, which may start where those do.
    pub(crate) static INNER = "atb";
    /// Pools on regions of these.
    pub(crate) static INNERMOST = "msleaks";
}

/// Addresses are slots of this many bytes.
pub(crate) const SLOT: usize = 16;
/// How far the slots of one world are from those of the next.
const WORLD: usize = 0x1_0000;

macro_rules! site {
    ($word:ident) => {{
        static SITE: Site = Site::new(mstx_runtime::Word::$word, stringify!($word), "pools");
        &SITE
    }};
}

/// The stub tool, as this process has loaded it.
pub(crate) struct Stub {
    live: extern "C" fn(*mut [u64; 3], usize) -> usize,
    violations: extern "C" fn() -> u64,
    accessible: extern "C" fn(u64, u64) -> i32,
    log: File,
}

impl Stub {
    /// Loads it with these settings, by the first event of the process.
    fn load(words: &str) -> Self {
        let program = std::env::current_exe().unwrap();
        let path = program.with_file_name("libmstx_stub.so");
        let log = program.with_extension(format!("{}.log", std::process::id()));
        let variables =
            [("MSTX_INJECTION_PATH", path.as_os_str()), ("MSTX_STUB", words.as_ref()), ("MSTX_STUB_LOG", log.as_os_str())];
        for (name, value) in variables {
            // SAFETY: this happens once, before any other thread of this test looks at the environment.
            unsafe { std::env::set_var(name, value) };
        }
        assert!(mstx_runtime::init(), "{}", mstx_runtime::status());
        // It has no name any more, and is gone when both have closed it.
        let file = File::open(&log).unwrap();
        fs::remove_file(&log).unwrap();
        let path = CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: it is loaded already.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        let find = |name: &CStr| {
            // SAFETY: the library is loaded, and the name is a C string.
            let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
            assert!(!symbol.is_null(), "{name:?}");
            symbol
        };
        let (live, violations) = (find(c"mstx_stub_live"), find(c"mstx_stub_violations"));
        let accessible = find(c"mstx_stub_accessible");
        Self {
            // SAFETY: the stub documents this signature.
            live: unsafe { std::mem::transmute::<*mut libc::c_void, extern "C" fn(*mut [u64; 3], usize) -> usize>(live) },
            // SAFETY: as above.
            violations: unsafe { std::mem::transmute::<*mut libc::c_void, extern "C" fn() -> u64>(violations) },
            // SAFETY: as above.
            accessible: unsafe { std::mem::transmute::<*mut libc::c_void, extern "C" fn(u64, u64) -> i32>(accessible) },
            log: file,
        }
    }
}

/// A stretch of addresses for one test, which is alone in the process for so long.
pub(crate) struct World {
    _alone: MutexGuard<'static, ()>,
    stub: &'static Stub,
    base: usize,
    faults: u64,
    violations: u64,
    /// How much of the log was read.
    read: Cell<u64>,
}

impl World {
    /// Under a stub with these settings, which are the same in all of the process.
    pub(crate) fn under(words: &str) -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        static STUB: OnceLock<Stub> = OnceLock::new();
        static NEXT: AtomicUsize = AtomicUsize::new(16);
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let stub = STUB.get_or_init(|| Stub::load(words));
        // What the test before has left pending is none of this one's.
        mstx_runtime::flush();
        Self {
            _alone: alone,
            stub,
            base: NEXT.fetch_add(1, Ordering::Relaxed) * WORLD,
            faults: mstx_runtime::fault_count(),
            violations: (stub.violations)(),
            read: Cell::new(stub.log.metadata().unwrap().len()),
        }
    }

    /// A pool with these slots, not reported yet.
    pub(crate) const fn pool(&self, slots: Range<usize>) -> Pool {
        Pool { base: self.base, start: slots.start, size: slots.end - slots.start, deferral: None, domain: &POOLS }
    }

    /// The memory calls since this was last asked: `register 1..3 4..5`, `unregister 1..3`, `heap 0..16`, `end 0..16`.
    pub(crate) fn told(&self) -> Vec<String> {
        let mut log = &self.stub.log;
        log.seek(SeekFrom::Start(self.read.get())).unwrap();
        let mut text = String::new();
        self.read.set(self.read.get() + log.read_to_string(&mut text).unwrap() as u64);
        text.lines().filter_map(|line| self.short(line)).collect()
    }

    fn short(&self, line: &str) -> Option<String> {
        let event = line.splitn(4, ' ').nth(3)?;
        let (call, rest) = event.split_once(' ')?;
        let number = |text: &str| usize::from_str_radix(text.trim_start_matches("0x"), 16).ok();
        let slots = |start: &str, size: &str| {
            let (start, size) = (number(start)?.wrapping_sub(self.base), size.parse::<usize>().ok()?);
            Some(format!(" {}..{}", start / SLOT, (start + size) / SLOT))
        };
        let value = |name: &str| rest.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        let heap = || slots(value("ptr")?, value("size")?);
        let mut regions: Vec<String> = rest
            .split([' ', '[', ',', ']'])
            .filter_map(|word| word.split_once('+').and_then(|(start, size)| slots(start, size)))
            .collect();
        regions.sort_by_key(|slots| slots.trim().split("..").next().and_then(|start| start.parse::<usize>().ok()));
        match call {
            "heap_register" => Some(format!("heap{}", heap()?)),
            "heap_unregister" => Some(format!("end{}", heap()?)),
            "regions_register" => Some(format!("register{}", regions.concat())),
            "regions_unregister" => Some(format!("unregister{}", regions.concat())),
            _ => None,
        }
    }

    /// Asserts the memory calls since the last time.
    #[track_caller]
    pub(crate) fn assert_told(&self, expected: &[&str]) {
        assert_eq!(self.told(), expected);
    }

    /// The regions that the tool knows here.
    pub(crate) fn live(&self) -> Vec<Range<usize>> {
        let mut regions = vec![[0; 3]; 4096];
        let count = (self.stub.live)(regions.as_mut_ptr(), regions.len());
        let regions = regions[..count].iter().map(|words| words.map(|word| usize::try_from(word).unwrap()));
        let here = regions.filter(|[start, ..]| (self.base..self.base + WORLD).contains(start));
        here.map(|[start, size, _]| (start - self.base) / SLOT..(start - self.base + size) / SLOT).collect()
    }

    /// Whether the tool would let a slot be accessed; `None` where it cannot say.
    pub(crate) fn accessible(&self, slot: usize) -> Option<bool> {
        match (self.stub.accessible)((self.base + slot * SLOT) as u64, SLOT as u64) {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// How many faults and violations there were in this world, and the last fault.
    pub(crate) fn wrong(&self) -> (u64, u64, Option<String>) {
        let faults = mstx_runtime::fault_count() - self.faults;
        let last = if faults == 0 { None } else { mstx_runtime::faults().last().map(|fault| fault.to_string()) };
        (faults, (self.stub.violations)() - self.violations, last)
    }

    /// Asserts that nothing was wrong so far.
    #[track_caller]
    pub(crate) fn assert_clean(&self) {
        assert_eq!(self.wrong(), (0, 0, None));
    }
}

/// A pool; where its functions put regions is up to the test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pool {
    base: usize,
    start: usize,
    size: usize,
    deferral: Option<usize>,
    domain: &'static Domain,
}

impl Pool {
    pub(crate) const fn of(self, domain: &'static Domain) -> Self {
        Self { domain, ..self }
    }

    pub(crate) const fn deferred(self) -> Self {
        self.deferred_at(usize::MAX)
    }

    pub(crate) const fn deferred_at(self, n: usize) -> Self {
        Self { deferral: Some(n), ..self }
    }

    fn at(self, slot: usize) -> *mut u8 {
        std::ptr::without_provenance_mut(self.base + slot * SLOT)
    }

    fn span(self, slots: &Range<usize>) -> Spans {
        probe(&(self.at(slots.start), slots.len() * SLOT)).spans()
    }

    fn call(self, site: &'static Site) -> Call {
        Call::new(site).domain(self.domain).heap(&self.at(self.start))
    }

    /// The body of the function that makes the pool begins.
    pub(crate) fn begin(self) -> Call {
        let call = Call::new(site!(heap)).domain(self.domain).size(self.size * SLOT);
        let call = match self.deferral {
            Some(usize::MAX) => call.deferred(),
            Some(n) => call.deferred_at(n),
            None => call,
        };
        call.begin()
    }

    /// It has returned the pool.
    pub(crate) fn begun(self, call: Call) {
        call.returned_sized(&self.at(self.start));
    }

    /// The body of an allocation begins.
    pub(crate) fn take(self) -> Call {
        self.call(site!(region)).begin()
    }

    /// The same, where the attribute does not say from which heap.
    pub(crate) fn take_anywhere(self) -> Call {
        Call::new(site!(region)).domain(self.domain).begin()
    }

    /// It has returned these.
    pub(crate) fn taken(self, call: Call, regions: &[Range<usize>]) {
        let list: Vec<_> = regions.iter().map(|slots| (self.at(slots.start), slots.len() * SLOT)).collect();
        call.returned(&list);
    }

    /// The body of a release begins.
    pub(crate) fn give(self, slots: &Range<usize>) -> Release {
        self.call(site!(region_unregister)).ptr(self.span(slots)).release()
    }

    /// The body of a resize begins.
    pub(crate) fn change(self, slots: &Range<usize>, size: usize) -> Resize {
        self.call(site!(region_resize)).size(size * SLOT).ptr(self.span(slots)).resize()
    }

    /// It has succeeded: the region starts here now.
    pub(crate) fn changed(self, resize: Resize, start: usize) {
        resize.moved(probe(&self.at(start)).moved());
    }

    /// The body of a reset begins.
    pub(crate) fn clear(self) -> Body {
        self.call(site!(heap_reset)).heap_reset()
    }

    /// The body of the pool's end begins.
    pub(crate) fn end(self) -> Body {
        self.call(site!(heap_unregister)).heap_unregister()
    }

    /// The body of a change of the pool's size begins.
    pub(crate) fn set_size(self, size: usize) -> HeapResize {
        self.call(site!(heap_resize)).size(size * SLOT).heap_resize()
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread that does one thing after another, when it is told.
pub(crate) struct Actor {
    jobs: Option<Sender<Job>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Actor {
    pub(crate) fn new() -> Self {
        let (jobs, todo) = channel::<Job>();
        let thread = thread::spawn(move || todo.into_iter().for_each(|job| job()));
        Self { jobs: Some(jobs), thread: Some(thread) }
    }

    /// Does something, and waits until it is done.
    pub(crate) fn run<R: Send + 'static>(&self, job: impl FnOnce() -> R + Send + 'static) -> R {
        let (done, result) = channel::<Result<R, Box<dyn Any + Send>>>();
        let job = move || {
            let _ = done.send(catch_unwind(AssertUnwindSafe(job)));
        };
        self.jobs.as_ref().unwrap().send(Box::new(job)).unwrap();
        result.recv().unwrap().unwrap_or_else(|panic| resume_unwind(panic))
    }

    pub(crate) fn open_batch(&self) -> Batch {
        self.run(Batch::open)
    }

    pub(crate) fn close(&self, batch: Batch) {
        self.run(|| drop(batch));
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
