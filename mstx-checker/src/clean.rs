//! For tests: that there was no fault, and that nothing is live.

use core::error::Error;
use core::fmt::{self, Display, Write as _};

use mstx_runtime::__private::{show_live, show_live_in};
use mstx_runtime::{AsHeap, BUILD, Build, Fault, HeapKey, Label, Origin, ToolHeap, ToolRegion};

use crate::recording::memory::{Vec, add, vec};
use crate::report::LISTED;
use crate::text::{Count, Text};
use crate::{CHECKER, report, suppress};

/// Panics unless the program's pools are clean: no fault was found since the program has begun, and no heap and no region is live.
///
/// For a test in a process of its own; where tests run as threads of one process, ask for the test's own pool:
/// [`assert_clean_in`]. What is [suppressed](crate::Options::suppressions) is left out. Where reporting is switched off in
/// this build, it is always clean.
///
/// # Panics
///
/// With a report of what there is, at the line that calls; and where the checker does not listen.
///
/// ```
/// use mstx_runtime::Heap;
///
/// mstx_checker::install();
/// mstx_runtime::domain!(static POOL = "pool");
/// let slab = vec![0_u8; 4096];
/// let heap = Heap::register(&POOL, slab.as_ptr(), slab.len());
/// heap.register_region(&slab[..64], 64);
/// heap.unregister_region(&slab[..64]);
/// drop(heap);
/// mstx_checker::assert_clean();
/// ```
#[track_caller]
pub fn assert_clean() {
    assert(clean());
}

/// Panics unless a pool is clean: since its heap was registered no fault was found in it, and no region of it is live. The heap
/// itself is to be live: ask before it ends.
///
/// A pool is named as in the attributes' `heap = ..`: by a pointer to its start, a [`Heap`](mstx_runtime::Heap) guard, or a type
/// with [`AsHeap`]. Other pools do not matter, so tests that run as threads of one process can each ask for their own.
///
/// # Panics
///
/// With a report of what there is, at the line that calls; and where the checker does not listen, or where no heap is live here.
///
/// ```should_panic
/// use mstx_runtime::Heap;
///
/// mstx_checker::install();
/// mstx_runtime::domain!(static POOL = "pool");
/// let slab = vec![0_u8; 4096];
/// let heap = Heap::register(&POOL, slab.as_ptr(), slab.len());
/// heap.register_region(&slab[..64], 64);
/// mstx_checker::assert_clean_in(&heap); // panics: 1 live region
/// ```
#[track_caller]
pub fn assert_clean_in<H: AsHeap + ?Sized>(heap: &H) {
    assert(clean_in(heap));
}

#[track_caller]
#[expect(clippy::panic, reason = "what an assertion is for")]
fn assert(clean: Result<(), Unclean>) {
    if let Err(unclean) = clean {
        panic!("{unclean}");
    }
}

/// Whether the program's pools are clean, for those who do not want to panic: see [`assert_clean`].
///
/// # Errors
///
/// What there is.
///
/// ```
/// mstx_checker::install();
/// # mstx_runtime::domain!(static POOL = "pool");
/// # let block = [0_u8; 64];
/// mstx_runtime::register_region(&POOL, &block, 64);
/// let unclean = mstx_checker::clean().unwrap_err();
/// assert_eq!((unclean.faults(), unclean.heaps(), unclean.regions()), (0, 0, 1));
///
/// mstx_runtime::unregister_region(&POOL, &block);
/// assert!(mstx_checker::clean().is_ok());
/// ```
pub fn clean() -> Result<(), Unclean> {
    look(None)
}

/// Whether a pool is clean, for those who do not want to panic: see [`assert_clean_in`].
///
/// # Errors
///
/// What there is.
///
/// ```
/// use mstx_runtime::Heap;
///
/// mstx_checker::install();
/// mstx_runtime::domain!(static POOL = "pool");
/// let slab = vec![0_u8; 4096];
/// let heap = Heap::register(&POOL, slab.as_ptr(), slab.len());
/// heap.unregister_region(&slab[..64]); // was never registered
/// assert_eq!(mstx_checker::clean_in(&heap).unwrap_err().faults(), 1);
/// ```
pub fn clean_in<H: AsHeap + ?Sized>(heap: &H) -> Result<(), Unclean> {
    look(Some(heap.as_heap()))
}

/// What is not clean. Its `Display` is a report.
#[derive(Clone, Debug)]
pub struct Unclean {
    faults: u64,
    heaps: u64,
    regions: u64,
    report: String,
}

impl Unclean {
    /// How many faults there were, without those that are suppressed.
    #[must_use]
    pub const fn faults(&self) -> u64 {
        self.faults
    }

    /// How many heaps are live; 0 where only one heap was asked for.
    #[must_use]
    pub const fn heaps(&self) -> u64 {
        self.heaps
    }

    /// How many regions are live.
    #[must_use]
    pub const fn regions(&self) -> u64 {
        self.regions
    }
}

impl Display for Unclean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report.trim_end())
    }
}

impl Error for Unclean {}

/// Something that is live.
struct Live {
    /// A heap's name; for a region, that of the heap that it is in.
    name: Option<Label>,
    offset: usize,
    size: usize,
    origin: Origin,
}

/// What is live, looked up while the books are locked: the program's allocator may not be called then.
struct Looked {
    visits: u64,
    heaps: u64,
    regions: u64,
    faults: u64,
    /// The extent of the one heap.
    extent: Option<(usize, usize)>,
    listed_heaps: Vec<Live>,
    listed_regions: Vec<Live>,
}

impl Looked {
    const fn new() -> Self {
        Self { visits: 0, heaps: 0, regions: 0, faults: 0, extent: None, listed_heaps: vec(), listed_regions: vec() }
    }

    fn heap(&mut self, heap: &ToolHeap<'_>) {
        if !suppress::leak(heap.origin) {
            self.heaps += 1;
            list(&mut self.listed_heaps, || Live {
                name: Some(Label::new(heap.name)),
                offset: heap.start,
                size: heap.size,
                origin: heap.origin,
            });
        }
    }

    fn regions(&mut self, heap: Option<&ToolHeap<'_>>, regions: &mut dyn Iterator<Item = ToolRegion>) {
        for region in regions.filter(|region| !suppress::leak(region.origin)) {
            self.regions += 1;
            list(&mut self.listed_regions, || Live {
                name: heap.map(|heap| Label::new(heap.name)),
                offset: region.start - heap.map_or(0, |heap| heap.start),
                size: region.size,
                origin: region.origin,
            });
        }
    }

    fn is_clean(&self) -> bool {
        self.faults + self.heaps + self.regions == 0
    }

    /// Whether a fault is one of those that count here.
    fn counts(&self, fault: &Fault) -> bool {
        let is_there = |extent| fault.heap().is_some_and(|heap| (heap.start(), heap.size()) == extent);
        !suppress::fault(fault) && self.extent.is_none_or(is_there)
    }
}

fn list(list: &mut Vec<Live>, live: impl FnOnce() -> Live) {
    if list.len() < LISTED {
        // What there is no memory for is counted all the same.
        let _ = add(list, live());
    }
}

fn look(key: Option<HeapKey>) -> Result<(), Unclean> {
    if BUILD != Build::On {
        return Ok(());
    }
    if !mstx_runtime::status().checker() {
        return not("the checker does not listen: call `install()` at the start of the test, or set `MSTX_CHECK=1`");
    }
    let mut looked = Looked::new();
    match key {
        None => show_live(&mut |heap, regions| {
            looked.visits += 1;
            if let Some(heap) = heap {
                looked.heap(heap);
            }
            looked.regions(heap, regions);
            looked.faults = CHECKER.books(|books| books.faults.total());
        }),
        Some(key) => show_live_in(key, &mut |heap, regions| {
            looked.visits += 1;
            looked.regions(heap, regions);
            looked.extent = heap.map(|heap| (heap.start, heap.size));
            looked.faults += heap.map_or(0, |heap| CHECKER.books(|books| books.pools.faults(heap)));
        }),
    }
    match (key, looked.visits) {
        (None, 0) => not("the checker does not listen any more"),
        (Some(_), 0) => not("no heap is live here: ask before the pool ends"),
        (Some(_), 2..) => not("heaps of several domains start here: name the one that is meant by its guard"),
        _ if looked.is_clean() => Ok(()),
        _ => Err(Unclean { faults: looked.faults, heaps: looked.heaps, regions: looked.regions, report: report(&looked) }),
    }
}

/// Why nobody can say whether it is clean.
fn not(why: &str) -> Result<(), Unclean> {
    Err(Unclean { faults: 0, heaps: 0, regions: 0, report: format!("cannot be said to be clean: {why}") })
}

fn report(looked: &Looked) -> String {
    let mut all = vec();
    for fault in mstx_runtime::faults().filter(|fault| looked.counts(fault)) {
        // What there is no memory for is counted all the same.
        let _ = add(&mut all, fault);
    }
    // Older ones may be of an earlier heap in this place.
    let shown = usize::try_from(looked.faults).unwrap_or(usize::MAX).min(LISTED).min(all.len());
    let (faults, heaps) = (Count(looked.faults, "fault"), Count(looked.heaps, "live heap"));
    let mut kept = String::new();
    Text::keep(&mut kept, |text| {
        writeln!(text, "not clean: {faults}, {heaps}, {}", Count(looked.regions, "live region"))?;
        all[all.len() - shown..].iter().try_for_each(|fault| report::fault(text, fault, false))?;
        live(text, "heap", &looked.listed_heaps, looked.heaps)?;
        live(text, "region", &looked.listed_regions, looked.regions)
    });
    kept
}

fn live(text: &mut Text, thing: &str, listed: &[Live], all: u64) -> fmt::Result {
    for Live { name, offset, size, origin } in listed {
        write!(text, "live {thing}: {}", Count(*size, "byte"))?;
        match name {
            Some(name) if thing == "heap" => writeln!(text, " at {offset:#x}, named `{name}`")?,
            Some(name) => writeln!(text, " at {name}+{offset:#x}")?,
            None => writeln!(text, " at {offset:#x}")?,
        }
        report::origin(text, "  ", *origin)?;
    }
    match all - listed.len() as u64 {
        0 => Ok(()),
        more => writeln!(text, "and {more} more of them"),
    }
}
