//! The regions that are live at some point of the recording.

use hashbrown::HashTable;
use mstx_runtime::__private::Listed;

use super::event::Event;
use super::memory::Full;
use super::numbered::spread;

/// A registered region, and what is known of it.
#[derive(Clone, Copy)]
struct Entry<T> {
    event: Event,
    more: T,
}

/// Live regions, found by what their end says of them.
pub(crate) struct LiveRegions<T> {
    table: HashTable<Entry<T>, Listed>,
}

impl<T: Copy> LiveRegions<T> {
    pub(crate) const fn new() -> Self {
        Self { table: HashTable::new_in(Listed) }
    }

    pub(crate) fn insert(&mut self, event: Event, more: T) -> Result<(), Full> {
        let rehash = |entry: &Entry<T>| spread(entry.event.address);
        self.table.try_reserve(1, rehash).map_err(|_| Full)?;
        self.table.insert_unique(spread(event.address), Entry { event, more }, rehash);
        Ok(())
    }

    /// Takes out the region that `end` is the end of.
    ///
    /// Several can be live at one address: a region, the heap on it, and a region at the start of that. The inner one ends first.
    /// A region may leave under another origin than it came with.
    pub(crate) fn remove(&mut self, end: &Event) -> Option<T> {
        let hashed = spread(end.address);
        let fit = |event: &Event| (event.size() == end.size(), event.what == end.what, event.order());
        let candidates = self.table.iter_hash(hashed).map(|entry| entry.event).filter(|event| event.address == end.address);
        let best = candidates.max_by_key(fit)?;
        let found = self.table.find_entry(hashed, |entry| entry.event == best).ok()?;
        Some(found.remove().0.more)
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Event> {
        self.table.iter().map(|entry| entry.event)
    }
}
