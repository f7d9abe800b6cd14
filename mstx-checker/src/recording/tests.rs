//! A stage for stories, and what the recorder makes of them.

use std::ffi::{CStr, CString};
use std::sync::Mutex;
use std::time::Instant;

use mstx_runtime::{Handle, Origin, Place, Tool, ToolDomain, ToolHeap, ToolRegion};

use super::event::Moment;
use super::recorder::Recorder;
use super::story::{Change, Home, NEVER, Region, Story};

/// Finds out origins, which only the runtime makes.
struct Origins(Mutex<Vec<Origin>>);

impl Tool for Origins {
    fn regions_register(&self, _: ToolDomain<'_>, _: Option<&ToolHeap<'_>>, regions: &[ToolRegion], _: &mut [Handle]) {
        if let Ok(mut origins) = self.0.lock() {
            origins.extend(regions.iter().map(|region| region.origin));
        }
    }
}

static ORIGINS: Origins = Origins(Mutex::new(Vec::new()));

/// Some origins, of different lines; none where reporting is switched off.
pub(crate) fn origins() -> Option<[Origin; 3]> {
    mstx_runtime::domain!(static ORIGINAL = "original");
    static ONCE: Mutex<()> = Mutex::new(());
    let _alone = ONCE.lock().ok()?;
    mstx_runtime::attach(&ORIGINS);
    let at = |address: usize| core::ptr::without_provenance::<u8>(address);
    let known = || ORIGINS.0.lock().ok().and_then(|origins| Some([*origins.first()?, *origins.get(1)?, *origins.get(2)?]));
    if known().is_none() {
        mstx_runtime::register_region(&ORIGINAL, at(0x1000), 1);
        mstx_runtime::register_region(&ORIGINAL, at(0x2000), 1);
        mstx_runtime::register_region(&ORIGINAL, at(0x3000), 1);
    }
    known()
}

/// A recorder, and a clock that goes on with each event, by a microsecond if nothing else is said.
pub(crate) struct Stage {
    pub(crate) recorder: Recorder,
    pub(crate) now: u64,
    /// By how much the clock goes on with each event.
    pub(crate) pace: u64,
    pub(crate) origins: [Origin; 3],
}

impl Stage {
    pub(crate) fn new() -> Option<Self> {
        Some(Self { recorder: Recorder::new(), now: 0, pace: 1000, origins: origins()? })
    }

    fn at(&mut self) -> Moment {
        self.now += self.pace;
        Moment { time: self.now, thread: 1 }
    }

    fn domain() -> ToolDomain<'static> {
        ToolDomain { name: c"pool", handle: Handle::NONE }
    }

    fn tool_heap<'a>(&self, name: &'a str, start: usize, size: usize, device: u32) -> ToolHeap<'a> {
        let origin = self.origins[0];
        ToolHeap { domain: Self::domain(), name, start, size, device, place: Place::Device, origin, handle: Handle::NONE }
    }

    pub(crate) fn heap(&mut self, name: &str, start: usize, size: usize, device: u32) {
        let (at, heap) = (self.at(), self.tool_heap(name, start, size, device));
        self.recorder.heap_register(at, &heap);
    }

    pub(crate) fn heap_resize(&mut self, name: &str, start: usize, size: usize) {
        let (at, heap) = (self.at(), self.tool_heap(name, start, size, 0));
        self.recorder.heap_resize(at, &heap);
    }

    pub(crate) fn heap_end(&mut self, name: &str, start: usize, size: usize) {
        let (at, heap) = (self.at(), self.tool_heap(name, start, size, 0));
        self.recorder.heap_unregister(at, &heap);
    }

    fn tool_region(&self, start: usize, size: usize, origin: usize, device: u32) -> ToolRegion {
        ToolRegion { start, size, device, origin: self.origins[origin], handle: Handle::NONE }
    }

    /// A region of the heap that starts there, or of none.
    pub(crate) fn region(&mut self, heap: Option<usize>, start: usize, size: usize, origin: usize) {
        let at = self.at();
        let heap = heap.map(|heap| self.tool_heap("heap", heap, 4096, 0));
        let region = self.tool_region(start, size, origin, 0);
        self.recorder.regions_register(at, Self::domain(), heap.as_ref(), &[region]);
    }

    pub(crate) fn end(&mut self, start: usize, size: usize, origin: usize) {
        let (at, region) = (self.at(), self.tool_region(start, size, origin, 0));
        self.recorder.regions_unregister(at, &[region]);
    }

    pub(crate) fn mark(&mut self, message: &str) {
        let at = self.at();
        let message = CString::new(message).unwrap_or_default();
        self.recorder.mark(at, Some(Self::domain()), &message, 0);
    }

    /// A mark of any bytes.
    pub(crate) fn mark_as(&mut self, message: &CStr) {
        let at = self.at();
        self.recorder.mark(at, None, message, 0);
    }

    pub(crate) fn range(&mut self, message: &str) -> u64 {
        let at = self.at();
        let message = CString::new(message).unwrap_or_default();
        self.recorder.range_start(at, None, &message, 7)
    }

    pub(crate) fn range_end(&mut self, number: u64) {
        let at = self.at();
        self.recorder.range_end(at, number);
    }

    pub(crate) fn story(&self) -> Option<Story<'_>> {
        Story::of(&self.recorder, self.now + 1000, &mut |_, _| ()).ok()
    }

    /// A bit of everything.
    pub(crate) fn everything(&mut self) {
        self.mark("start <&\"> of \u{e4}ll");
        let range = self.range("outer");
        self.heap("first & only", 0x10_0000, 0x1_0000, 0);
        for n in 0..8 {
            self.region(Some(0x10_0000), 0x10_0000 + n * 0x1000, 0xf00, n % 3);
        }
        let inner = self.range("inner");
        self.heap("nested", 0x10_1000, 0xf00, 0);
        self.region(Some(0x10_1000), 0x10_1000, 0xf00, 1);
        self.end(0x10_1000, 0xf00, 1);
        self.heap_end("nested", 0x10_1000, 0xf00);
        self.range_end(range);
        self.heap_resize("first & only", 0x10_0000, 0x2_0000);
        self.region(Some(0x10_0000), 0x11_8000, 0x100, 2);
        for n in 2..8 {
            self.end(0x10_0000 + n * 0x1000, 0xf00, n % 3);
        }
        self.heap("device", 0x7000_0000_0000, 0x8000, 3);
        self.region(Some(0x7000_0000_0000), 0x7000_0000_0000, 0x8000, 0);
        self.end(0x7000_0000_0000, 0x8000, 0);
        self.heap_end("device", 0x7000_0000_0000, 0x8000);
        self.heap("device", 0x7000_0000_0000, 0x4000, 3);
        self.region(None, usize::MAX - 0x100, 0x80, 1);
        self.region(None, 0x5000, 0x80, 2);
        self.end(0x5000, 0x80, 2);
        self.range_end(inner);
        self.range("never ends");
    }
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % sides
    }
}

#[test]
fn things_begin_and_end() {
    let Some(mut stage) = Stage::new() else { return };
    stage.everything();
    let Some(story) = stage.story() else { return };
    assert_eq!((story.heaps.len(), story.regions.len(), story.marks.len(), story.ranges.len()), (4, 13, 1, 3));
    assert_eq!(story.steps.len(), story.kept);
    assert_eq!(story.heaps[0].largest, 0x2_0000);
    let live: Vec<_> = story.regions.iter().filter(|region| region.is_live()).map(|region| region.start).collect();
    assert_eq!(live, [0x10_0000, 0x10_1000, 0x11_8000, u64::MAX - 0x100]);
    let homes: Vec<_> = story.regions.iter().map(|region| region.home).skip(7).collect();
    assert_eq!(homes[..5], [Home::Heap(0), Home::Heap(1), Home::Heap(0), Home::Heap(2), Home::Ground(0)]);
    let ends: Vec<_> = story.ranges.iter().map(|range| range.end != NEVER).collect();
    assert_eq!(ends, [true, true, false]);
}

#[test]
fn of_several_regions_at_one_place_the_inner_one_ends() {
    let Some(mut stage) = Stage::new() else { return };
    stage.heap("outer", 0x1000, 0x1000, 0);
    stage.region(Some(0x1000), 0x1000, 0x800, 1);
    stage.heap("inner", 0x1000, 0x800, 0);
    stage.region(Some(0x1000), 0x1000, 0x800, 1);
    stage.end(0x1000, 0x800, 1);
    let Some(story) = stage.story() else { return };
    let live: Vec<_> = story.regions.iter().map(Region::is_live).collect();
    assert_eq!(live, [true, false]);
}

/// Two nested functions may report one region: it leaves under the origin of the outer one.
#[test]
fn a_region_may_end_under_another_origin() {
    let Some(mut stage) = Stage::new() else { return };
    stage.region(None, 0x1000, 0x800, 1);
    stage.end(0x1000, 0x800, 2);
    let Some(story) = stage.story() else { return };
    assert!(story.regions.iter().all(|region| !region.is_live()));
}

#[test]
fn a_heap_that_began_before_the_recording() {
    let Some(mut stage) = Stage::new() else { return };
    stage.end(0x1000, 64, 0);
    stage.heap_end("unknown", 0x9000, 64);
    stage.region(Some(0x1000), 0x1000, 64, 0);
    stage.region(Some(0x1000), 0x1040, 64, 0);
    let Some(story) = stage.story() else { return };
    assert_eq!((story.heaps.len(), story.regions.len()), (1, 2));
    assert_eq!(story.regions[1].home, Home::Heap(0));
}

/// However few events are kept, they and what was live before agree with a list of everything.
#[test]
fn what_is_kept_is_whole() {
    for most in [1, 2, 3, 10, 64, 999, 5000] {
        let Some(mut stage) = Stage::new() else { return };
        stage.recorder.keep(most);
        let (mut dice, mut live, mut ranges, mut events) = (Dice(most as u64), Vec::new(), Vec::new(), 0_u64);
        for _ in 0..2000 {
            events += 1;
            let heap = 0x10_0000 * (1 + dice.roll(3));
            match dice.roll(12) {
                0..=4 => {
                    let start = heap + 64 * dice.roll(64);
                    if live.contains(&start) {
                        events -= 1;
                        continue;
                    }
                    live.push(start);
                    stage.region(None, start, 64, dice.roll(3));
                }
                5..=8 if !live.is_empty() => {
                    let start = live.swap_remove(dice.roll(live.len()));
                    stage.end(start, 64, dice.roll(3));
                }
                9 => ranges.push(stage.range("range")),
                10 if !ranges.is_empty() => stage.range_end(ranges.swap_remove(dice.roll(ranges.len()))),
                _ => stage.mark("mark"),
            }
        }
        let Some(story) = stage.story() else { return };
        assert_eq!(story.dropped + story.kept as u64, events, "{most}");
        assert!(story.kept <= most);
        // Nothing ends that did not begin.
        let begun = story.steps.iter().filter(|step| matches!(step.change, Change::RegionBegins(_) | Change::RangeBegins(_)));
        assert_eq!(begun.count(), story.regions.len() + story.ranges.len());
        let before = story.steps.iter().filter(|step| step.at.time < story.begin).count();
        assert_eq!(story.steps.len(), before + story.kept, "{most}: an event was not understood");
        let mut now: Vec<_> = story.regions.iter().filter(|region| region.is_live()).map(|region| region.start).collect();
        now.sort_unstable();
        live.sort_unstable();
        assert_eq!(now, live.iter().map(|&start| start as u64).collect::<Vec<_>>(), "{most}");
        assert_eq!(story.ranges.iter().filter(|range| range.end == NEVER).count(), ranges.len());
    }
}

#[test]
fn heaps_are_known_after_their_events_are_dropped() {
    let Some(mut stage) = Stage::new() else { return };
    stage.recorder.keep(4);
    stage.heap("heap", 0x1000, 0x1000, 0);
    stage.heap_resize("heap", 0x1000, 0x3000);
    stage.heap("other", 0x8000, 0x1000, 0);
    stage.heap_end("other", 0x8000, 0x1000);
    for _ in 0..10 {
        stage.region(Some(0x1000), 0x1000, 64, 0);
        stage.end(0x1000, 64, 0);
    }
    let Some(story) = stage.story() else { return };
    assert_eq!((story.heaps.len(), story.heaps[0].size, story.dropped), (1, 0x3000, 20));
    assert!(story.regions.iter().all(|region| region.home == Home::Heap(0)));
}

/// Ten million events go through a recording of a hundred thousand (in a debug build a tenth of that), in memory that does not
/// grow.
#[test]
fn many_events_in_bounded_memory() {
    let Some(mut stage) = Stage::new() else { return };
    stage.recorder.keep(100_000);
    let events = if cfg!(debug_assertions) { 1_000_000 } else { 10_000_000 };
    stage.heap("heap", 0x1000_0000, 1 << 28, 0);
    let begin = Instant::now();
    for n in 0..events / 2 {
        let start = 0x1000_0000 + n % 1000 * 64;
        if n >= 1000 {
            stage.end(start, 64, n % 3 % 2);
        }
        stage.region(Some(0x1000_0000), start, 64, n % 2);
    }
    let each = begin.elapsed().as_nanos() / u128::try_from(events).unwrap_or(1);
    println!("{each} ns an event");
    let window = stage.recorder.window();
    assert_eq!((window.len(), window.room()), (100_000, 100_000));
    assert_eq!(window.dropped(), 1 + events as u64 - 1000 - 100_000);
    let Some(story) = stage.story() else { return };
    assert_eq!(story.regions.iter().filter(|region| region.is_live()).count(), 1000);
}

/// A program may give each of its steps a name, without end: those of the newest events are known.
#[test]
fn messages_without_end() {
    let Some(mut stage) = Stage::new() else { return };
    stage.recorder.keep(1000);
    let outermost = stage.range("the whole run");
    for n in 0..200_000 {
        let range = stage.range(&format!("step {n}"));
        stage.mark("in each");
        stage.range_end(range);
    }
    let Some(story) = stage.story() else { return };
    let said = |message: u32| story.names.get_message(message);
    assert!(story.marks.iter().all(|mark| said(mark.message) == Some("in each")));
    let last = story.ranges.last().and_then(|range| said(range.message));
    assert_eq!(last, Some("step 199999"));
    assert_eq!(story.ranges.first().and_then(|range| said(range.message)), Some("the whole run"));
    assert!(story.ranges.iter().all(|range| said(range.message).is_some()));
    stage.range_end(outermost);
}
