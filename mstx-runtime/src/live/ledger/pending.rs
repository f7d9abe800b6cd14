//! What the injected tool is still to be told: the difference between the books and what it knows.
//!
//! There is no log of events. A live region, piece or heap knows whether it was sent; what died after it was sent waits in its heap's
//! `gone` with its handle; what lives and was not sent is noted by its address, and looked up when it is its turn. So sending early is
//! always right, and what comes and goes while it is held back is never sent.

use hashbrown::HashMap;

use super::Ledger;
use super::heaps::{HeapId, NO_HEAP};
use super::names::Hashing;
use super::region::Sent;
use crate::listed::Listed;
use crate::live::memory::{Full, Grow, Vec, vec};
use crate::tool::{Handle, Place, ToolRegion};
use crate::{Label, Origin};

/// Who holds something back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Holder {
    /// Nobody: it is to be sent at once.
    #[default]
    Nobody,
    /// A thread's batch, until it ends.
    Batch(u32),
    /// A deferred heap, until a flush.
    Heap(HeapId),
}

/// A region, or a piece of one, that the tool knows and that is live no longer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone {
    pub(crate) wire: u16,
    /// The heap in which it was sent.
    pub(crate) carrier: HeapId,
    pub(crate) region: ToolRegion,
    pub(crate) holder: Holder,
}

/// A heap that the tool knows and that is live no longer, or no longer of this size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) wire: u16,
    pub(crate) start: usize,
    pub(crate) size: usize,
    pub(crate) device: u32,
    pub(crate) place: Place,
    pub(crate) name: Label,
    pub(crate) origin: Origin,
    pub(crate) handle: Handle,
}

/// A list of what is held back, by heap and start.
type Places = Vec<(HeapId, usize)>;

/// What one holder holds back, by heap and start. What was sent or died since is still noted, and passed over when it is its turn.
#[derive(Debug)]
pub(crate) struct Queue {
    /// In the `gone` of the heap.
    gone: Places,
    /// Live regions and pieces that may not have been sent.
    regions: Places,
    /// How many of these are known to be of no use any more.
    stale: usize,
    /// How many there were when it was last tidied up.
    tidied: usize,
}

impl Queue {
    pub(crate) const fn new() -> Self {
        Self { gone: vec(), regions: vec(), stale: 0, tidied: 0 }
    }

    /// Room for one more, so that what follows cannot fail half-way.
    pub(crate) fn reserve(&mut self) -> Result<(), Full> {
        self.gone.try_reserve(1).map_err(|_| Full)?;
        self.regions.try_reserve(1).map_err(|_| Full)
    }

    pub(crate) fn add_region(&mut self, heap: HeapId, start: usize) -> Result<(), Full> {
        self.regions.add((heap, start))
    }

    pub(crate) fn add_gone(&mut self, carrier: HeapId, start: usize) -> Result<(), Full> {
        self.gone.add((carrier, start))
    }

    /// A region that is noted is not pending any more.
    pub(crate) fn cancel_region(&mut self, heap: HeapId, start: usize) {
        self.stale += Self::forget(&mut self.regions, (heap, start));
    }

    /// The same for one that was gone.
    pub(crate) fn cancel_gone(&mut self, carrier: HeapId, start: usize) {
        self.stale += Self::forget(&mut self.gone, (carrier, start));
    }

    /// Mostly it is the one that came last, and is taken out. Returns how many are left that are of no use.
    fn forget(list: &mut Places, place: (HeapId, usize)) -> usize {
        let is_last = list.last() == Some(&place);
        if is_last {
            list.pop();
        }
        usize::from(!is_last)
    }

    /// How much is held back, as far as is known.
    pub(crate) fn held(&self) -> usize {
        self.len().saturating_sub(self.stale)
    }

    /// Whether much of it may be of no use any more.
    pub(crate) fn is_untidy(&self) -> bool {
        self.len() > 2 * self.tidied + 64
    }

    /// Takes out what is of no use any more.
    pub(crate) fn tidy(&mut self, unsent: impl FnMut(&(HeapId, usize)) -> bool, gone: impl FnMut(&(HeapId, usize)) -> bool) {
        self.regions.retain(unsent);
        self.gone.retain(gone);
        for list in [&mut self.regions, &mut self.gone] {
            list.sort_unstable();
            list.dedup();
        }
        (self.stale, self.tidied) = (0, self.len());
    }

    fn len(&self) -> usize {
        self.gone.len() + self.regions.len()
    }
}

/// Everything that is pending, except for what heaps hold back or keep in their `gone`.
pub(crate) struct Pending {
    /// What is to be taken back at once.
    pub(crate) gone: Vec<Gone>,
    /// What may have to be sent at once, by heap and start.
    pub(crate) regions: Places,
    /// For so many of these, nothing that overlaps them is held back.
    pub(crate) cleared: usize,
    batches: HashMap<u32, Queue, Hashing, Listed>,
    pub(crate) ended: Vec<Ended>,
    pub(crate) heaps: Vec<HeapId>,
}

impl Pending {
    pub(crate) const fn new() -> Self {
        Self {
            gone: vec(),
            regions: vec(),
            cleared: 0,
            batches: HashMap::with_hasher_in(Hashing::new(), Listed),
            ended: vec(),
            heaps: vec(),
        }
    }

    /// Makes room for `more` of each, so that what follows cannot fail half-way.
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), Full> {
        self.gone.try_reserve(more).map_err(|_| Full)?;
        self.regions.try_reserve(more).map_err(|_| Full)?;
        self.ended.try_reserve(more).map_err(|_| Full)?;
        self.heaps.try_reserve(more).map_err(|_| Full)
    }

    /// Whether nothing is to be sent at once.
    pub(crate) fn is_settled(&self) -> bool {
        self.gone.is_empty() && self.regions.is_empty() && self.ended.is_empty() && self.heaps.is_empty()
    }

    /// What a batch holds back.
    pub(crate) fn batch(&mut self, batch: u32) -> Result<&mut Queue, Full> {
        self.batches.try_reserve(1).map_err(|_| Full)?;
        Ok(self.batches.entry(batch).or_insert_with(Queue::new))
    }
}

impl Ledger {
    /// What a holder holds back; there is none for nobody.
    fn queue_of(&mut self, holder: Holder) -> Option<&mut Queue> {
        match holder {
            Holder::Nobody => None,
            Holder::Batch(batch) => self.pending.batches.get_mut(&batch),
            Holder::Heap(id) => self.regions_mut(id).map(|regions| &mut regions.held),
        }
    }

    /// The same, which a batch begins with this if it holds nothing yet.
    fn begin_queue(&mut self, holder: Holder) -> Result<Option<&mut Queue>, Full> {
        match holder {
            Holder::Batch(batch) => self.pending.batch(batch).map(Some),
            Holder::Nobody | Holder::Heap(_) => Ok(self.queue_of(holder)),
        }
    }

    /// A live region or piece is to be sent, when its holder lets it go.
    pub(super) fn hold_region(&mut self, holder: Holder, heap: HeapId, start: usize) {
        let result = self.note_region(holder, heap, start);
        self.holds(holder, result, start);
    }

    fn note_region(&mut self, holder: Holder, heap: HeapId, start: usize) -> Result<(), Full> {
        if holder == Holder::Nobody {
            return self.pending.regions.add((heap, start));
        }
        self.begin_queue(holder)?.map_or(Ok(()), |queue| queue.add_region(heap, start))
    }

    /// Something that the tool knows is live no longer, and is to be taken back when its holder lets it go.
    pub(crate) fn hold_gone(&mut self, gone: Gone) {
        let result = self.note_gone(gone);
        self.holds(gone.holder, result, gone.region.start);
    }

    fn note_gone(&mut self, gone: Gone) -> Result<(), Full> {
        let Gone { carrier, holder, region: ToolRegion { start, .. }, .. } = gone;
        if holder == Holder::Nobody {
            return self.pending.gone.add(gone);
        }
        if let Some(regions) = self.regions_mut(carrier) {
            regions.gone.insert(start, Some(gone))?;
        }
        self.begin_queue(holder)?.map_or(Ok(()), |queue| queue.add_gone(carrier, start))
    }

    /// Something more is held back. A deferred heap that holds too much lets it go when the event is through.
    fn holds(&mut self, holder: Holder, held: Result<(), Full>, start: usize) {
        if held.is_err() {
            return self.out_of_memory(start);
        }
        let Some((held, untidy)) = self.queue_of(holder).map(|queue| (queue.held(), queue.is_untidy())) else { return };
        if let Holder::Heap(id) = holder {
            if self.heap(id).and_then(|heap| heap.deferral).is_some_and(|most| held >= most) {
                self.overfull = holder;
            }
        }
        if untidy {
            self.tidy(holder);
        }
    }

    /// Takes what is of no use any more out of what a holder holds back.
    fn tidy(&mut self, holder: Holder) {
        let Some(queue) = self.queue_of(holder) else { return };
        let mut queue = core::mem::replace(queue, Queue::new());
        queue.tidy(
            |&(heap, start)| self.unsent(heap, start).is_some(),
            |&(carrier, start)| self.gone(carrier, start).is_some_and(|gone| gone.holder == holder),
        );
        if let Some(place) = self.queue_of(holder) {
            *place = queue;
        }
    }

    fn gone(&self, carrier: HeapId, start: usize) -> Option<Gone> {
        *self.regions(carrier)?.gone.get(start)?
    }

    /// Where the tool still knows just such a region, the new one takes over its handle, and nothing is sent.
    pub(super) fn take_over(&mut self, id: HeapId, carrier: HeapId, start: usize) -> bool {
        let Some(gone) = self.gone(carrier, start) else { return false };
        let Some(&region) = self.region(id, start) else { return false };
        let like = (self.region_wire(id, &region), region.size, self.region_device(id, &region));
        if (gone.wire, gone.region.size, gone.region.device) != like {
            return false;
        }
        if let Some(regions) = self.regions_mut(carrier) {
            regions.gone.remove(start);
        }
        if let Some(queue) = self.queue_of(gone.holder) {
            queue.cancel_gone(carrier, start);
        }
        if let Some(region) = self.region_mut(id, start) {
            region.set_sent(Sent::Yes, gone.region.handle);
        }
        true
    }

    /// A region that was held back is not pending any more.
    pub(super) fn cancelled(&mut self, holder: Holder, heap: HeapId, start: usize) {
        if let Some(queue) = self.queue_of(holder) {
            queue.cancel_region(heap, start);
        }
    }

    /// What the tool still knows in `[start, end)` and is live no longer goes at once, except what `keeps` holds back.
    pub(crate) fn hurry(&mut self, start: usize, end: usize, keeps: Holder) {
        self.hurry_in(NO_HEAP, start, end, keeps);
        let mut around = self.heaps.innermost(start);
        while let Some(id) = around {
            self.hurry_in(id, start, end, keeps);
            around = self.heap(id).map(|heap| heap.parent).filter(|&parent| parent != NO_HEAP);
        }
        let mut next = 0;
        while let Some(id) = self.heaps.nth_in(start.saturating_add(1), end, next) {
            self.hurry_in(id, start, end, keeps);
            next += 1;
        }
    }

    fn hurry_in(&mut self, carrier: HeapId, start: usize, end: usize, keeps: Holder) {
        loop {
            let Some(regions) = self.regions(carrier).filter(|regions| !regions.gone.is_empty()) else { return };
            let Some(gone) = regions.gone_in(start, end, |gone| gone.holder != keeps) else { return };
            if self.pending.gone.add(Gone { holder: Holder::Nobody, ..gone }).is_err() {
                return self.out_of_memory(start);
            }
            if let Some(regions) = self.regions_mut(carrier) {
                regions.gone.remove(gone.region.start);
            }
        }
    }

    /// What the holder held back is to be sent at once.
    fn let_go(&mut self, holder: Holder) -> Result<(), Full> {
        let Some((gone, regions)) = self.queue_of(holder).map(|queue| (queue.gone.len(), queue.regions.len())) else {
            return Ok(());
        };
        self.pending.gone.try_reserve(gone).map_err(|_| Full)?;
        self.pending.regions.try_reserve(regions).map_err(|_| Full)?;
        let queue = match holder {
            Holder::Batch(batch) => self.pending.batches.remove(&batch),
            _ => self.queue_of(holder).map(|queue| core::mem::replace(queue, Queue::new())),
        };
        let Some(queue) = queue else { return Ok(()) };
        self.pending.regions.extend_from_slice(&queue.regions);
        for (carrier, start) in queue.gone {
            // What went since, was taken over or is held back by somebody else is passed over.
            let Some(gone) = self.gone(carrier, start).filter(|gone| gone.holder == holder) else { continue };
            if let Some(regions) = self.regions_mut(carrier) {
                regions.gone.remove(start);
            }
            self.pending.gone.push(Gone { holder: Holder::Nobody, ..gone });
        }
        Ok(())
    }

    /// What the holder held back is to be sent at once, if there is memory for that.
    fn release_holder(&mut self, holder: Holder) {
        if self.let_go(holder).is_err() {
            self.out_of_memory(0);
        }
    }

    /// A batch has ended: what it held back is sent.
    pub(crate) fn end_batch(&mut self, batch: u32) {
        self.release_holder(Holder::Batch(batch));
    }

    /// Everything that is pending is sent.
    pub(crate) fn flush(&mut self) {
        while let Some(&batch) = self.pending.batches.keys().next() {
            if self.let_go(Holder::Batch(batch)).is_err() {
                return self.out_of_memory(0);
            }
        }
        let mut next = 0;
        while let Some(id) = self.heaps.nth(next) {
            self.release_holder(Holder::Heap(id));
            next += 1;
        }
    }

    /// The event is through.
    pub(crate) fn relieve(&mut self) {
        let overfull = core::mem::take(&mut self.overfull);
        self.release_holder(overfull);
    }

    /// A holder may hold too much, or much that is of no use.
    pub(crate) fn relieve_holder(&mut self, holder: Holder) {
        self.holds(holder, Ok(()), 0);
        self.relieve();
    }
}
