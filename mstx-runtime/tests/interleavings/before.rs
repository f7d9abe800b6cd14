//! Functions begin: the part before the body.

use super::*;

impl Model {
    pub(crate) fn start(&mut self, thread: usize, kind: u8, a: usize, b: usize) {
        let ready = |heap: &Heap| heap.memory.end > heap.memory.start;
        let pools: Vec<usize> = (0..POOLS).filter(|&pool| ready(&self.heaps[pool])).collect();
        let live = self.ids(|region| region.state == State::Live && region.memory && !region.busy && region.heaps == 0);
        match kind {
            0..=3 => pick(&pools, a).into_iter().for_each(|pool| self.start_take(thread, pool)),
            4..=6 => pick(&live, a).into_iter().for_each(|id| self.start_give(thread, id)),
            7 | 8 => pick(&live, a).into_iter().for_each(|id| self.start_change(thread, id, 1 + b % 6)),
            9 | 10 => self.toggle_batch(thread),
            11 => self.flush(thread),
            12 => pick(&pools, a).into_iter().for_each(|pool| self.start_reset(thread, pool)),
            13 | 14 => pick(&pools, a).into_iter().for_each(|pool| self.start_set_size(thread, pool, b)),
            15 | 16 => {
                let places: Vec<usize> = (2..POOLS).collect();
                let Some(pool) = pick(&places, a) else { return };
                match self.heaps[pool].standing {
                    Standing::Absent if pool == 2 => self.start_begin(thread, pool, 64..72 + a % 8, b % 2 == 0),
                    Standing::Absent => self.start_nest(thread, pool, a, b),
                    _ => self.start_end(thread, pool),
                }
            }
            _ => self.start_nest(thread, 3 + a % 2, a / 2, b),
        }
    }

    pub(crate) fn run<R: Send + 'static>(&self, thread: usize, job: impl FnOnce() -> R + Send + 'static) -> R {
        self.threads[thread].actor.run(job)
    }

    pub(crate) fn start_take(&mut self, thread: usize, pool: usize) {
        let handle = self.heaps[pool].pool;
        let call = self.run(thread, move || handle.take());
        self.note(thread, format_args!("begins to allocate in heap {pool}"));
        self.threads[thread].doing = Some(Doing::Take { pool, made: self.heaps[pool].made, call, ticket: self.clock, got: None });
    }

    pub(crate) fn start_give(&mut self, thread: usize, id: usize) {
        let Region { pool, slots, waits, .. } = self.regions[id].clone().unwrap();
        let handle = self.heaps[pool].pool;
        let guard = self.run(thread, move || handle.give(&slots));
        let slots = self.region(id).slots.clone();
        self.note(thread, format_args!("begins to release {slots:?} in heap {pool}"));
        self.release(id, thread);
        let region = self.region(id);
        (region.state, region.waits) = (State::Leaving, false);
        self.threads[thread].doing = Some(Doing::Give { region: id, guard, waited: waits, refused: None });
    }

    pub(crate) fn start_change(&mut self, thread: usize, id: usize, size: usize) {
        let Region { pool, slots, .. } = self.regions[id].clone().unwrap();
        let handle = self.heaps[pool].pool;
        self.note(thread, format_args!("begins to resize {slots:?} in heap {pool} to {size}"));
        let guard = self.run(thread, move || handle.change(&slots, size));
        self.region(id).busy = true;
        let ticket = self.clock;
        self.threads[thread].doing = Some(Doing::Change { region: id, guard, size, ticket, outcome: None });
    }

    pub(crate) fn toggle_batch(&mut self, thread: usize) {
        if let Some((number, batch)) = self.threads[thread].batch.take() {
            self.run(thread, || drop(batch));
            self.note(thread, "closes its batch");
            self.let_go(|holder| holder == Holder::Batch(number));
        } else {
            self.batches += 1;
            self.note(thread, "opens a batch");
            self.threads[thread].batch = Some((self.batches, self.threads[thread].actor.open_batch()));
        }
    }

    pub(crate) fn flush(&mut self, thread: usize) {
        self.run(thread, mstx_runtime::flush);
        self.note(thread, "flushes");
        self.let_go(|_| true);
    }

    /// The heaps that lie on regions of a heap.
    pub(crate) fn has_heaps_inside(&self, pool: usize) -> bool {
        !self.ids(|region| region.pool == pool && region.heaps > 0).is_empty()
    }

    pub(crate) fn start_reset(&mut self, thread: usize, pool: usize) {
        let is_live = self.heaps[pool].standing == Standing::Live;
        if !is_live || self.heaps[pool].busy > self.heaps[pool].resets || self.has_heaps_inside(pool) {
            return;
        }
        let handle = self.heaps[pool].pool;
        let guard = self.run(thread, move || handle.clear());
        self.note(thread, format_args!("begins to reset heap {pool}"));
        let holder = self.holder(thread, pool);
        self.sweep(pool, holder);
        let now = self.tick();
        let heap = &mut self.heaps[pool];
        (heap.changed, heap.resets, heap.busy) = (now, heap.resets + 1, heap.busy + 1);
        self.threads[thread].doing = Some(Doing::Reset { pool, guard, done: false });
    }

    pub(crate) fn start_end(&mut self, thread: usize, pool: usize) {
        let leaks = |region: &Region| {
            let in_use = region.state == State::Live || region.state == State::Moved || region.busy;
            region.pool == pool && (in_use && (region.memory || region.state == State::Moved))
        };
        let heap = &self.heaps[pool];
        let gives = |thread: &Thread| match &thread.doing {
            Some(Doing::Give { region, .. }) => self.regions[*region].as_ref().is_some_and(|region| region.pool == pool),
            _ => false,
        };
        let busy = heap.busy > 0 || heap.standing != Standing::Live || self.threads.iter().any(gives);
        if busy || self.has_heaps_inside(pool) || !self.ids(leaks).is_empty() {
            return;
        }
        let (handle, extent) = (heap.pool, heap.memory.clone());
        let guard = self.run(thread, move || handle.end());
        self.note(thread, format_args!("begins to end heap {pool}"));
        self.sweep(pool, Holder::Nobody);
        self.dead.retain(|dead| !overlap(&dead.slots, &extent));
        self.heaps[pool].standing = Standing::Ending;
        self.heaps[pool].changed = self.tick();
        if let Some(on) = self.heaps[pool].on {
            self.region(on).holder = Holder::Nobody;
        }
        self.sent_early();
        self.threads[thread].doing = Some(Doing::End { pool, guard, done: false });
    }

    pub(crate) fn start_set_size(&mut self, thread: usize, pool: usize, b: usize) {
        let heap = self.heaps[pool].clone();
        let least = if b % 2 == 0 { heap.memory.start } else { heap.memory.end.min(heap.limit - 1) };
        let end = least + 1 + b / 2 % (heap.limit - least);
        let beyond = |region: &Region| region.pool == pool && region.slots.end > end && region.memory;
        let in_use = end < heap.memory.end && !self.ids(beyond).is_empty();
        if heap.busy > 0 || heap.standing != Standing::Live || end == heap.memory.end || in_use {
            return;
        }
        let size = end - heap.memory.start;
        let guard = self.run(thread, move || heap.pool.set_size(size));
        self.note(thread, format_args!("begins to resize heap {pool} {:?} to end at {end}", heap.memory));
        if end < heap.memory.end {
            self.heaps[pool].memory.end = end;
            self.heaps[pool].told = end;
            for id in self.ids(|region| {
                region.pool == pool && region.slots.end > end && (region.state == State::Moved || region.state == State::Phantom)
            }) {
                self.vanish(id);
            }
            self.sent_early();
        }
        self.heaps[pool].busy += 1;
        self.threads[thread].doing = Some(Doing::SetSize { pool, guard, end, done: false });
    }

    pub(crate) fn start_begin(&mut self, thread: usize, pool: usize, slots: Range<usize>, deferred: bool) {
        let domain = [&common::POOLS, &common::INNER, &common::INNERMOST][pool.saturating_sub(2)];
        let handle = self.world.pool(slots.clone()).of(domain);
        let handle = if deferred { handle.deferred() } else { handle };
        let call = self.run(thread, move || handle.begin());
        self.note(thread, format_args!("begins to make heap {pool} {slots:?}, deferred: {deferred}"));
        let heap = &mut self.heaps[pool];
        (heap.pool, heap.deferred, heap.standing) = (handle, deferred, Standing::Starting);
        (heap.memory, heap.told) = (slots.start..slots.start, slots.end);
        heap.limit = PLACES.get(pool).map_or(slots.end, |place| place.end);
        heap.busy += 1;
        heap.made += 1;
        self.threads[thread].doing = Some(Doing::Begin { pool, call, done: false });
    }

    /// A heap on a part of a region.
    pub(crate) fn start_nest(&mut self, thread: usize, pool: usize, a: usize, b: usize) {
        let solid = |region: &Region| {
            let known = region.state == State::Live && region.memory && !region.doubtful;
            known && !region.waits && !region.busy && !region.swept && region.slots.len() > 1
        };
        let Some(ground) = pick(&self.ids(solid), a) else { return };
        let Region { slots, .. } = self.regions[ground].clone().unwrap();
        let start = slots.start + b % slots.len();
        let end = (start + 1 + b / 8 % 6).min(slots.end);
        let beside = |heap: &Heap| {
            heap.on != Some(ground)
                || heap.standing == Standing::Absent
                || !overlap(&(heap.memory.start..heap.limit), &(start..end))
        };
        if self.heaps[pool].standing != Standing::Absent || self.heaps[pool].busy > 0 || !self.heaps.iter().all(beside) {
            return;
        }
        self.region(ground).heaps += 1;
        self.heaps[pool].on = Some(ground);
        self.start_begin(thread, pool, start..end, b % 2 == 0);
    }
}
