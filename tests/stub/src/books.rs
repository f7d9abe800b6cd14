//! Tables of heaps and regions: what the checks and most of the imitated tools keep.

use crate::abi::{Handle, VirtualRangeDesc};
use std::collections::BTreeMap;
use std::fmt;

/// Some memory of one device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) device: u32,
    pub(crate) start: u64,
    pub(crate) size: u64,
}

impl From<VirtualRangeDesc> for Range {
    fn from(desc: VirtualRangeDesc) -> Range {
        Range { device: desc.device, start: desc.ptr as u64, size: desc.size }
    }
}

impl Range {
    pub(crate) fn end(&self) -> u64 {
        self.start.saturating_add(self.size)
    }

    pub(crate) fn contains(&self, inner: &Range) -> bool {
        self.start <= inner.start && inner.end() <= self.end()
    }

    pub(crate) fn overlaps(&self, other: &Range) -> bool {
        self.start < other.end() && other.start < self.end()
    }

    /// Null, empty or past the end of the address space: no tool can do anything with it.
    pub(crate) fn is_degenerate(&self) -> bool {
        self.start == 0 || self.size == 0 || self.start.checked_add(self.size).is_none()
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}+{}", self.start, self.size)
    }
}

/// What handles are made of: a letter in the top byte, where no address has one, and a number.
const LETTER_SHIFT: u32 = usize::BITS - 8;

/// Makes handles `d1`, `d2`, ..., `h1`, ..., `r1`, ...
#[derive(Default)]
pub(crate) struct Handles {
    domains: usize,
    heaps: usize,
    regions: usize,
}

impl Handles {
    pub(crate) fn domain(&mut self) -> Handle {
        Self::next(b'd', &mut self.domains)
    }

    pub(crate) fn heap(&mut self) -> Handle {
        Self::next(b'h', &mut self.heaps)
    }

    pub(crate) fn region(&mut self) -> Handle {
        Self::next(b'r', &mut self.regions)
    }

    fn next(letter: u8, last: &mut usize) -> Handle {
        *last += 1;
        (usize::from(letter) << LETTER_SHIFT) | *last
    }
}

/// A handle as the log shows it: `d1`, `h1`, `r1`, `null`, or the number if it is none of ours.
pub(crate) struct Name(pub(crate) Handle);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0 & ((1 << LETTER_SHIFT) - 1);
        match (self.0 >> LETTER_SHIFT) as u8 {
            letter @ (b'd' | b'h' | b'r') => write!(f, "{}{number}", char::from(letter)),
            _ if self.0 == 0 => f.write_str("null"),
            _ => write!(f, "{:#x}", self.0),
        }
    }
}

/// Where an entry stands in its table: by address, and by age where clients give one address twice.
pub(crate) type Key = (u64, u64);

/// A live heap or region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) domain: Handle,
    pub(crate) range: Range,
    /// Null where the tool gave none.
    pub(crate) handle: Handle,
    /// A region's heap.
    pub(crate) heap: Option<Key>,
}

/// Live heaps, or live regions, in the order of their addresses.
#[derive(Default)]
pub(crate) struct Table {
    live: BTreeMap<Key, Entry>,
    by_handle: BTreeMap<Handle, Key>,
    age: u64,
    /// Entries overlap, so a search among neighbours is not enough any more.
    tangled: bool,
}

impl Table {
    pub(crate) fn insert(&mut self, entry: Entry) -> Key {
        self.tangled |= self.first_overlap(&entry.range).is_some();
        self.age += 1;
        let key = (entry.range.start, self.age);
        self.live.insert(key, entry);
        self.set_handle(key, entry.handle);
        key
    }

    pub(crate) fn set_handle(&mut self, key: Key, handle: Handle) {
        if let Some(entry) = self.live.get_mut(&key) {
            entry.handle = handle;
            if handle != 0 {
                self.by_handle.insert(handle, key);
            }
        }
    }

    pub(crate) fn remove(&mut self, key: Key) -> Option<Entry> {
        let entry = self.live.remove(&key)?;
        if self.by_handle.get(&entry.handle) == Some(&key) {
            self.by_handle.remove(&entry.handle);
        }
        Some(entry)
    }

    pub(crate) fn get(&self, key: Key) -> Option<&Entry> {
        self.live.get(&key)
    }

    pub(crate) fn by_handle(&self, handle: Handle) -> Option<Key> {
        self.by_handle.get(&handle).copied()
    }

    /// The youngest entry that starts at an address.
    pub(crate) fn at(&self, start: u64) -> Option<Key> {
        self.live.range((start, 0)..=(start, u64::MAX)).next_back().map(|(key, _)| *key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, &Entry)> {
        self.live.iter().map(|(key, entry)| (*key, entry))
    }

    /// Any entry that overlaps the range.
    pub(crate) fn first_overlap(&self, range: &Range) -> Option<Key> {
        let hits = |(_, entry): &(&Key, &Entry)| entry.range.overlaps(range);
        let found = if self.tangled {
            self.live.iter().find(hits)
        } else {
            let before = self.live.range(..=(range.start, u64::MAX)).next_back();
            before.filter(hits).or_else(|| self.live.range((range.start, 0)..(range.end(), 0)).find(hits))
        };
        found.map(|(key, _)| *key)
    }

    /// The smallest entry that contains the range: the innermost heap of a region.
    pub(crate) fn innermost(&self, range: &Range) -> Option<Key> {
        self.live
            .range(..=(range.start, u64::MAX))
            .filter(|(_, entry)| entry.range.contains(range))
            .min_by_key(|(_, entry)| entry.range.size)
            .map(|(key, _)| *key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(start: u64, size: u64, handle: Handle) -> Entry {
        Entry { domain: 0, range: Range { device: 0, start, size }, handle, heap: None }
    }

    #[test]
    fn overlaps_are_found_on_both_sides() {
        let mut table = Table::default();
        let key = table.insert(entry(100, 50, 0));
        let touching = |start, size| table.first_overlap(&entry(start, size, 0).range);
        assert_eq!(touching(50, 50), None);
        assert_eq!(touching(150, 1), None);
        for (start, size) in [(50, 51), (149, 1), (120, 5), (0, 1000), (100, 1)] {
            assert_eq!(touching(start, size), Some(key));
        }
    }

    #[test]
    fn a_long_entry_below_others_is_not_missed() {
        let mut table = Table::default();
        table.insert(entry(100, 1000, 0));
        table.insert(entry(200, 10, 0));
        assert!(table.first_overlap(&entry(500, 1, 0).range).is_some());
    }

    #[test]
    fn innermost_of_nested() {
        let mut table = Table::default();
        let outer = table.insert(entry(100, 1000, 1));
        let inner = table.insert(entry(200, 100, 2));
        assert_eq!(table.innermost(&entry(210, 10, 0).range), Some(inner));
        assert_eq!(table.innermost(&entry(290, 20, 0).range), Some(outer));
        assert_eq!(table.innermost(&entry(1090, 20, 0).range), None);
    }

    #[test]
    fn a_handle_given_twice_belongs_to_the_younger() {
        let mut table = Table::default();
        let older = table.insert(entry(100, 10, 7));
        let younger = table.insert(entry(100, 20, 7));
        assert_eq!(table.by_handle(7), Some(younger));
        table.remove(older);
        assert_eq!((table.by_handle(7), table.at(100)), (Some(younger), Some(younger)));
    }

    #[test]
    fn names() {
        let mut handles = Handles::default();
        assert_eq!(Name(handles.domain()).to_string(), "d1");
        handles.region();
        assert_eq!(Name(handles.region()).to_string(), "r2");
        assert_eq!((Name(0).to_string(), Name(4096).to_string()), ("null".into(), "0x1000".into()));
    }
}
