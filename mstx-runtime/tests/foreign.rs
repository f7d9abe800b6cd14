//! Calls from outside of Rust against a naive model, and against a tool that keeps its own books.
//!
//! What existing clients do raises no fault, and the tool knows just the regions that are live; whatever else they do, what the tool is
//! told fits together, and everything can be ended.
#![cfg(target_os = "linux")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use mstx_runtime::__private::foreign::{self, Extent};
use mstx_runtime::{Fault, Handle, Origin, Site, Tool, ToolDomain, ToolHeap, ToolRegion, Word};
use proptest::prelude::*;

/// Addresses are slots of this many bytes.
const SLOT: usize = 16;
/// How far the slots of one program are from those of the next: what was refused there is remembered.
const PROGRAM: usize = 0x10_0000;

/// What the tool was told. Several heaps may start at one place, so they are told apart by the calls that registered them.
struct Told {
    /// The number of their domain, where they start, and where they end.
    heaps: BTreeMap<usize, (usize, usize, usize)>,
    /// By heap, and start: their ends.
    regions: BTreeMap<(Option<usize>, usize), usize>,
    faults: Vec<String>,
    /// What does not fit together.
    wrong: Vec<String>,
}

impl Told {
    const fn new() -> Self {
        Self { heaps: BTreeMap::new(), regions: BTreeMap::new(), faults: Vec::new(), wrong: Vec::new() }
    }

    fn check(&mut self, fine: bool, what: impl FnOnce() -> String) {
        if !fine {
            self.wrong.push(what());
        }
    }

    /// The regions that are live, in slots from the first address of the program.
    fn live(&self, base: usize) -> BTreeSet<(usize, usize)> {
        self.regions.iter().map(|(&(_, start), &end)| ((start - base) / SLOT, (end - base) / SLOT)).collect()
    }
}

struct Books(Mutex<Told>);

static BOOKS: Books = Books(Mutex::new(Told::new()));

fn told() -> MutexGuard<'static, Told> {
    BOOKS.0.lock().unwrap_or_else(PoisonError::into_inner)
}

fn name(heap: &ToolHeap<'_>) -> usize {
    heap.origin.address()
}

fn extent(heap: &ToolHeap<'_>, size: usize) -> (usize, usize, usize) {
    (usize::from(heap.domain.name != c"one"), heap.start, heap.start + size)
}

impl Tool for Books {
    fn heap_register(&self, heap: &ToolHeap<'_>) -> Handle {
        let mut told = told();
        let new = extent(heap, heap.size);
        let (_, start, end) = new;
        let crossed = told.heaps.values().any(|&(_, other, last)| {
            let (apart, inside, around) =
                (end <= other || last <= start, other <= start && end <= last, start <= other && last <= end);
            !(apart || inside || around)
        });
        told.check(!crossed, || format!("{heap:?} crosses the bounds of another"));
        let new = told.heaps.insert(name(heap), new).is_none();
        told.check(new, || format!("{heap:?} is there already"));
        Handle::NONE
    }

    fn heap_resize(&self, heap: &ToolHeap<'_>, old_size: usize) {
        let mut told = told();
        let (name, end) = (name(heap), heap.start + heap.size);
        let before = told.heaps.insert(name, extent(heap, heap.size));
        told.check(before == Some(extent(heap, old_size)), || format!("{heap:?} was of another size than {old_size}"));
        let inside = told.regions.iter().filter(|((heap, _), _)| *heap == Some(name)).all(|(_, &last)| last <= end);
        told.check(inside, || format!("{heap:?} shrinks below its regions"));
    }

    fn heap_unregister(&self, heap: &ToolHeap<'_>) {
        let mut told = told();
        let name = name(heap);
        let known = told.heaps.remove(&name);
        told.check(known == Some(extent(heap, heap.size)), || format!("{heap:?} is not known"));
        let empty = !told.regions.keys().any(|&(heap, _)| heap == Some(name));
        told.check(empty, || format!("{heap:?} ends with regions"));
    }

    fn regions_register(&self, _: ToolDomain<'_>, heap: Option<&ToolHeap<'_>>, regions: &[ToolRegion], _: &mut [Handle]) {
        let mut told = told();
        let name = heap.map(name);
        for region in regions {
            let (start, end) = (region.start, region.start + region.size);
            let inside = heap.is_none_or(|heap| heap.start <= start && end <= heap.start + heap.size);
            told.check(inside, || format!("{region:?} is not in {heap:?}"));
            let here = told.regions.iter().filter(|((heap, _), _)| *heap == name);
            let free = { here }.all(|((_, other), &last)| end <= *other || last <= start);
            told.check(free, || format!("{region:?} overlaps"));
            told.regions.insert((name, start), end);
        }
    }

    fn regions_unregister(&self, _: ToolDomain<'_>, heap: Option<&ToolHeap<'_>>, regions: &[ToolRegion]) {
        let mut told = told();
        for region in regions {
            let known = told.regions.remove(&(heap.map(name), region.start));
            told.check(known == Some(region.start + region.size), || format!("{region:?} of {heap:?} is not known"));
        }
    }

    fn fault(&self, fault: &Fault) {
        told().faults.push(format!("{fault:?}"));
    }
}

/// The program's first address, and the numbers of its two domains.
struct Program {
    base: usize,
    domains: [u16; 2],
    /// Regions are given handles one by one.
    handles: usize,
}

/// The tests of this file share the books.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

impl Program {
    fn new() -> Self {
        static ATTACH: Once = Once::new();
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        ATTACH.call_once(|| {
            foreign::keep_to_itself();
            assert!(mstx_runtime::attach(&BOOKS));
        });
        *told() = Told::new();
        let domains = ["one", "two"].map(|name| foreign::domain(name).expect("somebody listens"));
        Self { base: NEXT.fetch_add(1, Ordering::Relaxed) * PROGRAM, domains, handles: 0 }
    }

    fn at(&self, slot: usize) -> usize {
        self.base + slot * SLOT
    }

    fn extent(&self, slot: usize, slots: usize) -> Extent {
        Extent { device: 0, start: self.at(slot), size: slots * SLOT }
    }

    fn heap(&self, domain: usize, slot: usize, slots: usize) {
        foreign::heap_register(origin(), self.domains[domain], self.extent(slot, slots));
    }

    fn heap_ends(&self, domain: usize, slot: usize) {
        foreign::heap_unregister(origin(), self.domains[domain], self.at(slot));
    }

    /// Returns the handle.
    fn region(&mut self, domain: usize, heap: Option<usize>, slot: usize, slots: usize) -> usize {
        self.handles += 1;
        let heap = heap.map_or(0, |slot| self.at(slot));
        foreign::region_register(origin(), self.domains[domain], heap, self.extent(slot, slots), self.handles);
        self.handles
    }

    fn region_ends(&self, domain: usize, slot: usize, handle: usize) {
        foreign::region_unregister(origin(), self.domains[domain], self.at(slot), handle);
    }

    /// Asserts that there was no fault, and that just these are live, in slots.
    fn assert(&self, live: &BTreeSet<(usize, usize)>) -> Result<(), TestCaseError> {
        let told = told();
        prop_assert!(told.wrong.is_empty(), "{:#?}", told.wrong);
        prop_assert!(told.faults.is_empty(), "{:#?}", told.faults);
        prop_assert_eq!(&told.live(self.base), live);
        Ok(())
    }
}

impl Drop for Program {
    /// What a test leaves behind is not for the next one.
    fn drop(&mut self) {
        end_all(self);
    }
}

/// A call like no other.
fn origin() -> Origin {
    static SITE: Site = Site::new(Word::region, "foreign", "tests");
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    Origin::foreign(&SITE, NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Ends whatever the tool knows, the innermost heaps first. Returns whether that was possible.
fn end_all(program: &Program) -> bool {
    let slot = |start: usize| (start - program.base) / SLOT;
    loop {
        let innermost = told().heaps.values().map(|&(domain, start, end)| (Reverse(end - start), domain, start)).max();
        let Some((_, domain, start)) = innermost else { break };
        let before = told().heaps.len();
        program.heap_ends(domain, slot(start));
        if told().heaps.len() == before {
            return false;
        }
    }
    let left: Vec<usize> = told().regions.keys().map(|(_, start)| slot(*start)).collect();
    for slot in left {
        program.region_ends(0, slot, 0);
        program.region_ends(1, slot, 0);
    }
    told().regions.is_empty()
}

#[test]
fn a_heap_on_a_region_of_no_heap_outlives_the_heap_around_both() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut program = Program::new();
    program.region(1, None, 5, 2);
    program.heap(1, 5, 3);
    program.heap(0, 5, 1);
    program.heap_ends(1, 5);
    program.heap_ends(0, 5);
    program.region_ends(1, 5, 0);
    let told = told();
    assert!(told.faults.is_empty() && told.wrong.is_empty(), "{:#?} {:#?}", told.faults, told.wrong);
    assert!(told.heaps.is_empty() && told.regions.is_empty(), "{:?} {:?}", told.heaps, told.regions);
}

/// Heaps of these slots each, side by side with gaps.
const HEAP: usize = 32;
const STEP: usize = 40;
const HEAPS: usize = 3;

#[derive(Clone, Copy, Debug)]
enum Right {
    Heap(usize),
    HeapEnds(usize),
    Region {
        heap: usize,
        named: bool,
        slot: usize,
        slots: usize,
    },
    /// Of no heap, anywhere.
    Loose {
        slot: usize,
        slots: usize,
    },
    /// One of those that are live.
    Ends {
        which: usize,
        by_handle: bool,
    },
}

fn right() -> impl Strategy<Value = Right> {
    prop_oneof![
        2 => (0..HEAPS).prop_map(Right::Heap),
        1 => (0..HEAPS).prop_map(Right::HeapEnds),
        6 => (0..HEAPS, any::<bool>(), 0..HEAP, 1..8_usize)
            .prop_map(|(heap, named, slot, slots)| Right::Region { heap, named, slot, slots }),
        2 => (0..HEAPS * STEP, 1..12_usize).prop_map(|(slot, slots)| Right::Loose { slot, slots }),
        5 => (any::<usize>(), any::<bool>()).prop_map(|(which, by_handle)| Right::Ends { which, by_handle }),
    ]
}

#[derive(Clone, Copy)]
struct Live {
    slot: usize,
    end: usize,
    handle: usize,
    /// With the heap that it was said to be of, it ends.
    heap: Option<usize>,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the interface allows: regions that do not overlap, in heaps of their own size, or in none.
    #[test]
    fn what_is_right_is_no_fault(steps in prop::collection::vec(right(), 1..60)) {
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut program = Program::new();
        let (mut heaps, mut regions) = ([false; HEAPS], Vec::<Live>::new());
        for step in steps {
            let is_free = |slot: usize, end: usize| regions.iter().all(|region| end <= region.slot || region.end <= slot);
            match step {
                Right::Heap(heap) if !heaps[heap] => {
                    heaps[heap] = true;
                    program.heap(0, heap * STEP, HEAP);
                }
                Right::HeapEnds(heap) if heaps[heap] => {
                    heaps[heap] = false;
                    program.heap_ends(0, heap * STEP);
                    regions.retain(|region| region.heap != Some(heap));
                }
                Right::Region { heap, named, slot, slots } if heaps[heap] => {
                    let (slot, end) = (heap * STEP + slot, heap * STEP + (slot + slots).min(HEAP));
                    if is_free(slot, end) {
                        let named = Some(heap).filter(|_| named);
                        let handle = program.region(0, named.map(|heap| heap * STEP), slot, end - slot);
                        regions.push(Live { slot, end, handle, heap: named });
                    }
                }
                Right::Loose { slot, slots } if is_free(slot, slot + slots) => {
                    let handle = program.region(0, None, slot, slots);
                    regions.push(Live { slot, end: slot + slots, handle, heap: None });
                }
                Right::Ends { which, by_handle } if !regions.is_empty() => {
                    let region = regions.swap_remove(which % regions.len());
                    program.region_ends(0, region.slot, if by_handle { region.handle } else { 0 });
                }
                _ => continue,
            }
            program.assert(&regions.iter().map(|region| (region.slot, region.end)).collect())?;
        }
    }

    /// Each block is a heap, whose size is the total of all so far.
    #[test]
    fn running_totals_are_no_fault(
        sizes in prop::collection::vec(2..20_usize, 8),
        steps in prop::collection::vec((0..8_usize, 0..4_usize), 1..60),
    ) {
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut program = Program::new();
        // Where each block lies, its size, and whether it is live: with no region, one, or two.
        let places: Vec<usize> = sizes.iter().scan(0, |at, size| { *at += size; Some(*at - size) }).collect();
        let mut total = 0;
        let mut blocks = [const { None::<Vec<(usize, usize)>> }; 8];
        for (block, kind) in steps {
            let (slot, size) = (places[block], sizes[block]);
            if let Some(parts) = blocks[block].take() {
                // Some free their regions first, others do not.
                if kind % 2 == 0 {
                    parts.iter().for_each(|&(start, _)| program.region_ends(0, start, 0));
                }
                program.heap_ends(0, slot);
                // Some count down, others only up.
                total -= if kind < 2 { size } else { 0 };
            } else {
                total += size;
                program.heap(0, slot, total);
                let parts = [vec![], vec![(0, size)], vec![(0, 1), (1, size)], vec![(size - 1, size)]];
                let parts: Vec<_> = parts[kind].iter().map(|(start, end)| (slot + start, slot + end)).collect();
                for &(start, end) in &parts {
                    program.region(0, Some(slot), start, end - start);
                }
                blocks[block] = Some(parts);
            }
            program.assert(&blocks.iter().flatten().flatten().copied().collect())?;
        }
    }

    /// Anything at all: what the tool is told fits together, and all of it can be ended.
    #[test]
    fn whatever_happens_fits_together(
        steps in prop::collection::vec((0..6_u8, 0..2_usize, 0..24_usize, 0..24_usize, 1..12_usize), 1..60),
    ) {
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut program = Program::new();
        let mut handles = Vec::new();
        for (what, domain, slot, heap, slots) in steps {
            match what {
                0 => program.heap(domain, slot, slots),
                1 => program.heap_ends(domain, slot),
                2 => handles.push((slot, program.region(domain, None, slot, slots))),
                3 => handles.push((slot, program.region(domain, Some(heap), slot, slots))),
                4 => program.region_ends(domain, slot, 0),
                _ => {
                    if let Some(&(slot, handle)) = handles.get(slot % handles.len().max(1)) {
                        program.region_ends(domain, slot, handle);
                    }
                }
            }
            let told = told();
            prop_assert!(told.wrong.is_empty(), "{:#?}", told.wrong);
        }
        let all = end_all(&program);
        let told = told();
        prop_assert!(all, "{:x?} {:x?}", told.heaps, told.regions);
        prop_assert!(told.wrong.is_empty(), "{:#?}", told.wrong);
    }
}
