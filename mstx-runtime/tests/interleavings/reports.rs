//! What a report does to what the tool should know.

use super::*;

impl Model {
    /// What the tool knows of a region is to be taken back; it is the holder who does it.
    pub(crate) fn die(&mut self, id: usize, holder: Holder) {
        let region = self.regions[id].as_ref().unwrap();
        if holder != Holder::Nobody && !region.unsent && !region.waits {
            self.dead.push(Dead { slots: region.slots.clone(), holder });
        }
    }

    /// A region was released: nothing is left in its range that others hold back.
    pub(crate) fn hurry(&mut self, slots: &Range<usize>, keeps: Holder) {
        self.dead.retain(|dead| dead.holder == keeps || !overlap(&dead.slots, slots));
    }

    pub(crate) fn report(&mut self, id: usize, thread: usize) {
        let Region { pool, slots, memory, ticket, .. } = self.regions[id].clone().unwrap();
        let holder = self.holder(thread, pool);
        let heap = self.heaps[pool].clone();
        let begins = |thread: &Thread| matches!(thread.doing, Some(Doing::Begin { .. } | Doing::SetSize { .. }));
        let starting = self.threads.iter().any(begins);
        let doubtful = heap.resets > 0 || heap.changed > ticket;
        self.held.push((holder, slots.start));
        let region = self.region(id);
        region.holder = holder;
        region.doubtful = doubtful;
        (region.swept, region.uncertain, region.waits, region.unsent) = (false, false, false, false);
        region.state = if memory { State::Live } else { State::Phantom };
        match heap.standing {
            // It is dropped.
            Standing::Absent | Standing::Ending => {
                region.swept = true;
                if starting {
                    self.ghosts.push(slots.clone());
                }
            }
            Standing::Live if slots.end <= heap.told => self.settle_in(id),
            Standing::Starting | Standing::Live => region.waits = true,
        }
        let region = self.region(id);
        if region.state == State::Live && !region.waits && !region.swept && !region.uncertain {
            let equal = self.dead.iter().any(|dead| dead.slots == slots);
            self.region(id).unsent = holder != Holder::Nobody && !equal;
        }
    }

    /// A report meets what else was reported there.
    pub(crate) fn settle_in(&mut self, id: usize) {
        let Region { pool, slots, doubtful, holder, .. } = self.regions[id].clone().unwrap();
        let there = |other: &Region| {
            overlap(&other.slots, &slots)
                && other.pool == pool
                && !other.waits
                && match other.state {
                    State::Live | State::Moved | State::Phantom => true,
                    State::Leaving | State::Fresh => false,
                }
        };
        for other in self.ids(there) {
            if other == id {
                continue;
            }
            if doubtful {
                // One of the two stays.
                self.region(id).uncertain = true;
                if self.region(other).doubtful || self.region(other).state == State::Moved {
                    self.region(other).uncertain = true;
                    self.die(other, holder);
                }
            } else {
                self.die(other, holder);
                if self.region(other).state != State::Live {
                    self.regions[other] = None;
                }
            }
        }
    }

    pub(crate) fn release(&mut self, id: usize, thread: usize) {
        let Region { pool, slots, swept, waits, .. } = self.regions[id].clone().unwrap();
        let holder = self.holder(thread, pool);
        if swept {
            self.dead.retain(|dead| !dead.slots.contains(&slots.start));
        } else if !waits {
            self.die(id, holder);
            self.hurry(&slots, holder);
        }
    }

    /// All regions of a heap leave the books.
    pub(crate) fn sweep(&mut self, pool: usize, holder: Holder) {
        for id in self.ids(|region| region.pool == pool && !region.waits && region.state != State::Fresh) {
            match self.region(id).state {
                State::Leaving | State::Fresh => {}
                State::Live => {
                    if !self.region(id).swept {
                        self.die(id, holder);
                    }
                    self.region(id).swept = true;
                }
                State::Moved | State::Phantom => {
                    self.die(id, holder);
                    self.vanish(id);
                }
            }
        }
    }

    /// The tool knows a region no more, whose memory went before.
    pub(crate) fn vanish(&mut self, id: usize) {
        let region = self.region(id);
        if region.state == State::Phantom && region.busy {
            // The resize that is under way will say what became of it.
            (region.state, region.swept) = (State::Live, true);
        } else {
            self.regions[id] = None;
        }
    }

    /// The memory of a heap is cleared.
    pub(crate) fn lose(&mut self, pool: usize) {
        for id in self.ids(|region| region.pool == pool && region.memory) {
            let region = self.region(id);
            region.memory = false;
            let late = region.state == State::Fresh || region.state == State::Leaving || region.busy;
            if region.state == State::Live && !region.swept {
                region.state = State::Phantom;
            } else if !late {
                self.regions[id] = None;
            }
        }
    }

    /// A heap was reported, or has grown.
    pub(crate) fn admit(&mut self, pool: usize) {
        let told = self.heaps[pool].told;
        let changed = self.heaps[pool].changed;
        for id in self.ids(|region| region.pool == pool && region.waits && region.slots.end <= told) {
            let region = self.region(id);
            region.waits = false;
            region.doubtful = changed > region.ticket;
            self.settle_in(id);
        }
        self.sent_early();
    }

    /// Whole heaps have changed, and much was sent for that.
    pub(crate) fn sent_early(&mut self) {
        self.regions.iter_mut().flatten().for_each(|region| region.unsent = false);
    }

    pub(crate) fn let_go(&mut self, which: impl Fn(Holder) -> bool) {
        self.dead.retain(|dead| !which(dead.holder));
        let early: Vec<_> = self.held.iter().filter(|(holder, _)| which(*holder)).map(|&(_, start)| start).collect();
        self.held.retain(|(holder, _)| !which(*holder));
        for region in self.regions.iter_mut().flatten().filter(|region| early.contains(&region.slots.start)) {
            region.unsent = false;
        }
        for region in self.regions.iter_mut().flatten().filter(|region| which(region.holder)) {
            (region.holder, region.unsent) = (Holder::Nobody, false);
        }
    }
}
