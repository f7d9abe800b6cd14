//! A bounded memory of what happened lately.

use super::names::OriginId;
use crate::live::memory::{Full, Grow, Vec, vec};
use crate::{Site, Word};

/// The last `most` of what was pushed.
pub(crate) struct Ring<T> {
    items: Vec<T>,
    most: usize,
    total: u64,
}

impl<T: Copy> Ring<T> {
    /// `most` is a power of two.
    pub(crate) const fn new(most: usize) -> Self {
        assert!(most.is_power_of_two());
        Self { items: vec(), most, total: 0 }
    }

    /// How many were pushed in all.
    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    fn place(&self, number: u64) -> usize {
        // It is a power of two, so only lower bits are kept.
        usize::try_from(number & (self.most as u64 - 1)).unwrap_or(0)
    }

    pub(crate) fn push(&mut self, item: T) -> Result<(), Full> {
        let place = self.place(self.total);
        if place < self.items.len() {
            self.items[place] = item;
        } else {
            self.items.add(item)?;
        }
        self.total += 1;
        Ok(())
    }

    /// The item with this number, or the first one after it that is still kept.
    pub(crate) fn from(&self, number: u64) -> Option<(u64, T)> {
        let number = number.max(self.total.saturating_sub(self.most as u64));
        (number < self.total).then(|| (number, self.items[self.place(number)]))
    }

    /// The newest item for which `wanted` holds.
    pub(crate) fn find(&self, wanted: impl Fn(&T) -> bool) -> Option<&T> {
        let first = self.total.saturating_sub(self.items.len() as u64);
        (first..self.total).rev().map(|number| &self.items[self.place(number)]).find(|item| wanted(item))
    }

    /// All that is kept, from the oldest on.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> {
        let first = self.total.saturating_sub(self.items.len() as u64);
        (first..self.total).map(|number| self.items[self.place(number)])
    }

    /// An item for which `wanted` holds, to be changed.
    pub(crate) fn find_mut(&mut self, wanted: impl Fn(&T) -> bool) -> Option<&mut T> {
        self.items.iter_mut().find(|item| wanted(item))
    }
}

/// A region that was released.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Released {
    pub(crate) start: usize,
    pub(crate) by: OriginId,
}

/// Stands for the books themselves, where no event is to blame.
pub(crate) static BOOKS: Site = Site::new(Word::region, "mstx", "mstx");
