//! The live heaps, by address.

use hashbrown::HashMap;

use super::names::{DomainId, Hashing, OriginId};
use super::region::Sent;
use super::shard::Shard;
use super::ticket::Ticket;
use crate::listed::Listed;
use crate::live::memory::{Full, Grow, Vec, vec};
use crate::live::process::thread::Stamp;
use crate::tool::{Handle, Place};
use crate::{HeapKey, Label};

/// The number of a heap; never used again in the life of the process. 0 stands for no heap.
pub(crate) type HeapId = u32;

/// Regions of no heap are kept under this number.
pub(crate) const NO_HEAP: HeapId = 0;

/// How a heap is known to the injected tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// It is not told of heaps like this one.
    Unwanted,
    /// The tool knows a heap with the same start: the regions are sent in that one.
    Within(HeapId),
    /// As a heap.
    Own(Sent),
}

/// A live heap.
pub(crate) struct Heap {
    pub(crate) domain: DomainId,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where it was said to end, if another heap begins before that (see `foreign`).
    pub(crate) claim: usize,
    pub(crate) device: u32,
    pub(crate) place: Place,
    pub(crate) name: Label,
    pub(crate) origin: OriginId,
    pub(crate) stamp: Stamp,
    pub(crate) began: Ticket,
    /// When it began, or was last reset.
    pub(crate) changed: Ticket,
    /// When a reset of it was last through.
    pub(crate) emptied: Ticket,
    /// How many resets of it are under way.
    pub(crate) resetting: u32,
    /// The innermost heap that it lies in.
    pub(crate) parent: HeapId,
    /// The start of the region, of the parent or of no heap, that it lies on.
    pub(crate) on: Option<usize>,
    pub(crate) wire: Wire,
    pub(crate) handle: Handle,
    /// Events are held back until a flush, or until so many are pending.
    pub(crate) deferral: Option<usize>,
    pub(crate) shard: Shard,
}

impl Heap {
    pub(crate) const fn size(&self) -> usize {
        self.end - self.start
    }

    pub(crate) const fn contains(&self, start: usize, end: usize) -> bool {
        self.start <= start && end <= self.end
    }
}

/// A heap's extent, in the order in which heaps are kept: by start, an outer heap before its inner ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extent {
    start: usize,
    end: usize,
    id: HeapId,
}

impl Extent {
    const fn rank(&self) -> (usize, usize, HeapId) {
        (self.start, usize::MAX - self.end, self.id)
    }
}

/// All live heaps. Any two are apart, or one lies inside the other.
pub(crate) struct Heaps {
    by_id: HashMap<HeapId, Heap, Hashing, Listed>,
    order: Vec<Extent>,
    last: HeapId,
}

impl Heaps {
    pub(crate) const fn new() -> Self {
        Self { by_id: HashMap::with_hasher_in(Hashing::new(), Listed), order: vec(), last: NO_HEAP }
    }

    pub(crate) fn get(&self, id: HeapId) -> Option<&Heap> {
        self.by_id.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: HeapId) -> Option<&mut Heap> {
        self.by_id.get_mut(&id)
    }

    fn place(&self, extent: Extent) -> usize {
        self.order.partition_point(|other| other.rank() < extent.rank())
    }

    pub(crate) fn insert(&mut self, heap: Heap) -> Result<HeapId, Full> {
        self.by_id.try_reserve(1).map_err(|_| Full)?;
        let id = self.last.wrapping_add(1).max(1);
        let extent = Extent { start: heap.start, end: heap.end, id };
        self.order.add_at(self.place(extent), extent)?;
        self.last = id;
        self.by_id.insert(id, heap);
        Ok(id)
    }

    pub(crate) fn remove(&mut self, id: HeapId) -> Option<Heap> {
        let heap = self.by_id.remove(&id)?;
        let place = self.place(Extent { start: heap.start, end: heap.end, id });
        self.order.remove(place);
        Some(heap)
    }

    /// Gives a heap another end. Its place among its neighbours stays, since it still lies around or beside them.
    pub(crate) fn set_end(&mut self, id: HeapId, end: usize) {
        let Some(heap) = self.by_id.get_mut(&id) else { return };
        let old = Extent { start: heap.start, end: heap.end, id };
        heap.end = end;
        let place = self.place(old);
        self.order.remove(place);
        let new = Extent { end, ..old };
        let place = self.place(new);
        // One was just removed, so there is room.
        self.order.insert(place, new);
    }

    /// The innermost heap that contains `address`.
    pub(crate) fn innermost(&self, address: usize) -> Option<HeapId> {
        let place = self.order.partition_point(|extent| extent.start <= address);
        let mut id = self.order.get(place.checked_sub(1)?)?.id;
        loop {
            let heap = self.by_id.get(&id)?;
            if address < heap.end {
                return Some(id);
            }
            id = heap.parent;
        }
    }

    /// The heaps around an address, from the innermost outwards.
    pub(crate) fn around(&self, address: usize) -> impl Iterator<Item = HeapId> {
        let mut next = self.innermost(address);
        core::iter::from_fn(move || {
            let id = next?;
            next = self.by_id.get(&id).map(|heap| heap.parent).filter(|&parent| parent != NO_HEAP);
            Some(id)
        })
    }

    /// The heaps that start at an address, from the outermost inwards.
    pub(crate) fn starting_at(&self, address: usize) -> impl DoubleEndedIterator<Item = HeapId> {
        let first = self.order.partition_point(|extent| extent.start < address);
        let last = self.order.partition_point(|extent| extent.start <= address);
        self.order[first..last].iter().map(|extent| extent.id)
    }

    /// A heap lies in another one from now on, or in none.
    pub(crate) fn set_parent(&mut self, id: HeapId, parent: HeapId) {
        if let Some(heap) = self.by_id.get_mut(&id) {
            heap.parent = parent;
        }
    }

    /// The first heap that starts in `[start, end)`.
    pub(crate) fn first_in(&self, start: usize, end: usize) -> Option<HeapId> {
        let place = self.order.partition_point(|extent| extent.start < start);
        self.order.get(place).filter(|extent| extent.start < end).map(|extent| extent.id)
    }

    /// The heaps inside a heap, at any depth; an outer one comes before its inner ones.
    pub(crate) fn inside(&self, id: HeapId) -> impl DoubleEndedIterator<Item = HeapId> {
        let (first, last) = self.get(id).map_or((0, 0), |heap| {
            let first = self.place(Extent { start: heap.start, end: heap.end, id }) + 1;
            (first, self.order.partition_point(|extent| extent.start < heap.end))
        });
        self.order[first.min(last)..last].iter().map(|extent| extent.id)
    }

    /// The heaps that lie directly on the region at `start` of `parent` (or of no heap), which ends at `end`.
    pub(crate) fn on(&self, parent: HeapId, start: usize, end: usize) -> impl DoubleEndedIterator<Item = HeapId> {
        let first = self.order.partition_point(|extent| extent.start < start);
        let last = self.order.partition_point(|extent| extent.start < end);
        self.order[first..last]
            .iter()
            .map(|extent| extent.id)
            .filter(move |&id| self.get(id).is_some_and(|heap| heap.parent == parent && heap.on == Some(start)))
    }

    /// The heap with this number among those that start in `[start, end)`.
    pub(crate) fn nth_in(&self, start: usize, end: usize, number: usize) -> Option<HeapId> {
        let first = self.order.partition_point(|extent| extent.start < start);
        self.order.get(first + number).filter(|extent| extent.start < end).map(|extent| extent.id)
    }

    /// The heap with this number among all, in their order.
    pub(crate) fn nth(&self, place: usize) -> Option<HeapId> {
        self.order.get(place).map(|extent| extent.id)
    }

    /// All heaps, an outer one before its inner ones.
    pub(crate) fn all(&self) -> impl Iterator<Item = HeapId> {
        self.order.iter().map(|extent| extent.id)
    }

    /// The heap that a key means, if there is no doubt about it: no other starts there.
    pub(crate) fn plainly(&self, key: HeapKey) -> Option<(HeapId, &Heap)> {
        if key.id != 0 {
            return self.get(key.id).map(|heap| (key.id, heap));
        }
        let after = self.order.partition_point(|extent| extent.start <= key.address);
        let last = self.order.get(after.checked_sub(1)?)?;
        let other = after.checked_sub(2).and_then(|place| self.order.get(place));
        let alone = last.start == key.address && other.is_none_or(|other| other.start != key.address);
        alone.then(|| self.get(last.id).map(|heap| (last.id, heap)))?
    }

    /// The heap that a key means, from the innermost outwards where several start there.
    pub(crate) fn named(&self, key: HeapKey, domain: Option<DomainId>) -> Named<'_> {
        if key.id != 0 {
            return Named::Exactly(self.get(key.id).map(|_| key.id));
        }
        let fits = |&id: &HeapId| domain.is_none_or(|domain| self.get(id).is_some_and(|heap| heap.domain == domain));
        let mut starting = self.starting_at(key.address).filter(fits);
        let Some(first) = starting.next() else {
            return Named::Exactly(self.around(key.address).find(fits));
        };
        let of = |id| self.get(id).map(|heap: &Heap| heap.domain);
        if starting.any(|id| of(id) != of(first)) {
            return Named::Ambiguous(first);
        }
        Named::Starting(Starting { heaps: self, address: key.address, domain })
    }
}

/// What a key means.
pub(crate) enum Named<'a> {
    /// This heap, or none.
    Exactly(Option<HeapId>),
    /// One of those that start there, all of one domain.
    Starting(Starting<'a>),
    /// Heaps of several domains start there.
    Ambiguous(HeapId),
}

/// The heaps of one domain that start at one address.
pub(crate) struct Starting<'a> {
    heaps: &'a Heaps,
    address: usize,
    domain: Option<DomainId>,
}

impl Starting<'_> {
    /// From the innermost outwards.
    pub(crate) fn inwards_out(&self) -> impl Iterator<Item = HeapId> {
        let fits = |&id: &HeapId| {
            self.domain.is_none_or(|domain| self.heaps.get(id).is_some_and(|heap| heap.domain == domain))
        };
        self.heaps.starting_at(self.address).rev().filter(fits)
    }
}
