//! Which faults there were, and how often.

use core::hash::{Hash, Hasher};
use std::alloc::System;
use std::hash::DefaultHasher;

use allocator_api2::vec::Vec;
use hashbrown::HashTable;
use mstx_runtime::__private::Listed;
use mstx_runtime::{Fault, FaultKind, Origin};

use crate::origin;

/// How many of the very same fault are shown.
const SHOWN: u64 = 10;

/// How a fault is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Showing {
    Whole,
    /// Whole, and as the last one of its sort.
    Last,
    /// Only counted.
    Not,
}

/// Faults of one kind from the same calls.
struct Sort {
    kind: FaultKind,
    origin: Origin,
    other: Option<Origin>,
    count: u64,
}

impl Sort {
    fn of(fault: &Fault) -> Self {
        Self { kind: fault.kind(), origin: fault.origin(), other: fault.other(), count: 0 }
    }

    fn is_same(&self, other: &Self) -> bool {
        let others = match (self.other, other.other) {
            (Some(a), Some(b)) => origin::same(a, b),
            (None, None) => true,
            _ => false,
        };
        self.kind == other.kind && origin::same(self.origin, other.origin) && others
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.kind.hash(&mut hasher);
        origin::add(self.origin, &mut hasher);
        self.other.into_iter().for_each(|other| origin::add(other, &mut hasher));
        hasher.finish()
    }
}

/// The faults of the program.
pub(crate) struct Faults {
    total: u64,
    sorts: HashTable<Sort, Listed>,
    kinds: Vec<(FaultKind, u64), System>,
}

impl Faults {
    pub(crate) const fn new() -> Self {
        Self { total: 0, sorts: HashTable::new_in(Listed), kinds: Vec::new_in(System) }
    }

    /// Counts a fault, and says how it is to be shown.
    pub(crate) fn add(&mut self, fault: &Fault) -> Showing {
        self.total += 1;
        self.add_kind(fault.kind());
        match self.count(Sort::of(fault)) {
            // Without memory to count it, it is as if it were the first one.
            None => Showing::Whole,
            Some(count) if count < SHOWN => Showing::Whole,
            Some(SHOWN) => Showing::Last,
            Some(_) => Showing::Not,
        }
    }

    fn add_kind(&mut self, kind: FaultKind) {
        if let Some((_, count)) = self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            *count += 1;
        } else if self.kinds.try_reserve(1).is_ok() {
            self.kinds.push((kind, 1));
        }
    }

    /// How many of this sort there were, with this one.
    fn count(&mut self, sort: Sort) -> Option<u64> {
        self.sorts.try_reserve(1, Sort::hash).ok()?;
        let entry = self.sorts.entry(sort.hash(), |known| known.is_same(&sort), Sort::hash);
        let known = entry.or_insert(sort).into_mut();
        known.count += 1;
        Some(known.count)
    }

    /// How many there were in all.
    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    /// How many there were of each kind, in the order in which the kinds came.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (FaultKind, u64)> {
        self.kinds.iter().copied()
    }
}
