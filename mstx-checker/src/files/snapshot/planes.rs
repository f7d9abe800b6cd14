//! Which of the snapshot's devices shows what.
//!
//! The format knows no memory inside of other memory, and no block outside of a segment. So heaps that overlap are shown on
//! different devices: an outer heap on its own, the heaps inside of it on another one, and the regions of no heap on a further
//! one, each in a segment of its own.

use super::layers::Layers;
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

impl Planes {
    pub(super) fn of(story: &Story<'_>) -> Result<Self, Full> {
        let mut planes = Self { devices: vec(), heaps: filled(0, story.heaps.len())?, ground: 0, width: 1 };
        planes.find_devices(story)?;
        let edges = |number: u32| {
            let (heap, device) = (story.heap(number)?, label::device(story, Home::Heap(number)));
            Some([(device, heap.start), (device, end(heap))])
        };
        let mut all = vec();
        all.try_reserve_exact(story.heaps.len() * 2).map_err(|_| Full)?;
        all.extend((0..place(story.heaps.len())).filter_map(edges).flatten());
        let mut layers = Layers::new(all)?;
        for step in &story.steps {
            let (Change::HeapBegins(number) | Change::HeapEnds(number)) = step.change else { continue };
            let (Some([from, to]), Some(plane)) = (edges(number), planes.heaps.get_mut(index(number))) else { continue };
            if matches!(step.change, Change::HeapBegins(_)) {
                // The first plane on which nothing is in its way.
                *plane = layers.take(from, to);
            } else {
                layers.free(from, to, *plane);
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
