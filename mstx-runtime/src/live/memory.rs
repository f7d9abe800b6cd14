//! Tables on the system allocator.
//!
//! The reporter may sit inside the program's global allocator. Nothing here calls that one, and nothing panics or aborts
//! where memory runs out: growing is asked for first, and may fail.

use std::alloc::System;

/// A vector on the system allocator.
pub(crate) type Vec<T> = allocator_api2::vec::Vec<T, System>;

/// There was no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// An empty vector.
pub(crate) const fn vec<T>() -> Vec<T> {
    Vec::new_in(System)
}

/// Growing that may fail.
pub(crate) trait Grow<T> {
    /// Appends `item`.
    fn add(&mut self, item: T) -> Result<(), Full>;
    /// Puts `item` at `index`, moving those behind it.
    fn add_at(&mut self, index: usize, item: T) -> Result<(), Full>;
}

impl<T> Grow<T> for Vec<T> {
    fn add(&mut self, item: T) -> Result<(), Full> {
        self.try_reserve(1).map_err(|_| Full)?;
        self.push(item);
        Ok(())
    }

    fn add_at(&mut self, index: usize, item: T) -> Result<(), Full> {
        self.try_reserve(1).map_err(|_| Full)?;
        self.insert(index, item);
        Ok(())
    }
}

/// Copies bytes to memory that is never given back: for names, which live as long as the process.
pub(crate) fn keep(bytes: &[u8]) -> Result<&'static [u8], Full> {
    let mut kept = vec();
    kept.try_reserve_exact(bytes.len()).map_err(|_| Full)?;
    kept.extend_from_slice(bytes);
    Ok(Vec::leak(kept))
}

/// A list that needs no allocation for one item, which is what most calls report.
#[derive(Debug)]
pub(crate) struct Few<T> {
    first: Option<T>,
    rest: Vec<T>,
}

impl<T> Few<T> {
    pub(crate) const fn new() -> Self {
        Self { first: None, rest: vec() }
    }

    pub(crate) fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.rest.len()
    }

    pub(crate) fn add(&mut self, item: T) -> Result<(), Full> {
        if self.first.is_none() {
            self.first = Some(item);
            return Ok(());
        }
        self.rest.add(item)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.rest)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.first.iter_mut().chain(&mut self.rest)
    }
}
