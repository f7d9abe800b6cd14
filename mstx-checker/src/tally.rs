//! What is counted: heaps and regions, by the call that registered them.

use core::cmp::Reverse;
use core::panic::Location;

use hashbrown::HashTable;
use mstx_runtime::__private::Listed;
use mstx_runtime::{Label, Origin};

use crate::{origin, suppress};

/// Where the live regions of a call are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whereabouts {
    /// All in heaps of this name.
    Heap(Label),
    /// All in no heap, and of the domain of this name.
    Domain(Label),
    /// Some here, some there.
    Several,
}

/// What one call registered and is live.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) origin: Origin,
    pub(crate) whereabouts: Whereabouts,
    // Signed: a region may leave under another origin than it came with, if two nested functions report it.
    pub(crate) live: i64,
    pub(crate) bytes: i64,
}

impl Group {
    /// Orders groups by what they hold, and then by where they stand in the program, the first one being the greatest.
    pub(crate) fn rank(&self) -> (i64, Reverse<(&'static Location<'static>, usize)>) {
        (self.bytes, Reverse((self.origin.caller(), self.origin.address())))
    }
}

/// The heaps of the program, or its regions.
pub(crate) struct Tally {
    pub(crate) registered: u64,
    pub(crate) unregistered: u64,
    bytes: usize,
    /// The most bytes that were live at a time.
    pub(crate) peak: usize,
    groups: HashTable<Group, Listed>,
    /// How many registrations no group could be made for.
    pub(crate) lost: u64,
}

impl Tally {
    pub(crate) const fn new() -> Self {
        Self { registered: 0, unregistered: 0, bytes: 0, peak: 0, groups: HashTable::new_in(Listed), lost: 0 }
    }

    /// One is live from now on.
    pub(crate) fn register(&mut self, origin: Origin, whereabouts: Whereabouts, bytes: usize) {
        self.registered += 1;
        self.grow(bytes);
        let Some(group) = self.group(origin, whereabouts) else {
            self.lost += 1;
            return;
        };
        if group.live == 0 {
            group.whereabouts = whereabouts;
        } else if group.whereabouts != whereabouts {
            group.whereabouts = Whereabouts::Several;
        }
        group.live += 1;
        group.bytes = group.bytes.saturating_add_unsigned(bytes as u64);
    }

    /// One has another size from now on.
    pub(crate) fn resize(&mut self, origin: Origin, whereabouts: Whereabouts, old: usize, new: usize) {
        self.bytes = self.bytes.saturating_sub(old);
        self.grow(new);
        if let Some(group) = self.group(origin, whereabouts) {
            group.bytes = group.bytes.saturating_sub_unsigned(old as u64).saturating_add_unsigned(new as u64);
        }
    }

    /// One is live no longer.
    pub(crate) fn unregister(&mut self, origin: Origin, whereabouts: Whereabouts, bytes: usize) {
        self.unregistered += 1;
        self.bytes = self.bytes.saturating_sub(bytes);
        if let Some(group) = self.group(origin, whereabouts) {
            group.live -= 1;
            group.bytes = group.bytes.saturating_sub_unsigned(bytes as u64);
        }
    }

    fn grow(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        self.peak = self.peak.max(self.bytes);
    }

    /// The group of a call; `None` where there is no memory for a new one.
    fn group(&mut self, origin: Origin, whereabouts: Whereabouts) -> Option<&mut Group> {
        let rehash = |group: &Group| origin::hash(group.origin);
        // Before the look-up, which would otherwise be done twice. Mostly there is room, and nothing happens.
        self.groups.try_reserve(1, rehash).ok()?;
        let entry = self.groups.entry(origin::hash(origin), |group| origin::same(group.origin, origin), rehash);
        Some(entry.or_insert_with(|| Group { origin, whereabouts, live: 0, bytes: 0 }).into_mut())
    }

    /// What is live, and not suppressed.
    pub(crate) fn leaked(&self) -> Leaked {
        let mut leaked = Leaked { live: self.registered.saturating_sub(self.unregistered), bytes: self.bytes, suppressed: 0 };
        for group in self.live().filter(|group| suppress::leak(group.origin)) {
            leaked.suppressed += group.live.unsigned_abs();
            leaked.bytes = leaked.bytes.saturating_sub(usize::try_from(group.bytes).unwrap_or(0));
        }
        leaked.live = leaked.live.saturating_sub(leaked.suppressed);
        leaked
    }

    /// The calls that registered it.
    pub(crate) fn leaks(&self) -> impl Iterator<Item = &Group> + Clone {
        self.live().filter(|group| !suppress::leak(group.origin))
    }

    fn live(&self) -> impl Iterator<Item = &Group> + Clone {
        self.groups.iter().filter(|group| group.live > 0)
    }
}

/// What is live and should not be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaked {
    pub(crate) live: u64,
    pub(crate) bytes: usize,
    /// How many more are live, and suppressed.
    pub(crate) suppressed: u64,
}
