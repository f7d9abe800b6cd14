//! Vectors on the system allocator that say when there is no memory.

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

/// Appends, if there is memory.
pub(crate) fn add<T>(list: &mut Vec<T>, item: T) -> Result<(), Full> {
    list.try_reserve(1).map_err(|_| Full)?;
    list.push(item);
    Ok(())
}

/// `length` times the same, if there is memory.
pub(crate) fn filled<T: Clone>(item: T, length: usize) -> Result<Vec<T>, Full> {
    let mut list = vec();
    list.try_reserve_exact(length).map_err(|_| Full)?;
    list.resize(length, item);
    Ok(list)
}

/// A place in a list as it is kept. `u32::MAX` stands for none, which no list grows to: its memory would have run out before.
pub(crate) fn place(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The place in a list of what was kept as a number.
pub(crate) const fn index(place: u32) -> usize {
    place as usize
}
