//! What the injected tool is still to be told: the difference between the books and what it knows.
//!
//! There is no log of events. A live region, piece or heap knows whether it was sent; what died after it was sent waits in `gone`
//! with its handle; what lives and was not sent is noted by its address, and looked up when it is its turn. So sending early is
//! always right, and what comes and goes while it is held back is never sent.

use hashbrown::HashMap;

use super::heaps::HeapId;
use super::names::Hashing;
use super::tree::Tree;
use crate::listed::Listed;
use crate::live::memory::{Full, Grow, Vec, vec};
use crate::tool::{Handle, Place, ToolRegion};
use crate::{Label, Origin};

/// Who holds something back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

/// What one holder holds back. What was sent or died since is still noted, and passed over when it is its turn.
#[derive(Debug)]
pub(crate) struct Queue {
    /// The starts of regions in `gone`.
    pub(crate) gone: Vec<usize>,
    /// Live regions and pieces that may not have been sent, by heap and start.
    pub(crate) regions: Vec<(HeapId, usize)>,
    /// How many of these are known to be of no use any more.
    stale: usize,
    /// How many there were when it was last tidied up.
    tidied: usize,
}

impl Queue {
    const fn new() -> Self {
        Self { gone: vec(), regions: vec(), stale: 0, tidied: 0 }
    }

    /// How much is held back, as far as is known.
    fn held(&self) -> usize {
        self.len().saturating_sub(self.stale)
    }

    /// Whether much of it may be of no use any more.
    fn is_untidy(&self) -> bool {
        self.len() > 2 * self.tidied + 64
    }

    fn len(&self) -> usize {
        self.gone.len() + self.regions.len()
    }
}

/// Everything that is pending.
pub(crate) struct Pending {
    /// By start. No two overlap: they were at the tool at the same time.
    gone: Tree<Option<Gone>>,
    /// What is to be sent at once.
    pub(crate) now: Queue,
    held: HashMap<Holder, Queue, Hashing, Listed>,
    pub(crate) ended: Vec<Ended>,
    pub(crate) heaps: Vec<HeapId>,
}

impl Pending {
    pub(crate) const fn new() -> Self {
        Self {
            gone: Tree::new(),
            now: Queue::new(),
            held: HashMap::with_hasher_in(Hashing::new(), Listed),
            ended: vec(),
            heaps: vec(),
        }
    }

    /// Makes room for `more` of each, so that what follows cannot fail half-way.
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), Full> {
        self.now.gone.try_reserve(more).map_err(|_| Full)?;
        self.now.regions.try_reserve(more).map_err(|_| Full)?;
        self.ended.try_reserve(more).map_err(|_| Full)?;
        self.heaps.try_reserve(more).map_err(|_| Full)
    }

    /// Whether nothing is to be sent at once.
    pub(crate) fn is_settled(&self) -> bool {
        self.now.len() == 0 && self.ended.is_empty() && self.heaps.is_empty()
    }

    fn queue(&mut self, holder: Holder) -> Result<&mut Queue, Full> {
        if holder == Holder::Nobody {
            return Ok(&mut self.now);
        }
        self.held.try_reserve(1).map_err(|_| Full)?;
        Ok(self.held.entry(holder).or_insert_with(Queue::new))
    }

    /// A live region is to be sent, when its holder lets it go. Returns how much the holder holds.
    pub(crate) fn add_region(&mut self, holder: Holder, heap: HeapId, start: usize) -> Result<usize, Full> {
        let queue = self.queue(holder)?;
        queue.regions.add((heap, start))?;
        Ok(queue.held())
    }

    /// A region that the tool knows is live no longer. Returns how much the holder holds.
    pub(crate) fn add_gone(&mut self, gone: Gone) -> Result<usize, Full> {
        let start = gone.region.start;
        self.gone.insert(start, Some(gone))?;
        let queue = self.queue(gone.holder)?;
        queue.gone.add(start)?;
        Ok(queue.held())
    }

    /// The region that the tool still knows at `start`, for one that takes its place exactly.
    pub(crate) fn take_exactly(&mut self, start: usize, fits: impl Fn(&Gone) -> bool) -> Option<Gone> {
        let gone = (*self.gone.get(start)?)?;
        fits(&gone).then(|| self.gone.remove(start).flatten()).flatten()
    }

    /// What the tool is to take back at once, with all of this domain; in no particular order.
    pub(crate) fn take_gone(&mut self, start: usize) -> Option<Gone> {
        self.gone.remove(start).flatten()
    }

    pub(crate) fn peek_gone(&self, start: usize) -> Option<&Gone> {
        self.gone.get(start)?.as_ref()
    }

    /// What the tool still knows in `[start, end)` and is live no longer is to be taken back at once, unless `keeps` holds it back.
    pub(crate) fn hurry(&mut self, start: usize, end: usize, keeps: Holder) -> Result<(), Full> {
        let mut next = self.gone.floor(start).filter(|(at, gone)| gone.is_some_and(|gone| start - at < gone.region.size));
        next = next.or_else(|| self.gone.ceil(start));
        while let Some((at, Some(gone))) = next.filter(|&(at, _)| at < end) {
            if gone.holder != Holder::Nobody && gone.holder != keeps {
                self.now.gone.add(at)?;
                self.gone.insert(at, Some(Gone { holder: Holder::Nobody, ..gone }))?;
            }
            next = self.gone.ceil(at + 1);
        }
        Ok(())
    }

    /// What the holder held back is to be sent at once.
    pub(crate) fn let_go(&mut self, holder: Holder) -> Result<(), Full> {
        let Some(queue) = self.held.get(&holder) else { return Ok(()) };
        self.now.gone.try_reserve(queue.gone.len()).map_err(|_| Full)?;
        self.now.regions.try_reserve(queue.regions.len()).map_err(|_| Full)?;
        if let Some(queue) = self.held.remove(&holder) {
            self.now.gone.extend_from_slice(&queue.gone);
            self.now.regions.extend_from_slice(&queue.regions);
        }
        Ok(())
    }

    /// Something that the holder held back is not pending any more.
    pub(crate) fn cancelled(&mut self, holder: Holder) {
        if let Some(queue) = self.held.get_mut(&holder) {
            queue.stale += 1;
        }
    }

    /// Nothing of what the holder held back is pending any more.
    pub(crate) fn forget(&mut self, holder: Holder) {
        self.held.remove(&holder);
    }

    /// The holder's queue, if it is worth tidying up; it is to be given back to `tidied`.
    pub(crate) fn take_untidy(&mut self, holder: Holder) -> Option<Queue> {
        self.held.get(&holder).filter(|queue| queue.is_untidy())?;
        self.held.remove(&holder)
    }

    /// A queue without what is of no use any more.
    pub(crate) fn tidied(&mut self, holder: Holder, mut queue: Queue, useful: impl Fn(&(HeapId, usize)) -> bool) {
        queue.regions.retain(useful);
        queue.regions.sort_unstable();
        queue.regions.dedup();
        queue.gone.retain(|&start| self.peek_gone(start).is_some_and(|gone| gone.holder == holder));
        queue.gone.sort_unstable();
        queue.gone.dedup();
        (queue.stale, queue.tidied) = (0, queue.len());
        // It was just taken out, so there is room.
        self.held.insert(holder, queue);
    }

    /// Everything is to be sent at once.
    pub(crate) fn let_all_go(&mut self) -> Result<(), Full> {
        while let Some(&holder) = self.held.keys().next() {
            self.let_go(holder)?;
        }
        Ok(())
    }
}
