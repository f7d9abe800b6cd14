//! Things that are known by numbers which are given in turn.

use hashbrown::HashTable;
use mstx_runtime::__private::Listed;

use super::memory::Full;

/// The place of a number in a table. The upper half of the product depends on all bits, the lower one not on the upper ones: of
/// addresses, which are aligned, it would be the same for all.
pub(crate) const fn spread(number: u64) -> u64 {
    let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

/// A table by numbers.
pub(crate) struct Numbered<T> {
    table: HashTable<(u64, T), Listed>,
}

impl<T: Copy> Numbered<T> {
    pub(crate) const fn new() -> Self {
        Self { table: HashTable::new_in(Listed) }
    }

    pub(crate) fn get(&self, number: u64) -> Option<T> {
        self.table.find(spread(number), |&(known, _)| known == number).map(|&(_, item)| item)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.table.find_mut(spread(number), |&(known, _)| known == number).map(|(_, item)| item)
    }

    pub(crate) fn insert(&mut self, number: u64, item: T) -> Result<(), Full> {
        let rehash = |&(number, _): &(u64, T)| spread(number);
        self.table.try_reserve(1, rehash).map_err(|_| Full)?;
        self.table.insert_unique(spread(number), (number, item), rehash);
        Ok(())
    }

    pub(crate) fn remove(&mut self, number: u64) -> Option<T> {
        let entry = self.table.find_entry(spread(number), |&(known, _)| known == number).ok()?;
        Some(entry.remove().0.1)
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.table.iter_mut().map(|(_, item)| item)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> {
        self.table.iter().map(|&(_, item)| item)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::spread;

    /// Tables look at the lowest bits, and at the highest seven.
    #[test]
    fn aligned_addresses_are_spread() {
        for shift in [0, 4, 12, 21, 30] {
            let spread = |n: u64| spread(0x7f00_0000_0000 + (n << shift));
            let low: HashSet<_> = (0..1024).map(|n| spread(n) % 1024).collect();
            let high: HashSet<_> = (0..1024).map(|n| spread(n) >> 57).collect();
            assert!(low.len() > 500 && high.len() > 100, "{shift}: {} and {}", low.len(), high.len());
        }
    }
}
