//! An ordered map from addresses, on the system allocator.
//!
//! Sorted blocks in a sorted list: what comes and goes moves one block of it, and growing may fail instead of ending the process.

use std::alloc::System;

use allocator_api2::vec::Vec;

/// How many entries a block has at most.
const BLOCK: usize = 128;

/// There was no memory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

type Block<T> = Vec<(usize, T), System>;

/// The map. No block is empty.
pub(super) struct Ordered<T> {
    blocks: Vec<Block<T>, System>,
}

impl<T> Ordered<T> {
    pub(super) const fn new() -> Self {
        Self { blocks: Vec::new_in(System) }
    }

    /// The block that `key` is in, or would be.
    fn block(&self, key: usize) -> usize {
        self.blocks.partition_point(|block| block.first().is_some_and(|first| first.0 <= key)).saturating_sub(1)
    }

    /// Where `key` is: its block, and its place there; or its place if it were there.
    fn find(&self, key: usize) -> (usize, Result<usize, usize>) {
        let at = self.block(key);
        let place = self.blocks.get(at).map_or(Err(0), |block| block.binary_search_by_key(&key, |entry| entry.0));
        (at, place)
    }

    pub(super) fn get_mut(&mut self, key: usize) -> Option<&mut T> {
        let (at, place) = self.find(key);
        self.blocks.get_mut(at)?.get_mut(place.ok()?).map(|entry| &mut entry.1)
    }

    /// Enters a value, in the place of one that may be there.
    pub(super) fn insert(&mut self, key: usize, value: T) -> Result<(), Full> {
        let (at, place) = self.find(key);
        let place = match place {
            Ok(place) => {
                self.blocks[at][place].1 = value;
                return Ok(());
            }
            Err(place) => place,
        };
        if self.blocks.is_empty() {
            self.blocks.try_reserve(1).map_err(|_| Full)?;
            self.blocks.push(Vec::new_in(System));
        }
        if self.blocks[at].len() >= BLOCK {
            if place == BLOCK && at + 1 == self.blocks.len() {
                return self.append(key, value);
            }
            self.split(at)?;
            return self.insert(key, value);
        }
        if self.blocks[at].try_reserve(1).is_err() {
            if self.blocks[at].is_empty() {
                self.blocks.remove(at);
            }
            return Err(Full);
        }
        self.blocks[at].insert(place, (key, value));
        Ok(())
    }

    /// Enters a value in a block of its own, behind all others: what is filled in order leaves no block half empty.
    fn append(&mut self, key: usize, value: T) -> Result<(), Full> {
        let mut last = Vec::new_in(System);
        last.try_reserve(1).map_err(|_| Full)?;
        self.blocks.try_reserve(1).map_err(|_| Full)?;
        last.push((key, value));
        self.blocks.push(last);
        Ok(())
    }

    fn split(&mut self, at: usize) -> Result<(), Full> {
        let mut right = Vec::new_in(System);
        right.try_reserve(BLOCK).map_err(|_| Full)?;
        self.blocks.try_reserve(1).map_err(|_| Full)?;
        right.extend(self.blocks[at].drain(BLOCK / 2..));
        self.blocks.insert(at + 1, right);
        Ok(())
    }

    pub(super) fn remove(&mut self, key: usize) -> Option<T> {
        let (at, place) = self.find(key);
        let block = self.blocks.get_mut(at)?;
        let (_, value) = block.remove(place.ok()?);
        if block.is_empty() {
            self.blocks.remove(at);
        }
        Some(value)
    }

    /// The last entry before `key`.
    pub(super) fn before(&self, key: usize) -> Option<&T> {
        let (at, place) = self.find(key);
        let (Ok(place) | Err(place)) = place;
        let block = if place > 0 { self.blocks.get(at) } else { self.blocks.get(at.checked_sub(1)?) };
        block?.get(if place > 0 { place - 1 } else { block?.len() - 1 }).map(|entry| &entry.1)
    }

    /// The entries from `key` on, in order.
    pub(super) fn from(&self, key: usize) -> impl Iterator<Item = &T> {
        let (at, place) = self.find(key);
        let (Ok(place) | Err(place)) = place;
        let blocks = self.blocks.get(at..).unwrap_or_default();
        blocks.iter().flatten().skip(place).map(|entry| &entry.1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{BLOCK, Ordered};

    #[test]
    fn it_does_what_the_standard_one_does() {
        let (mut map, mut model) = (Ordered::new(), BTreeMap::new());
        let mut random = 1_u64;
        for step in 0..20_000_usize {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = usize::try_from(random >> 33).expect("31 bits fit") % 1000;
            // It grows, and shrinks again.
            if (step / 5000) % 2 == 0 || step % 3 == 0 {
                assert_eq!(map.insert(key, (key, step)), Ok(()));
                model.insert(key, (key, step));
            } else {
                assert_eq!(map.remove(key), model.remove(&key));
            }
            assert_eq!(map.get_mut(key).copied(), model.get(&key).copied());
            assert_eq!(map.before(key).copied(), model.range(..key).next_back().map(|(_, &value)| value));
            assert_eq!(map.from(key).next().copied(), model.range(key..).next().map(|(_, &value)| value));
        }
        assert!(map.from(0).eq(model.values()));
        for key in 0..1000 {
            map.remove(key);
        }
        assert_eq!(map.from(0).next(), None);
        assert_eq!(map.before(usize::MAX), None);
    }
    #[test]
    fn what_comes_in_order_fills_its_blocks() {
        let mut map = Ordered::new();
        for key in 0..10 * BLOCK {
            assert_eq!(map.insert(key, key), Ok(()));
        }
        assert_eq!(map.blocks.len(), 10);
        assert!(map.from(0).copied().eq(0..10 * BLOCK));
    }
}
