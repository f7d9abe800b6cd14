//! Which of the snapshot's devices shows what.
//!
//! The format knows no memory inside of other memory, and no block outside of a segment. So heaps that overlap are shown on
//! different devices: an outer heap on its own, the heaps inside of it on another one, and the regions of no heap on a further
//! one, each in a segment of its own.

use crate::files::label;
use crate::recording::memory::{Full, Vec, filled, index, place, vec};
use crate::recording::story::{Change, Heap, Home, Story};

/// The most devices that keep their numbers. With more, they are numbered in turn: there is a list for each number.
const MOST: u32 = 64;

/// Where each heap is shown, and how many devices there are.
pub(super) struct Planes {
    /// The devices of the program, sorted.
    devices: Vec<u32>,
    /// The plane of each heap.
    heaps: Vec<u32>,
    /// The plane of the regions of no heap.
    ground: u32,
    /// How many devices a plane has.
    width: u32,
}

/// A live heap that is being shown: where, from where to where, and which. They are kept sorted, and no two overlap.
#[derive(Clone, Copy)]
struct Shown {
    device: u32,
    plane: u32,
    start: u64,
    end: u64,
    heap: u32,
}

impl Shown {
    const fn key(&self) -> (u32, u32, u64) {
        (self.device, self.plane, self.start)
    }
}

impl Planes {
    pub(super) fn of(story: &Story<'_>) -> Result<Self, Full> {
        let mut planes = Self { devices: vec(), heaps: filled(0, story.heaps.len())?, ground: 0, width: 1 };
        planes.find_devices(story)?;
        let mut shown: Vec<Shown> = vec();
        for step in &story.steps {
            match step.change {
                Change::HeapBegins(heap) => planes.show(story, &mut shown, heap)?,
                Change::HeapEnds(heap) => {
                    let Some(key) = planes.entry(story, heap) else { continue };
                    if let Ok(at) = shown.binary_search_by_key(&key.key(), Shown::key) {
                        shown.remove(at);
                    }
                }
                _ => {}
            }
        }
        planes.ground = planes.heaps.iter().max().map_or(0, |plane| plane + 1);
        Ok(planes)
    }

    fn find_devices(&mut self, story: &Story<'_>) -> Result<(), Full> {
        let heaps = (0..).zip(&story.heaps).map(|(number, _)| Home::Heap(number));
        let regions = story.regions.iter().map(|region| region.home).filter(|home| matches!(home, Home::Ground(_)));
        for device in heaps.chain(regions).map(|home| label::device(story, home)) {
            if let Err(at) = self.devices.binary_search(&device) {
                self.devices.try_reserve(1).map_err(|_| Full)?;
                self.devices.insert(at, device);
            }
        }
        self.width = match self.devices.last() {
            Some(&last) if last >= MOST => place(self.devices.len()),
            Some(&last) => last + 1,
            None => 1,
        };
        Ok(())
    }

    /// A heap on the plane that it has.
    fn entry(&self, story: &Story<'_>, number: u32) -> Option<Shown> {
        let (heap, &plane) = (story.heap(number)?, self.heaps.get(index(number))?);
        let device = label::device(story, Home::Heap(number));
        Some(Shown { device, plane, start: heap.start, end: end(heap), heap: number })
    }

    /// Puts a heap on the first plane on which nothing is in its way.
    fn show(&mut self, story: &Story<'_>, shown: &mut Vec<Shown>, number: u32) -> Result<(), Full> {
        let Some(mut new) = self.entry(story, number) else { return Ok(()) };
        let at = loop {
            let at = shown.partition_point(|other| other.key() < new.key());
            let same = |other: &&Shown| (other.device, other.plane) == (new.device, new.plane);
            let before = at.checked_sub(1).and_then(|before| shown.get(before)).filter(same);
            let behind = shown.get(at).filter(same);
            if before.is_none_or(|before| before.end <= new.start) && behind.is_none_or(|behind| new.end <= behind.start) {
                break at;
            }
            new.plane += 1;
        };
        if let Some(plane) = self.heaps.get_mut(index(new.heap)) {
            *plane = new.plane;
        }
        shown.try_reserve(1).map_err(|_| Full)?;
        shown.insert(at, new);
        Ok(())
    }

    /// The number of the device that shows what is there.
    pub(super) fn device(&self, story: &Story<'_>, home: Home) -> u32 {
        let plane = match home {
            Home::Heap(heap) => self.heaps.get(index(heap)).copied().unwrap_or(0),
            Home::Ground(_) => self.ground,
        };
        let device = label::device(story, home);
        let within = if device < self.width && self.devices.last().is_none_or(|&last| last < MOST) {
            device
        } else {
            place(self.devices.binary_search(&device).unwrap_or(0))
        };
        plane.saturating_mul(self.width).saturating_add(within)
    }
}

/// The address behind the heap's last one, when it was largest.
pub(super) const fn end(heap: &Heap) -> u64 {
    heap.start.saturating_add(heap.largest)
}
