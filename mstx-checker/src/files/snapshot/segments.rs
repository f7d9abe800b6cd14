//! What is live at the end: heaps as segments, whose blocks leave no gaps.

use super::Snapshot;
use crate::recording::memory::{Full, Vec, place, vec};
use crate::recording::story::{Home, NEVER, Region, Story};

impl Snapshot<'_, '_, '_> {
    /// The heaps that are live, with what is in them.
    pub(super) fn segments(&mut self) -> Result<(), Full> {
        let story = self.story;
        let mut live: Vec<u32> = vec();
        let is_live = |number: &u32| story.region(*number).is_some_and(Region::is_live);
        live.try_reserve_exact(story.regions.iter().filter(|region| region.is_live()).count()).map_err(|_| Full)?;
        live.extend((0..place(story.regions.len())).filter(is_live));
        // Regions of one heap stand together, in the order of their addresses; those of no heap at the end.
        let key = |number: &u32| story.region(*number).map(|region| (heap_number(region), region.start));
        live.sort_unstable_by_key(key);
        self.pickle.begin_list();
        for (number, heap) in (0..).zip(&story.heaps) {
            if heap.end != NEVER {
                continue;
            }
            let of = |number_of: u32| {
                live.partition_point(|&at| story.region(at).is_some_and(|region| heap_number(region) < number_of))
            };
            let regions = live.get(of(number)..of(number + 1)).unwrap_or_default();
            self.segment(Home::Heap(number), heap.start, heap.largest, regions);
        }
        let nowhere = live.partition_point(|&at| story.region(at).is_some_and(|region| heap_number(region) != u32::MAX));
        for number in live.get(nowhere..).unwrap_or_default() {
            if let Some(region) = story.region(*number) {
                self.segment(region.home, region.start, region.size, core::slice::from_ref(number));
            }
        }
        Ok(())
    }

    fn segment(&mut self, home: Home, start: u64, size: u64, regions: &[u32]) {
        let story = self.story;
        let fitting = || Fitting { story, regions: regions.iter(), at: start, end: start.saturating_add(size) };
        let used = fitting().map(|region| region.size).sum();
        let device = self.planes.device(story, home);
        self.pickle.begin_dict();
        self.pickle.entry("device", device.into());
        self.pickle.entry("address", start);
        self.pickle.entry("total_size", size);
        self.pickle.entry("stream", 0);
        self.pickle.text_entry("segment_type", "large");
        self.pickle.entry("allocated_size", used);
        self.pickle.entry("active_size", used);
        self.pickle.entry("requested_size", used);
        self.pickle.text("blocks");
        self.pickle.begin_list();
        let mut at = start;
        for region in fitting() {
            self.block(at, region.start - at, None);
            self.block(region.start, region.size, Some(region.origin));
            at = region.start.saturating_add(region.size);
        }
        self.block(at, start.saturating_add(size).saturating_sub(at), None);
        self.pickle.end_dict();
        self.pickle.item();
    }

    /// A block: used, if somebody registered it, and otherwise free.
    fn block(&mut self, address: u64, size: u64, origin: Option<u32>) {
        if size == 0 {
            return;
        }
        self.pickle.begin_dict();
        self.pickle.entry("address", address);
        self.pickle.entry("size", size);
        self.pickle.entry("requested_size", if origin.is_some() { size } else { 0 });
        self.pickle.text_entry("state", if origin.is_some() { "active_allocated" } else { "inactive" });
        self.pickle.text("frames");
        match origin {
            Some(origin) => self.frames(origin),
            None => self.pickle.begin_list(),
        }
        self.pickle.end_dict();
        self.pickle.item();
    }
}

/// Which heap a region is in; `u32::MAX` for none.
const fn heap_number(region: &Region) -> u32 {
    match region.home {
        Home::Heap(heap) => heap,
        Home::Ground(_) => u32::MAX,
    }
}

/// Of regions in the order of their addresses those that lie in a heap and behind each other. If the recording is whole, all do.
struct Fitting<'a> {
    story: &'a Story<'a>,
    regions: core::slice::Iter<'a, u32>,
    at: u64,
    end: u64,
}

impl<'a> Iterator for Fitting<'a> {
    type Item = &'a Region;

    fn next(&mut self) -> Option<&'a Region> {
        loop {
            let region = self.story.region(*self.regions.next()?)?;
            let end = region.start.saturating_add(region.size);
            if region.start >= self.at && end <= self.end {
                self.at = end;
                return Some(region);
            }
        }
    }
}
