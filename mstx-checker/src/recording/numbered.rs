//! Things that are known by numbers which are given in turn.

use hashbrown::HashTable;
use mstx_runtime::__private::Listed;

use super::memory::Full;

/// A table by numbers.
pub(crate) struct Numbered<T> {
    table: HashTable<(u64, T), Listed>,
}

impl<T: Copy> Numbered<T> {
    pub(crate) const fn new() -> Self {
        Self { table: HashTable::new_in(Listed) }
    }

    /// Numbers in turn are spread well enough by this.
    const fn hash(number: u64) -> u64 {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn get(&self, number: u64) -> Option<T> {
        self.table.find(Self::hash(number), |&(known, _)| known == number).map(|&(_, item)| item)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.table.find_mut(Self::hash(number), |&(known, _)| known == number).map(|(_, item)| item)
    }

    pub(crate) fn insert(&mut self, number: u64, item: T) -> Result<(), Full> {
        let rehash = |&(number, _): &(u64, T)| Self::hash(number);
        self.table.try_reserve(1, rehash).map_err(|_| Full)?;
        self.table.insert_unique(Self::hash(number), (number, item), rehash);
        Ok(())
    }

    pub(crate) fn remove(&mut self, number: u64) -> Option<T> {
        let entry = self.table.find_entry(Self::hash(number), |&(known, _)| known == number).ok()?;
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
