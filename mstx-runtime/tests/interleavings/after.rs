//! Functions go on: the body, and the part after it.

use super::*;

impl Model {
    pub(crate) fn advance(&mut self, thread: usize, a: usize, b: usize) {
        let Some(doing) = self.threads[thread].doing.take() else { return };
        let next = match doing {
            Doing::Take { pool, made, call, ticket, got: None } => {
                let sizes = if b % 5 == 0 { vec![1, 1 + a % 3] } else { vec![1 + b % 7] };
                // A heap that has ended since has nothing to hand out.
                let sizes = sizes.into_iter().filter(|_| self.heaps[pool].made == made).collect::<Vec<_>>();
                let got = sizes.into_iter().filter_map(|size| self.hand_out(pool, size, a % 24, None, ticket)).collect();
                Some(Doing::Take { pool, made, call, ticket, got: Some(got) })
            }
            Doing::Give { region, guard, waited, refused: None } => {
                let refused = a % 4 == 0;
                if !refused {
                    self.regions[region] = None;
                }
                Some(Doing::Give { region, guard, waited, refused: Some(refused) })
            }
            Doing::Change { region, guard, size, ticket, outcome: None } => {
                let outcome = self.change(region, size, ticket, a);
                Some(Doing::Change { region, guard, size, ticket, outcome: Some(outcome) })
            }
            Doing::Reset { pool, guard, done: false } => {
                let done = !self.is_in_use(pool);
                if done {
                    self.lose(pool);
                }
                Some(Doing::Reset { pool, guard, done })
            }
            Doing::End { pool, guard, done: false } => {
                let done = !self.is_in_use(pool);
                if done {
                    self.give_back(pool);
                }
                Some(Doing::End { pool, guard, done })
            }
            Doing::SetSize { pool, guard, end, done: false } => {
                self.heaps[pool].memory.end = end;
                Some(Doing::SetSize { pool, guard, end, done: true })
            }
            Doing::Begin { pool, call, done: false } => {
                self.heaps[pool].memory.end = self.heaps[pool].told;
                Some(Doing::Begin { pool, call, done: true })
            }
            through => {
                self.note(thread, "returns");
                self.finish(thread, through);
                None
            }
        };
        if let Some(next) = &next {
            let body = self.body(next);
            self.note(thread, body);
        }
        self.threads[thread].doing = next;
    }

    /// What the body of a function in flight has done.
    pub(crate) fn body(&self, doing: &Doing) -> String {
        let slots = |id: &usize| self.regions[*id].as_ref().map(|region| region.slots.clone());
        match doing {
            Doing::Take { got, .. } => {
                let got: Vec<_> = got.iter().flatten().filter_map(slots).collect();
                format!("its body takes {got:?}")
            }
            Doing::Give { refused, .. } => format!("its body gives back, refused: {refused:?}"),
            Doing::Change { outcome: Some(Outcome::Moved(new)), .. } => format!("its body moves it to {:?}", slots(new)),
            Doing::Change { outcome, .. } => format!("its body has the outcome {outcome:?}"),
            Doing::Reset { done, .. } | Doing::End { done, .. } | Doing::SetSize { done, .. } | Doing::Begin { done, .. } => {
                format!("its body runs: {done}")
            }
        }
    }

    /// Whether the memory of a heap is about to be used by a function in flight.
    pub(crate) fn is_in_use(&self, pool: usize) -> bool {
        let of = |id: usize| self.regions[id].as_ref().is_some_and(|region| region.pool == pool);
        self.threads.iter().any(|thread| match &thread.doing {
            Some(Doing::Give { region, refused: None, .. } | Doing::Change { region, outcome: None, .. }) => of(*region),
            _ => false,
        })
    }

    pub(crate) fn change(&mut self, id: usize, size: usize, ticket: usize, a: usize) -> Outcome {
        let Region { pool, slots, .. } = self.regions[id].clone().unwrap();
        if a % 4 == 0 {
            return Outcome::Refused;
        }
        if slots.len() == size {
            return Outcome::Same;
        }
        let from = if a % 4 == 1 { slots.start - self.heaps[pool].memory.start } else { a % 24 };
        match self.hand_out(pool, size, from, Some(id), ticket) {
            Some(new) => {
                let region = self.region(id);
                (region.memory, region.state) = (false, State::Moved);
                if region.swept {
                    self.regions[id] = None;
                }
                Outcome::Moved(new)
            }
            None => Outcome::Refused,
        }
    }

    pub(crate) fn give_back(&mut self, pool: usize) {
        self.lose(pool);
        let heap = &mut self.heaps[pool];
        heap.memory.end = heap.memory.start;
        heap.standing = Standing::Absent;
        if let Some(on) = heap.on.take() {
            self.region(on).heaps -= 1;
        }
    }

    pub(crate) fn finish(&mut self, thread: usize, doing: Doing) {
        match doing {
            Doing::Take { pool, call, got, .. } => {
                let got = got.unwrap_or_default();
                let slots: Vec<_> = got.iter().map(|&id| self.region(id).slots.clone()).collect();
                let handle = self.heaps[pool].pool;
                self.run(thread, move || handle.taken(call, &slots));
                got.into_iter().for_each(|id| self.report(id, thread));
            }
            Doing::Give { guard, refused: Some(true), region: id, waited } => {
                self.run(thread, || guard.refused());
                let Region { pool, slots, memory, .. } = self.regions[id].clone().unwrap();
                let holder = self.holder(thread, pool);
                self.held.push((holder, slots.start));
                if memory {
                    let unreported = self.heaps[pool].standing == Standing::Starting;
                    let told = self.heaps[pool].told;
                    let resetting = self.heaps[pool].resets > 0;
                    let region = self.region(id);
                    region.state = State::Live;
                    region.waits = waited && (unreported || region.slots.end > told);
                    region.unsent = false;
                    region.doubtful |= resetting;
                    region.holder = holder;
                } else {
                    let region = self.region(id);
                    (region.state, region.unsent) = (State::Phantom, false);
                }
            }
            Doing::Give { guard, .. } => self.run(thread, || drop(guard)),
            Doing::Change { region, guard, outcome, ticket, .. } => {
                self.finish_change(thread, region, guard, outcome.unwrap_or(Outcome::Refused), ticket);
            }
            Doing::Reset { pool, guard, .. } => {
                self.run(thread, || drop(guard));
                let now = self.tick();
                let heap = &mut self.heaps[pool];
                (heap.changed, heap.resets, heap.busy) = (now, heap.resets - 1, heap.busy - 1);
            }
            Doing::End { guard, .. } => self.run(thread, || drop(guard)),
            Doing::SetSize { pool, guard, end, .. } => {
                self.run(thread, || guard.succeeded());
                self.heaps[pool].told = end;
                self.heaps[pool].busy -= 1;
                self.admit(pool);
            }
            Doing::Begin { pool, call, .. } => {
                let handle = self.heaps[pool].pool;
                self.run(thread, move || handle.begun(call));
                self.heaps[pool].standing = Standing::Live;
                self.heaps[pool].busy -= 1;
                self.heaps[pool].changed = self.tick();
                if let Some(on) = self.heaps[pool].on {
                    self.region(on).holder = Holder::Nobody;
                }
                self.admit(pool);
            }
        }
    }

    pub(crate) fn finish_change(&mut self, thread: usize, id: usize, guard: Resize, outcome: Outcome, ticket: usize) {
        let pool = match outcome {
            Outcome::Moved(new) => self.region(new).pool,
            _ => self.region(id).pool,
        };
        let handle = self.heaps[pool].pool;
        match outcome {
            Outcome::Refused => self.run(thread, || drop(guard)),
            Outcome::Same => {
                let start = self.region(id).slots.start;
                self.run(thread, move || handle.changed(guard, start));
            }
            Outcome::Moved(new) => {
                let start = self.region(new).slots.start;
                self.run(thread, move || handle.changed(guard, start));
            }
        }
        match outcome {
            Outcome::Refused | Outcome::Same => {
                let anew = matches!(outcome, Outcome::Same) && (self.region(id).swept || self.region(id).waits);
                let region = self.region(id);
                region.busy = false;
                let gone = !region.memory && region.state == State::Live;
                if anew {
                    region.ticket = ticket;
                    self.report(id, thread);
                } else if gone {
                    self.regions[id] = None;
                }
            }
            Outcome::Moved(new) => {
                let holder = self.holder(thread, pool);
                if let Some(old) = self.regions[id].clone() {
                    self.die(id, holder);
                    self.hurry(&old.slots, holder);
                    self.regions[id] = None;
                }
                self.report(new, thread);
            }
        }
    }
}
