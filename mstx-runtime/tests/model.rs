//! Programs of operations against a naive model, and against the books of a stub tool.
//!
//! A mistake is a fault, once, and changes nothing; what is legal raises none. After every step the tool knows just the regions that the model has, with the pieces of
//! those that heaps lie on; and no call breaks a rule of the interface.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test")]

use std::ffi::{CStr, CString};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use mstx_runtime::__private::{Call, Spans, probe};
use mstx_runtime::{FaultKind, Heap, HeapKey, Site, domain};
use proptest::prelude::*;

domain!(static MODEL = "model");

/// Addresses are slots of this many bytes.
const SLOT: usize = 16;
/// How far the slots of one program are from those of the next: what was refused there is remembered.
const PROGRAM: usize = 0x10_0000;
/// Two pools side by side, of this many slots; each may grow into the gap behind it.
const POOL: usize = 48;
const GAP: usize = 16;

macro_rules! site {
    ($word:ident) => {{
        static SITE: Site = Site::new(mstx_runtime::Word::$word, stringify!($word), "model");
        &SITE
    }};
}

/// The stub tool, as this process has loaded it.
struct Stub {
    live: extern "C" fn(*mut [u64; 3], usize) -> usize,
    violations: extern "C" fn() -> u64,
    accessible: extern "C" fn(u64, u64) -> i32,
}

impl Stub {
    /// Loads it, by the first event of the process.
    fn get() -> &'static Self {
        static STUB: OnceLock<Stub> = OnceLock::new();
        STUB.get_or_init(|| {
            let path = std::env::current_exe().unwrap().with_file_name("libmstx_stub.so");
            // SAFETY: this happens once, before any other thread of this test looks at the environment.
            unsafe { std::env::set_var("MSTX_INJECTION_PATH", &path) };
            // SAFETY: as above.
            unsafe { std::env::set_var("MSTX_STUB", "msan,quiet") };
            assert!(mstx_runtime::init(), "{}", mstx_runtime::status());
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
            Stub {
                // SAFETY: the stub documents this signature.
                live: unsafe { std::mem::transmute::<*mut libc::c_void, extern "C" fn(*mut [u64; 3], usize) -> usize>(live) },
                // SAFETY: as above.
                violations: unsafe { std::mem::transmute::<*mut libc::c_void, extern "C" fn() -> u64>(violations) },
                // SAFETY: as above.
                accessible: unsafe { std::mem::transmute::<*mut libc::c_void, extern "C" fn(u64, u64) -> i32>(accessible) },
            }
        })
    }

    fn live(&self) -> Vec<(usize, usize)> {
        let mut regions = vec![[0; 3]; 4096];
        let count = (self.live)(regions.as_mut_ptr(), regions.len());
        let narrow = |word| usize::try_from(word).unwrap();
        regions[..count].iter().map(|&[start, size, _]| (narrow(start), narrow(size))).collect()
    }
}

/// A region of the model, in slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    heap: usize,
    start: usize,
    end: usize,
}

/// A heap of the model, in slots.
#[derive(Debug)]
struct Pool {
    start: usize,
    end: usize,
    /// How far it may grow.
    limit: usize,
    /// The heap that it lies in.
    parent: Option<usize>,
    guard: Option<Heap>,
}

impl Pool {
    fn key(&self) -> HeapKey {
        mstx_runtime::AsHeap::as_heap(self.guard.as_ref().unwrap())
    }
}

/// What the model knows.
#[derive(Debug, Default)]
struct Model {
    pools: Vec<Pool>,
    regions: Vec<Region>,
    /// How many faults and violations there were before.
    before: (u64, u64),
    /// The mistakes that were made.
    mistakes: Vec<FaultKind>,
    /// Where regions were refused: their releases are silent.
    refused: Vec<usize>,
}

/// Where the slots of the running program begin.
static BASE: AtomicUsize = AtomicUsize::new(0);

fn base() -> usize {
    BASE.load(Ordering::Relaxed)
}

fn address(slot: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(base() + slot * SLOT)
}

fn span(start: usize, end: usize) -> Spans {
    probe(&(address(start), (end - start) * SLOT)).spans()
}

impl Model {
    fn new() -> Self {
        BASE.fetch_add(PROGRAM, Ordering::Relaxed);
        let before = (mstx_runtime::fault_count(), (Stub::get().violations)());
        let mut model = Self { before, ..Self::default() };
        for start in [0, POOL + GAP] {
            model.begin(start, start + POOL, start + POOL + GAP, None);
        }
        model
    }

    fn begin(&mut self, start: usize, end: usize, limit: usize, parent: Option<usize>) {
        let guard = Some(Heap::register(&MODEL, address(start), (end - start) * SLOT));
        self.pools.push(Pool { start, end, limit, parent, guard });
    }

    fn live_pools(&self) -> Vec<usize> {
        (0..self.pools.len()).filter(|&pool| self.pools[pool].guard.is_some()).collect()
    }

    /// The live heaps that lie on a region.
    fn on(&self, region: &Region) -> Vec<(usize, usize)> {
        let on = |pool: &&Pool| {
            pool.guard.is_some() && pool.parent == Some(region.heap) && region.start <= pool.start && pool.end <= region.end
        };
        let mut on: Vec<_> = self.pools.iter().filter(on).map(|pool| (pool.start, pool.end)).collect();
        on.sort_unstable();
        on
    }

    /// What the tool should know: each region, or its pieces beside the heaps on it.
    fn expected(&self) -> Vec<(usize, usize)> {
        let mut expected = Vec::new();
        for region in &self.regions {
            let mut at = region.start;
            for (start, end) in self.on(region).into_iter().chain([(region.end, region.end)]) {
                if at < start {
                    expected.push((base() + at * SLOT, (start - at) * SLOT));
                }
                at = end;
            }
        }
        expected.sort_unstable();
        expected
    }

    /// The first free place of `size` slots in a heap, at or behind `from`, or from its start.
    fn free_place(&self, pool: usize, size: usize, from: usize) -> Option<usize> {
        let Pool { start, end, .. } = self.pools[pool];
        let taken =
            |at: usize| self.regions.iter().any(|region| region.heap == pool && region.start < at + size && at < region.end);
        let fits = |&at: &usize| at + size <= end && !taken(at);
        (start + from..end).find(fits).or_else(|| (start..end).find(fits))
    }

    /// The regions that can be released: no heap lies on them.
    fn releasable(&self) -> Vec<usize> {
        (0..self.regions.len()).filter(|&index| self.on(&self.regions[index]).is_empty()).collect()
    }

    fn alloc(&mut self, pool: usize, sizes: &[usize], from: usize) {
        let call = Call::new(site!(region)).heap(&self.pools[pool].key()).begin();
        let mut list = Vec::new();
        for &size in sizes {
            if let Some(start) = self.free_place(pool, size, from) {
                self.regions.push(Region { heap: pool, start, end: start + size });
                self.refused.retain(|&refused| refused != start);
                list.push((address(start), size * SLOT));
            }
        }
        call.returned(&list);
    }

    fn free(&mut self, index: usize, refused: bool) {
        let region = self.regions[index];
        let call = Call::new(site!(region_unregister)).heap(&self.pools[region.heap].key());
        let release = call.ptr(span(region.start, region.end)).release();
        if refused {
            release.refused();
        } else {
            self.regions.swap_remove(index);
        }
    }

    fn resize(&mut self, index: usize, size: usize, mode: u8) {
        let region = self.regions[index];
        let call = Call::new(site!(region_resize)).heap(&self.pools[region.heap].key()).size(size * SLOT);
        let resize = call.ptr(span(region.start, region.end)).resize();
        match mode % 4 {
            0 => drop(resize), // it panicked
            1 => resize.moved(probe(&None::<*mut u8>).moved()),
            _ => {
                // In place where that goes, else anywhere.
                self.regions.swap_remove(index);
                let place = self.free_place(region.heap, size, region.start - self.pools[region.heap].start);
                let start = place.unwrap_or(region.start);
                let end = if place.is_some() { start + size } else { region.end };
                self.regions.push(Region { start, end, ..region });
                self.refused.retain(|&refused| refused != start);
                if place.is_some() {
                    resize.moved(probe(&address(start)).moved());
                } else {
                    resize.moved(probe(&false).moved());
                }
            }
        }
    }

    /// Everything in a heap ends: its regions, and the heaps on them.
    fn empty(&mut self, pool: usize) {
        for inner in self.live_pools() {
            if self.pools[inner].parent == Some(pool) {
                self.end(inner);
            }
        }
        self.regions.retain(|region| region.heap != pool);
        self.pools[pool].guard.as_ref().unwrap().reset();
    }

    fn end(&mut self, pool: usize) {
        self.empty(pool);
        self.pools[pool].guard.take().unwrap().unregister();
    }

    /// A heap on a region: on all of it, or on a part.
    fn nest(&mut self, index: usize, skip: usize, size: usize) {
        let region = self.regions[index];
        let start = (region.start + skip).min(region.end - 1);
        let end = (start + size).min(region.end);
        if self.on(&region).iter().all(|&(other, other_end)| end <= other || other_end <= start) && self.pools.len() < 12 {
            self.begin(start, end, region.end, Some(region.heap));
        }
    }

    fn resize_heap(&mut self, pool: usize, size: usize) {
        let Pool { start, limit, parent, .. } = self.pools[pool];
        let inside = self.regions.iter().filter(|region| region.heap == pool).map(|region| region.end);
        let beside = self.live_pools().into_iter().filter(|&other| other != pool && self.pools[other].parent == parent);
        let next = beside.map(|other| self.pools[other].start).filter(|&other| other > start).min();
        let least = inside.max().unwrap_or(start + 1);
        let most = next.map_or(limit, |next| next.min(limit));
        let end = (start + size).clamp(least, most);
        self.pools[pool].end = end;
        self.pools[pool].guard.as_ref().unwrap().resize((end - start) * SLOT);
    }

    // Mistakes.

    /// A region is reported that cannot be there. The program releases it, too, and of that nobody hears.
    fn report_wrongly(&mut self, pool: usize, start: usize, size: usize, kind: FaultKind, releases: bool) {
        let key = self.pools[pool].key();
        Call::new(site!(region)).heap(&key).begin().returned(&(address(start), size * SLOT));
        self.mistakes.push(kind);
        self.refused.push(start);
        if releases && !self.regions.iter().any(|region| region.heap == pool && region.start == start) {
            drop(Call::new(site!(region_unregister)).heap(&key).ptr(span(start, start + size)).release());
        }
    }

    fn overlap(&mut self, index: usize, releases: bool) {
        let region = self.regions[index];
        let starts = |slot: usize| self.regions.iter().any(|region| region.start == slot);
        if region.end - region.start > 1 && !starts(region.start + 1) {
            self.report_wrongly(region.heap, region.start + 1, 1, FaultKind::RegionOverlap, releases);
        }
    }

    fn outside(&mut self, pool: usize, releases: bool) {
        let end = self.pools[pool].end;
        if !self.regions.iter().any(|region| region.start == end - 1) {
            self.report_wrongly(pool, end - 1, 2, FaultKind::RegionOutsideHeap, releases);
        }
    }

    fn release_wrongly(&mut self, pool: usize, slot: usize, kind: Option<FaultKind>) {
        let call = Call::new(site!(region_unregister)).heap(&self.pools[pool].key());
        drop(call.ptr(span(slot, slot + 1)).release());
        // Which of several it is depends on what was released there before.
        let said = mstx_runtime::faults().last().map(|fault| fault.kind());
        self.mistakes.push(kind.or(said).unwrap());
    }

    /// Nothing starts there, in whichever heap.
    fn release_nothing(&mut self, pool: usize, from: usize) {
        let Pool { start, end, .. } = self.pools[pool];
        let known = |slot: usize| self.refused.contains(&slot) || self.regions.iter().any(|region| region.start == slot);
        if let Some(slot) = (start + from % (end - start)..end).find(|&slot| !known(slot)) {
            self.release_wrongly(pool, slot, None);
        }
    }

    fn release_to_another(&mut self, index: usize) {
        let region = self.regions[index];
        let other = usize::from(region.heap == 0);
        if region.heap < 2 && !self.refused.contains(&region.start) {
            self.release_wrongly(other, region.start, Some(FaultKind::WrongHeap));
        }
    }

    fn step(&mut self, (kind, a, b): (u8, u8, u8)) {
        let (a, b) = (usize::from(a), usize::from(b));
        let pools = self.live_pools();
        let releasable = self.releasable();
        let pick = |list: &[usize]| list.get(a % list.len().max(1)).copied();
        match kind {
            0 => pick(&pools).into_iter().for_each(|pool| self.alloc(pool, &[1 + b % 7], a % 32)),
            1 => pick(&pools).into_iter().for_each(|pool| self.alloc(pool, &[1 + b % 3, 2, 1 + a % 4], b % 32)),
            2 => pick(&releasable).into_iter().for_each(|index| self.free(index, b % 4 == 0)),
            3 => pick(&releasable).into_iter().for_each(|index| self.resize(index, 1 + b / 4 % 8, kind_of(b))),
            4 => pick(&releasable).into_iter().for_each(|index| self.nest(index, b % 3, 1 + b % 5)),
            5 => pick(&(0..self.regions.len()).collect::<Vec<_>>()).into_iter().for_each(|i| self.nest(i, b % 6, 1 + b % 3)),
            6 => pick(&pools).filter(|_| b % 3 == 0).into_iter().for_each(|pool| self.empty(pool)),
            7 => pick(&pools).filter(|&pool| self.pools[pool].parent.is_some()).into_iter().for_each(|pool| self.end(pool)),
            8 => pick(&pools).into_iter().for_each(|pool| self.resize_heap(pool, 1 + b % 64)),
            9 => pick(&releasable).into_iter().for_each(|index| self.overlap(index, b % 2 == 0)),
            10 => pick(&pools).into_iter().for_each(|pool| self.outside(pool, b % 2 == 0)),
            11 => pick(&pools).into_iter().for_each(|pool| self.release_nothing(pool, b)),
            _ => pick(&releasable).into_iter().for_each(|index| self.release_to_another(index)),
        }
    }
}

fn kind_of(byte: usize) -> u8 {
    u8::try_from(byte % 4).unwrap()
}

fn check(model: &Model, step: impl std::fmt::Debug) -> Result<(), TestCaseError> {
    let stub = Stub::get();
    let last = mstx_runtime::faults().last().map(|fault| fault.to_string());
    let faults = mstx_runtime::fault_count() - model.before.0;
    prop_assert_eq!(faults, model.mistakes.len() as u64, "{:?} after {:?} in {:#?}", last, step, model);
    if let Some(&kind) = model.mistakes.last() {
        prop_assert_eq!(mstx_runtime::faults().last().map(|fault| fault.kind()), Some(kind), "after {:?}", step);
    }
    prop_assert_eq!(stub.live(), model.expected(), "after {:?} in {:#?}", step, model);
    prop_assert_eq!((stub.violations)(), model.before.1, "after {:?}", step);
    // The painted shadow: a slot is accessible just where the innermost heap has a live region.
    for slot in 0..2 * (POOL + GAP) {
        let around = model.live_pools().into_iter().filter(|&pool| {
            let pool = &model.pools[pool];
            pool.start <= slot && slot < pool.end
        });
        // Of heaps that begin and end alike, the later one is the inner one.
        let innermost = around.min_by_key(|&pool| (model.pools[pool].end - model.pools[pool].start, usize::MAX - pool));
        let live = innermost
            .map(|pool| model.regions.iter().any(|region| region.heap == pool && region.start <= slot && slot < region.end));
        if let Some(live) = live {
            let accessible = (stub.accessible)((base() + slot * SLOT) as u64, SLOT as u64);
            prop_assert_eq!(accessible, i32::from(live), "slot {} after {:?} in {:#?}", slot, step, model);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn the_tool_knows_what_the_model_knows(steps in proptest::collection::vec((0..13_u8, any::<u8>(), any::<u8>()), 1..60)) {
        Stub::get();
        let mut model = Model::new();
        for (number, step) in steps.iter().enumerate() {
            model.step(*step);
            check(&model, (number, step))?;
        }
        // As at a clean end of the program.
        for pool in [0, 1] {
            model.end(pool);
        }
        check(&model, "the end")?;
        prop_assert_eq!(Stub::get().live(), Vec::new());
    }
}
