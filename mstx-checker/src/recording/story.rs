//! The recorded events as things that begin and end, which is what all files are made of.

use super::event::{Event, Kind, Moment};
use super::live::LiveRegions;
use super::memory::{Full, Vec, add, index, place, vec};
use super::names::{Names, UNKNOWN};
use super::numbered::Numbered;
use super::recorder::{NO_HEAP, Recorder};

/// The end of what has not ended.
pub(crate) const NEVER: u64 = u64::MAX;

/// Where a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Home {
    /// In the heap at this place of the list.
    Heap(u32),
    /// In no heap, on the ground of this number.
    Ground(u32),
}

/// A heap, from its registration to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heap {
    pub(crate) start: u64,
    /// Its size when it began.
    pub(crate) first_size: u64,
    /// Its size at the end.
    pub(crate) size: u64,
    /// The largest that it was.
    pub(crate) largest: u64,
    pub(crate) class: u32,
    pub(crate) begin: Moment,
    pub(crate) end: u64,
}

/// A region, from its registration to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) start: u64,
    pub(crate) size: u64,
    pub(crate) origin: u32,
    pub(crate) home: Home,
    pub(crate) begin: Moment,
    pub(crate) end: u64,
}

impl Region {
    pub(crate) const fn is_live(&self) -> bool {
        self.end == NEVER
    }
}

/// A mark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) at: Moment,
    pub(crate) message: u32,
    pub(crate) domain: u32,
    pub(crate) stream: u64,
}

/// A range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) begin: Moment,
    pub(crate) end: u64,
    pub(crate) message: u32,
    pub(crate) domain: u32,
    pub(crate) stream: u64,
}

/// What happened, to which entry of which list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    HeapBegins(u32),
    /// The entry of `resizes`.
    HeapResized(u32),
    HeapEnds(u32),
    RegionBegins(u32),
    RegionEnds(u32),
    Mark(u32),
    RangeBegins(u32),
    RangeEnds(u32),
}

/// A change, and when and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) at: Moment,
    pub(crate) change: Change,
}

/// A heap got another size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeapResize {
    pub(crate) heap: u32,
    pub(crate) time: u64,
    pub(crate) size: u64,
}

/// Everything that was recorded.
pub(crate) struct Story<'a> {
    pub(crate) names: &'a Names,
    pub(crate) heaps: Vec<Heap>,
    pub(crate) regions: Vec<Region>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) ranges: Vec<Range>,
    pub(crate) resizes: Vec<HeapResize>,
    /// All of it in the order in which it happened.
    pub(crate) steps: Vec<Step>,
    /// From when on everything is known, in nanoseconds: where events were dropped, of what was before only that is known which
    /// was still live then.
    pub(crate) begin: u64,
    /// When the recording ended.
    pub(crate) end: u64,
    /// How many events were dropped.
    pub(crate) dropped: u64,
    /// How many events are kept.
    pub(crate) kept: usize,
}

impl<'a> Story<'a> {
    /// Tells the story up to now. How many of the events were read, of how many, is told to `reads`.
    pub(crate) fn of(recorder: &'a Recorder, now: u64, reads: &mut impl FnMut(usize, usize)) -> Result<Self, Full> {
        let window = recorder.window();
        let oldest = window.events().next().map_or(0, Event::time);
        let mut story = Self {
            names: recorder.names(),
            heaps: vec(),
            regions: vec(),
            marks: vec(),
            ranges: vec(),
            resizes: vec(),
            steps: vec(),
            begin: if window.dropped() > 0 { oldest } else { 0 },
            end: now,
            dropped: window.dropped(),
            kept: window.len(),
        };
        let mut live = Live { heaps: Numbered::new(), ranges: Numbered::new(), regions: LiveRegions::new() };
        let before = recorder.before()?;
        let all = before.len() + window.len();
        story.steps.try_reserve_exact(all).map_err(|_| Full)?;
        for (read, event) in before.iter().chain(window.events()).enumerate() {
            story.add(&mut live, event)?;
            reads(read, all);
        }
        Ok(story)
    }

    fn add(&mut self, live: &mut Live, event: &Event) -> Result<(), Full> {
        let at = event.moment();
        self.end = self.end.max(at.time);
        let change = match event.kind() {
            Kind::HeapRegister => self.heap_begins(live, event)?,
            Kind::RegionRegister => self.region_begins(live, event)?,
            Kind::HeapResize => {
                let Some(number) = live.heaps.get(event.whose.into()) else { return Ok(()) };
                if let Some(heap) = self.heaps.get_mut(index(number)) {
                    heap.size = event.size();
                    heap.largest = heap.largest.max(heap.size);
                    heap.class = event.what;
                }
                add(&mut self.resizes, HeapResize { heap: number, time: at.time, size: event.size() })?;
                Change::HeapResized(place(self.resizes.len() - 1))
            }
            Kind::HeapUnregister => {
                let Some(number) = live.heaps.remove(event.whose.into()) else { return Ok(()) };
                self.heaps.get_mut(index(number)).into_iter().for_each(|heap| heap.end = at.time);
                Change::HeapEnds(number)
            }
            Kind::RegionUnregister => {
                let Some(number) = live.regions.remove(event) else { return Ok(()) };
                self.regions.get_mut(index(number)).into_iter().for_each(|region| region.end = at.time);
                Change::RegionEnds(number)
            }
            Kind::Mark => {
                add(&mut self.marks, Mark { at, message: event.what, domain: event.whose, stream: event.size() })?;
                Change::Mark(place(self.marks.len() - 1))
            }
            Kind::RangeStart => {
                let (message, domain, stream) = (event.what, event.whose, event.size());
                let number = place(self.ranges.len());
                add(&mut self.ranges, Range { begin: at, end: NEVER, message, domain, stream })?;
                live.ranges.insert(event.address, number)?;
                Change::RangeBegins(number)
            }
            Kind::RangeEnd => {
                let Some(number) = live.ranges.remove(event.address) else { return Ok(()) };
                self.ranges.get_mut(index(number)).into_iter().for_each(|range| range.end = at.time);
                Change::RangeEnds(number)
            }
        };
        add(&mut self.steps, Step { at, change })
    }

    fn heap_begins(&mut self, live: &mut Live, event: &Event) -> Result<Change, Full> {
        let number = place(self.heaps.len());
        let (start, size, class, begin) = (event.address, event.size(), event.what, event.moment());
        add(&mut self.heaps, Heap { start, first_size: size, size, largest: size, class, begin, end: NEVER })?;
        live.heaps.insert(event.whose.into(), number)?;
        Ok(Change::HeapBegins(number))
    }

    fn region_begins(&mut self, live: &mut Live, event: &Event) -> Result<Change, Full> {
        let number = place(self.regions.len());
        let home = if event.whose & NO_HEAP == 0 {
            live.heaps.get(event.whose.into()).map_or(Home::Ground(UNKNOWN), Home::Heap)
        } else {
            Home::Ground(event.whose & !NO_HEAP)
        };
        let (start, size, origin, begin) = (event.address, event.size(), event.what, event.moment());
        add(&mut self.regions, Region { start, size, origin, home, begin, end: NEVER })?;
        live.regions.insert(*event, number)?;
        Ok(Change::RegionBegins(number))
    }

    pub(crate) fn heap(&self, number: u32) -> Option<&Heap> {
        self.heaps.get(index(number))
    }

    pub(crate) fn region(&self, number: u32) -> Option<&Region> {
        self.regions.get(index(number))
    }
}

/// What is live while the story is told: its places in the lists.
struct Live {
    heaps: Numbered<u32>,
    ranges: Numbered<u32>,
    regions: LiveRegions<u32>,
}
