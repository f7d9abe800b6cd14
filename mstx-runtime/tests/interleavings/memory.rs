//! The memory that the bodies hand out and take back.

use super::*;

impl Model {
    pub(crate) fn is_free(&self, pool: usize, slots: &Range<usize>, but: Option<usize>) -> bool {
        let heap = &self.heaps[pool];
        let taken = self.ids(|region| region.memory && region.pool == pool && overlap(&region.slots, slots));
        heap.memory.start <= slots.start && slots.end <= heap.memory.end && taken.iter().all(|&id| Some(id) == but)
    }

    pub(crate) fn hand_out(&mut self, pool: usize, size: usize, from: usize, but: Option<usize>, ticket: usize) -> Option<usize> {
        let memory = self.heaps[pool].memory.clone();
        let fits = |&start: &usize| self.is_free(pool, &(start..start + size), but);
        let start = (memory.start + from..memory.end).find(fits).or_else(|| memory.clone().find(fits))?;
        self.regions.push(Some(Region {
            pool,
            slots: start..start + size,
            state: State::Fresh,
            memory: true,
            holder: Holder::Nobody,
            unsent: false,
            swept: false,
            doubtful: false,
            uncertain: false,
            waits: false,
            ticket,
            busy: false,
            heaps: 0,
        }));
        Some(self.regions.len() - 1)
    }
}
