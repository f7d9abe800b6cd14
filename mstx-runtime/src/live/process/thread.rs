//! What a thread knows of itself.
//!
//! The thread-local here has a constant start value and no destructor: it needs no allocation, and works while a thread's
//! other locals are being destroyed.

use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering};

use super::system;
use crate::FaultThread;

/// How many calls that release something may be open in a thread, one inside the other, and still be known.
const OPEN: usize = 16;

/// Bits of a stamp that count the thread's reports; the bits above them are the thread's number.
const CLOCK_BITS: u32 = 40;

struct Local {
    number: Cell<u32>,
    holder: Cell<u32>,
    clock: Cell<u64>,
    /// The ranges that calls of this thread released and whose bodies still run.
    open: [Cell<Open>; OPEN],
    next_open: Cell<u64>,
    /// The batch that is open, and how many have joined it.
    batch: Cell<u32>,
    joined: Cell<u32>,
    /// Whether the thread shares the books right now.
    shares: Cell<bool>,
}

std::thread_local! {
    static LOCAL: Local = const {
        Local {
            number: Cell::new(0),
            holder: Cell::new(0),
            clock: Cell::new(0),
            open: [const { Cell::new(Open::NONE) }; OPEN],
            next_open: Cell::new(0),
            batch: Cell::new(0),
            joined: Cell::new(0),
            shares: Cell::new(false),
        }
    };
}

/// This thread, told from all others that are alive; never 0.
pub(crate) fn identity() -> usize {
    LOCAL.with(|local| core::ptr::from_ref(local).addr())
}

/// Whether this thread shares the books.
pub(crate) fn shares() -> bool {
    LOCAL.with(|local| local.shares.get())
}

pub(crate) fn set_shares(shares: bool) {
    LOCAL.with(|local| local.shares.set(shares));
}

/// The number of this thread, by which it is told from most others.
pub(crate) fn number() -> u32 {
    LOCAL.with(numbered)
}

fn numbered(local: &Local) -> u32 {
    if local.number.get() == 0 {
        // Numbers wrap around after 2^24 threads; a clash could only make a fault go unseen.
        let number = THREADS.fetch_add(1, Ordering::Relaxed) % ((1 << (u64::BITS - CLOCK_BITS)) - 1);
        local.number.set(number + 1);
    }
    local.number.get()
}

/// This thread as faults show it.
pub(crate) fn seen() -> FaultThread {
    let (id, name) = system::thread();
    FaultThread { id, name }
}

/// The number of this thread as the holder of a lock: not 0, and less than 2^31. A clash, after that many threads, would be one of a
/// thread that holds a lock with one that wants it.
pub(crate) fn holder() -> u32 {
    LOCAL.with(|local| {
        if local.holder.get() == 0 {
            local.holder.set((HOLDERS.fetch_add(1, Ordering::Relaxed) & (u32::MAX >> 1)).max(1));
        }
        local.holder.get()
    })
}

static HOLDERS: AtomicU32 = AtomicU32::new(1);
static THREADS: AtomicU32 = AtomicU32::new(0);
static BATCHES: AtomicU32 = AtomicU32::new(0);

/// The thread's open batch; 0 for none.
pub(crate) fn batch() -> u32 {
    LOCAL.with(|local| local.batch.get())
}

/// Opens a batch in this thread, or joins the one that is open.
pub(crate) fn open_batch() {
    LOCAL.with(|local| {
        if local.joined.get() == 0 {
            // Numbers wrap around after 2^32 batches; one that is still open then would end early, which is always allowed.
            local.batch.set(BATCHES.fetch_add(1, Ordering::Relaxed).wrapping_add(1).max(1));
        }
        local.joined.set(local.joined.get() + 1);
    });
}

/// Leaves the batch. Returns its number where it has ended with that.
pub(crate) fn leave_batch() -> Option<u32> {
    LOCAL.with(|local| {
        let joined = local.joined.get().saturating_sub(1);
        local.joined.set(joined);
        (joined == 0).then(|| local.batch.replace(0)).filter(|&batch| batch != 0)
    })
}

/// When a thread reported something: its number and a count of its reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// Now, in this thread.
    pub(crate) fn now() -> Self {
        LOCAL.with(|local| Self::of(local, local.clock.get()))
    }

    /// Now, and later than everything before.
    pub(crate) fn next() -> Self {
        LOCAL.with(|local| {
            local.clock.set(local.clock.get() + 1);
            Self::of(local, local.clock.get())
        })
    }

    fn of(local: &Local, clock: u64) -> Self {
        Self((u64::from(numbered(local)) << CLOCK_BITS) | (clock & ((1 << CLOCK_BITS) - 1)))
    }

    /// Whether this was stamped by the running thread, or by none.
    pub(crate) fn is_mine(self) -> bool {
        let number = self.0 >> CLOCK_BITS;
        number == 0 || number == u64::from(self::number())
    }

    /// Whether this was stamped by the same thread as `start`, and after it.
    pub(crate) const fn is_since(self, start: Self) -> bool {
        self.0 >> CLOCK_BITS == start.0 >> CLOCK_BITS && self.0 > start.0
    }
}

/// A range that a call has released, while its body runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) heap: u32,
    pub(crate) start: usize,
    pub(crate) end: usize,
    id: u64,
}

impl Open {
    const NONE: Self = Self { heap: 0, start: 0, end: 0, id: 0 };

    /// Notes the range until it is closed. Where too many are open, the oldest is forgotten.
    pub(crate) fn push(heap: u32, start: usize, end: usize) -> u64 {
        LOCAL.with(|local| {
            let id = local.next_open.get() + 1;
            local.next_open.set(id);
            let is_free = |slot: &&Cell<Self>| slot.get().id == 0;
            let next = Some(Self::slot(local, id)).filter(is_free);
            let free = next.or_else(|| local.open.iter().find(is_free));
            let oldest = || local.open.iter().min_by_key(|slot| slot.get().id);
            if let Some(slot) = free.or_else(oldest) {
                slot.set(Self { heap, start, end, id });
            }
            id
        })
    }

    /// Where a range is noted, unless that slot was taken.
    fn slot(local: &Local, id: u64) -> &Cell<Self> {
        // The remainder is a number of a slot.
        &local.open[usize::try_from(id % OPEN as u64).unwrap_or(0)]
    }

    /// Forgets the range that `push` noted as `id`, if this is the thread that noted it.
    pub(crate) fn close(id: u64) {
        LOCAL.with(|local| {
            let is_its = |slot: &&Cell<Self>| slot.get().id == id;
            let first = Some(Self::slot(local, id)).filter(is_its);
            if let Some(slot) = first.or_else(|| local.open.iter().find(is_its)) {
                slot.set(Self::NONE);
            }
        });
    }

    /// Whether an open call of this thread released `address` in a heap like this.
    pub(crate) fn covers_in(address: usize, wanted: impl Fn(u32) -> bool) -> bool {
        LOCAL.with(|local| {
            let mut open = local.open.iter().map(Cell::get).filter(|open| open.id != 0);
            open.any(|open| (open.start..open.end).contains(&address) && wanted(open.heap))
        })
    }
}
