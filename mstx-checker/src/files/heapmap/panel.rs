//! The panels: one for each heap, and one for the regions of no heap.

use core::cmp::Reverse;

use super::addresses::Addresses;
use crate::recording::memory::{Full, Vec, add, filled, index, place, vec};
use crate::recording::story::{Change, Home, Story};

/// How many panels there are at most: those with the most regions are drawn.
const MOST: usize = 16;
/// Below that many bytes a heap is not cropped: there would be nothing to see of its size.
const SMALL: f64 = 0.75;

/// What one panel shows: a heap, or several at the same place one after the other.
pub(super) struct Panel {
    /// The heaps, in the order in which they began. None: these are regions of no heap.
    pub(super) heaps: Vec<u32>,
    /// The regions, in the order in which they began.
    pub(super) regions: Vec<u32>,
    /// The resizes of its heaps, those of each together, in the order in which they happened: the heap's number, and theirs.
    pub(super) resizes: Vec<(u32, u32)>,
    pub(super) addresses: Addresses,
    /// The largest that the heap was.
    pub(super) size: u64,
}

/// All panels.
pub(super) struct Panels {
    pub(super) list: Vec<Panel>,
    /// How many heaps and regions are not shown.
    pub(super) left_out: (u64, u64),
}

impl Panels {
    pub(super) fn of(story: &Story<'_>) -> Result<Self, Full> {
        let mut numbers = Numbers::of(story)?;
        let mut count = filled((0_u64, 0_u64), numbers.count)?;
        for region in &story.regions {
            if let Some((_, regions)) = count.get_mut(numbers.panel(region.home)) {
                *regions += 1;
            }
        }
        for heap in &numbers.of_heaps {
            if let Some((heaps, _)) = count.get_mut(index(*heap)) {
                *heaps += 1;
            }
        }
        let mut panels = Self { list: vec(), left_out: (0, 0) };
        numbers.keep(&count, &mut panels.left_out)?;
        let shown = count.len().min(MOST);
        panels.list.try_reserve_exact(shown).map_err(|_| Full)?;
        for _ in 0..shown {
            panels.list.push(Panel { heaps: vec(), regions: vec(), resizes: vec(), addresses: Addresses::one(0, 1)?, size: 0 });
        }
        for (number, &panel) in (0..).zip(&numbers.of_heaps) {
            if let Some(panel) = panels.list.get_mut(index(panel)) {
                add(&mut panel.heaps, number)?;
            }
        }
        for (number, region) in (0..).zip(&story.regions) {
            if let Some(panel) = panels.list.get_mut(numbers.panel(region.home)) {
                add(&mut panel.regions, number)?;
            }
        }
        for (number, resize) in (0..).zip(&story.resizes) {
            if let Some(panel) = panels.list.get_mut(numbers.panel(Home::Heap(resize.heap))) {
                add(&mut panel.resizes, (resize.heap, number))?;
            }
        }
        for panel in &mut panels.list {
            panel.resizes.sort_unstable();
            panel.measure(story)?;
        }
        Ok(panels)
    }
}

/// Which panel everything belongs to.
struct Numbers {
    of_heaps: Vec<u32>,
    ground: usize,
    count: usize,
}

impl Numbers {
    fn of(story: &Story<'_>) -> Result<Self, Full> {
        let mut order = vec();
        order.try_reserve_exact(story.heaps.len()).map_err(|_| Full)?;
        order.extend(0..place(story.heaps.len()));
        // Heaps at one place, of one name and domain, are one after the other.
        let key = |number: &u32| {
            let heap = story.heap(*number);
            let class = heap.and_then(|heap| story.names.get_class(heap.class));
            (heap.map(|heap| heap.start), class.map(|class| (class.domain, class.device)))
        };
        order.sort_unstable_by_key(|number| (key(number), *number));
        let mut first_of = filled(u32::MAX, story.heaps.len())?;
        for pair in order.chunk_by(|a, b| key(a) == key(b)) {
            for number in pair {
                if let (Some(place), Some(first)) = (first_of.get_mut(index(*number)), pair.first()) {
                    *place = *first;
                }
            }
        }
        let mut of_heaps = filled(0, story.heaps.len())?;
        let mut count = 0;
        for number in 0..first_of.len() {
            let first = first_of.get(number).copied().map_or(number, index);
            let panel = if first == number {
                count += 1;
                count - 1
            } else {
                of_heaps.get(first).copied().unwrap_or(0)
            };
            if let Some(place) = of_heaps.get_mut(number) {
                *place = panel;
            }
        }
        let ground = index(count);
        let any = story.regions.iter().any(|region| matches!(region.home, Home::Ground(_)));
        Ok(Self { of_heaps, ground, count: ground + usize::from(any) })
    }

    fn panel(&self, home: Home) -> usize {
        match home {
            Home::Heap(heap) => self.of_heaps.get(index(heap)).map_or(self.ground, |&panel| index(panel)),
            Home::Ground(_) => self.ground,
        }
    }

    /// Numbers the panels with the most regions first, in their old order; the others get numbers behind these.
    fn keep(&mut self, count: &[(u64, u64)], left_out: &mut (u64, u64)) -> Result<(), Full> {
        let mut order = vec();
        order.try_reserve_exact(count.len()).map_err(|_| Full)?;
        order.extend(0..place(count.len()));
        order.sort_unstable_by_key(|&panel| (Reverse(count.get(index(panel)).map(|&(_, regions)| regions)), panel));
        let (shown, others) = order.split_at_mut(count.len().min(MOST));
        shown.sort_unstable();
        for panel in others {
            if let Some(&(heaps, regions)) = count.get(index(*panel)) {
                left_out.0 += heaps;
                left_out.1 += regions;
            }
        }
        let mut new = filled(0, count.len())?;
        for (number, &panel) in (0..).zip(&order) {
            if let Some(place) = new.get_mut(index(panel)) {
                *place = number;
            }
        }
        let renumber = |panel: usize| new.get(panel).copied().unwrap_or(u32::MAX);
        for panel in &mut self.of_heaps {
            *panel = renumber(index(*panel));
        }
        self.ground = index(renumber(self.ground));
        Ok(())
    }
}

impl Panel {
    /// Finds out which addresses it shows.
    fn measure(&mut self, story: &Story<'_>) -> Result<(), Full> {
        let regions = || self.regions.iter().filter_map(|&number| story.region(number));
        let heaps = || self.heaps.iter().filter_map(|&number| story.heap(number));
        if let Some(first) = heaps().next() {
            self.size = heaps().map(|heap| heap.largest).max().unwrap_or(0);
            let used =
                regions().map(|region| region.start.saturating_add(region.size).saturating_sub(first.start)).max().unwrap_or(0);
            // A little more, so that one sees that it goes on.
            let shown = used.saturating_add(used / 16);
            let shown = if used == 0 || shown as f64 > self.size as f64 * SMALL { self.size } else { shown };
            self.addresses = Addresses::one(first.start, shown)?;
            return Ok(());
        }
        let mut spans = vec();
        spans.try_reserve_exact(self.regions.len()).map_err(|_| Full)?;
        spans.extend(regions().map(|region| (region.start, region.start.saturating_add(region.size))));
        self.addresses = Addresses::several(&mut spans)?;
        Ok(())
    }

    /// Whether a change belongs to it. Resizes are given with their heaps.
    pub(super) fn has(&self, story: &Story<'_>, change: Change) -> bool {
        let of_heap = |heap: u32| self.heaps.binary_search(&heap).is_ok();
        match change {
            Change::HeapBegins(heap) | Change::HeapEnds(heap) => of_heap(heap),
            Change::HeapResized(resize) => story.resizes.get(index(resize)).is_some_and(|resize| of_heap(resize.heap)),
            Change::RegionBegins(region) | Change::RegionEnds(region) => match story.region(region).map(|region| region.home) {
                Some(Home::Heap(heap)) => of_heap(heap),
                Some(Home::Ground(_)) => self.heaps.is_empty(),
                None => false,
            },
            _ => false,
        }
    }
}
