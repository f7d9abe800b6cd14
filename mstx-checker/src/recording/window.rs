//! The newest events, and what was live when the oldest of them happened.

use super::event::{Event, Kind};
use super::live::LiveRegions;
use super::memory::{Full, Vec, vec};
use super::numbered::Numbered;

/// The recorded events.
///
/// While there is room all of them are kept. Then each new event takes the place of the oldest, which goes into `before`: so the
/// kept ones, put behind what is in there, never end a thing that did not begin.
pub(crate) struct Window {
    /// The events; once there is no more room, a ring.
    events: Vec<Event>,
    /// Where the oldest is.
    oldest: usize,
    /// How many are kept at most.
    most: usize,
    before: Before,
    dropped: u64,
}

impl Window {
    pub(crate) const fn new(most: usize) -> Self {
        Self { events: vec(), oldest: 0, most, before: Before::new(), dropped: 0 }
    }

    /// How many are to be kept from now on. Fewer than there are is not possible any more.
    pub(crate) fn keep(&mut self, most: usize) {
        // A ring cannot grow: its end is in the middle.
        if self.oldest == 0 {
            self.most = most.max(self.events.len()).max(1);
        }
    }

    pub(crate) fn push(&mut self, event: Event) {
        if self.events.len() < self.most {
            if self.events.len() < self.events.capacity() || self.grow().is_ok() {
                self.events.push(event);
                return;
            }
            // There is no memory for more.
            self.most = self.events.len();
        }
        let oldest = match self.events.get_mut(self.oldest) {
            Some(place) => core::mem::replace(place, event),
            None => event,
        };
        self.oldest = if self.oldest + 1 < self.events.len() { self.oldest + 1 } else { 0 };
        self.dropped += 1;
        self.before.add(&oldest);
    }

    /// Makes room: twice as much, but no more than will be kept.
    fn grow(&mut self) -> Result<(), Full> {
        let length = self.events.len();
        let more = length.max(1024).min(self.most - length);
        self.events.try_reserve_exact(more).map_err(|_| Full)
    }

    /// How many events are no longer kept. Those that registered what was still live count, though they are in `before`.
    pub(crate) const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// How many events there is memory for.
    #[cfg(test)]
    pub(crate) fn room(&self) -> usize {
        self.events.capacity()
    }

    /// How many events are kept.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// The kept events, the oldest first.
    pub(crate) fn events(&self) -> impl Iterator<Item = &Event> {
        let (newer, older) = self.events.split_at(self.oldest);
        older.iter().chain(newer)
    }

    /// The numbers of the messages that are known, of marks and of ranges.
    pub(crate) fn messages(&mut self) -> impl Iterator<Item = &mut u32> {
        let kept = self.events.iter_mut().filter(|event| matches!(event.kind(), Kind::Mark | Kind::RangeStart));
        kept.chain(self.before.ranges.iter_mut()).map(|event| &mut event.what)
    }

    /// What was live before the first of them, the oldest first.
    pub(crate) fn before(&self) -> Result<Vec<Event>, Full> {
        self.before.sorted()
    }
}

/// What the events that are no longer kept have left behind.
struct Before {
    heaps: Numbered<Event>,
    ranges: Numbered<Event>,
    regions: LiveRegions<()>,
}

impl Before {
    const fn new() -> Self {
        Self { heaps: Numbered::new(), ranges: Numbered::new(), regions: LiveRegions::new() }
    }

    fn add(&mut self, event: &Event) {
        let added = match event.kind() {
            Kind::HeapRegister => self.heaps.insert(event.whose.into(), *event),
            Kind::RangeStart => self.ranges.insert(event.address, *event),
            Kind::RegionRegister => self.regions.insert(*event, ()),
            Kind::HeapResize => {
                if let Some(heap) = self.heaps.get_mut(event.whose.into()) {
                    *heap = heap.resized(event.size()).of(event.what, event.whose);
                }
                Ok(())
            }
            Kind::HeapUnregister => {
                self.heaps.remove(event.whose.into());
                Ok(())
            }
            Kind::RangeEnd => {
                self.ranges.remove(event.address);
                Ok(())
            }
            Kind::RegionUnregister => {
                self.regions.remove(event);
                Ok(())
            }
            Kind::Mark => Ok(()),
        };
        // Without memory for it, its end will be one of nothing, and be ignored.
        let _ = added;
    }

    fn sorted(&self) -> Result<Vec<Event>, Full> {
        let mut events = vec();
        let length = self.heaps.len() + self.ranges.len() + self.regions.len();
        events.try_reserve_exact(length).map_err(|_| Full)?;
        events.extend(self.heaps.iter());
        events.extend(self.ranges.iter());
        events.extend(self.regions.iter());
        events.sort_unstable_by_key(Event::order);
        Ok(events)
    }
}
