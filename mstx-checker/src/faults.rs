//! Which faults there were, and how often.

use core::hash::{Hash, Hasher};
use std::alloc::System;
use std::hash::DefaultHasher;

use allocator_api2::vec::Vec;
use hashbrown::HashTable;
use mstx_runtime::__private::Listed;
use mstx_runtime::{Fault, FaultKind, Origin};

use crate::{origin, suppress};

/// How a fault is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Showing {
    /// It is new.
    Whole {
        /// Whether it is the first one of its kind.
        first: bool,
    },
    /// It was shown before. This is how often it was found by now: at 10 times, at 100, and so on.
    Times(u64),
    /// Only counted.
    Not,
    /// It is not to be shown, and only counted as such.
    Suppressed,
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
    suppressed: u64,
    sorts: HashTable<Sort, Listed>,
    kinds: Vec<(FaultKind, u64), System>,
}

impl Faults {
    pub(crate) const fn new() -> Self {
        Self { total: 0, suppressed: 0, sorts: HashTable::new_in(Listed), kinds: Vec::new_in(System) }
    }

    /// Counts a fault, and says how it is to be shown.
    pub(crate) fn add(&mut self, fault: &Fault) -> Showing {
        if suppress::fault(fault) {
            self.suppressed += 1;
            return Showing::Suppressed;
        }
        self.total += 1;
        let first = self.add_kind(fault.kind());
        match self.count(Sort::of(fault)) {
            // Without memory to count it, it is as if it were the first one.
            None | Some(1) => Showing::Whole { first },
            Some(count) if is_power_of_ten(count) => Showing::Times(count),
            Some(_) => Showing::Not,
        }
    }

    /// Counts a fault of this kind; returns whether it is the first one.
    fn add_kind(&mut self, kind: FaultKind) -> bool {
        if let Some((_, count)) = self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            *count += 1;
            return false;
        }
        if self.kinds.try_reserve(1).is_ok() {
            self.kinds.push((kind, 1));
        }
        true
    }

    /// How many of this sort there were, with this one.
    fn count(&mut self, sort: Sort) -> Option<u64> {
        self.sorts.try_reserve(1, Sort::hash).ok()?;
        let entry = self.sorts.entry(sort.hash(), |known| known.is_same(&sort), Sort::hash);
        let known = entry.or_insert(sort).into_mut();
        known.count += 1;
        Some(known.count)
    }

    /// How many there were in all, without those that are suppressed.
    pub(crate) const fn total(&self) -> u64 {
        self.total
    }

    /// How many were suppressed.
    pub(crate) const fn suppressed(&self) -> u64 {
        self.suppressed
    }

    /// Those of a kind that were found more than once: the calls, and how often.
    pub(crate) fn repeats(&self, kind: FaultKind) -> impl Iterator<Item = (Origin, u64)> {
        let repeated = self.sorts.iter().filter(move |sort| sort.kind == kind && sort.count > 1);
        repeated.map(|sort| (sort.origin, sort.count))
    }

    /// How many there were of each kind, in the order in which the kinds came.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (FaultKind, u64)> {
        self.kinds.iter().copied()
    }
}

const fn is_power_of_ten(mut number: u64) -> bool {
    while number > 1 && number % 10 == 0 {
        number /= 10;
    }
    number == 1
}
