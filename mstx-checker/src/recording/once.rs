//! Things that are kept once, and known by a number.

use core::hash::{Hash, Hasher};
use std::hash::DefaultHasher;

use hashbrown::HashTable;
use mstx_runtime::__private::Listed;

use super::memory::{Vec, add, index, place, vec};

/// What is not known by a number: there was no room for it.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// Where a thing is looked for.
pub(crate) fn hash(of: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A list in which everything stands once.
pub(crate) struct Once<T> {
    items: Vec<T>,
    numbers: HashTable<u32, Listed>,
    /// The one asked for last.
    last: u32,
}

impl<T: Copy> Once<T> {
    pub(crate) const fn new() -> Self {
        Self { items: vec(), numbers: HashTable::new_in(Listed), last: UNKNOWN }
    }

    pub(crate) fn get(&self, number: u32) -> Option<T> {
        self.items.get(index(number)).copied()
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.items.get_mut(index(number))
    }

    /// All of them, by number.
    pub(crate) fn all(&self) -> &[T] {
        &self.items
    }

    /// How many there are; they are numbered from 0.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The number of the item that `is` it, which is `item` if there is none yet; `UNKNOWN` without room for a new one.
    pub(crate) fn number(&mut self, item: T, is: impl Fn(&T) -> bool, hash: impl Fn(&T) -> u64, most: usize) -> u32 {
        let Self { items, numbers, last } = self;
        if items.get(index(*last)).is_some_and(&is) {
            return *last;
        }
        let at = |number: u32| items.get(index(number));
        let hashed = hash(&item);
        if let Some(&known) = numbers.find(hashed, |&number| at(number).is_some_and(&is)) {
            *last = known;
            return known;
        }
        let rehash = |&number: &u32| at(number).map_or(0, &hash);
        if items.len() >= most || numbers.try_reserve(1, rehash).is_err() {
            return UNKNOWN;
        }
        let number = place(items.len());
        numbers.insert_unique(hashed, number, rehash);
        if add(items, item).is_err() {
            // The number leads nowhere, which is what `UNKNOWN` does; the next item takes it.
            return UNKNOWN;
        }
        *last = number;
        number
    }
}
