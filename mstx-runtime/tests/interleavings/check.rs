//! What the tool should know, and whether it does.

use super::*;

impl Model {
    /// A region, or its pieces beside the heaps on it.
    pub(crate) fn pieces(&self, id: usize) -> Vec<Range<usize>> {
        let region = self.regions[id].as_ref().unwrap();
        let on = |heap: &&Heap| heap.on == Some(id) && heap.standing == Standing::Live;
        let mut on: Vec<_> = self.heaps.iter().filter(on).map(|heap| heap.memory.start..heap.told).collect();
        on.sort_by_key(|heap| heap.start);
        let mut pieces = Vec::new();
        let mut at = region.slots.start;
        on.push(region.slots.end..region.slots.end);
        for heap in on {
            if at < heap.start {
                pieces.push(at..heap.start);
            }
            at = heap.end;
        }
        pieces
    }

    pub(crate) fn must_know(&self, region: &Region) -> bool {
        let live = region.state == State::Live && region.memory;
        live && !region.swept && !region.uncertain && !region.waits && region.holder == Holder::Nobody
    }

    pub(crate) fn may_know(region: &Region) -> bool {
        let known = match region.state {
            State::Live => !region.swept && !region.waits,
            State::Moved | State::Phantom => !region.waits,
            State::Leaving | State::Fresh => false,
        };
        known && !region.unsent
    }

    pub(crate) fn check(&mut self, step: impl fmt::Debug) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.world.wrong(), (0, 0, None), "after {:?}: {:#?}", step, self.history);
        let known = self.world.live();
        let mut may: Vec<_> = self.dead.iter().map(|dead| dead.slots.clone()).collect();
        may.extend(self.ghosts.iter().cloned());
        for id in self.ids(Self::may_know) {
            may.extend(self.pieces(id));
        }
        for slots in &known {
            prop_assert!(may.contains(slots), "{:?} is at the tool after {:?} in {:#?}", slots, step, self.history);
        }
        for id in self.ids(|region| self.must_know(region)) {
            for piece in self.pieces(id) {
                prop_assert!(known.contains(&piece), "{:?} is not at the tool after {:?} in {:#?}", piece, step, self.history);
            }
        }
        self.check_heaps(&step)?;
        self.check_shadow(&step)
    }

    /// The tool's heaps are no larger than the memory held.
    pub(crate) fn check_heaps(&mut self, step: &impl fmt::Debug) -> Result<(), TestCaseError> {
        for call in self.world.told() {
            let Some((kind, slots)) = call.split_once(' ') else { continue };
            let Some((start, end)) = slots.split_once("..") else { continue };
            match (kind, start.parse::<usize>(), end.parse::<usize>()) {
                ("heap", Ok(start), Ok(end)) => self.told.push(start..end),
                ("end", Ok(start), Ok(end)) => self.told.retain(|told| *told != (start..end)),
                _ => {}
            }
        }
        for told in &self.told {
            let held = |heap: &Heap| heap.memory.start == told.start && told.end <= heap.memory.end;
            prop_assert!(self.heaps.iter().any(held), "the tool has the heap {:?} after {:?}: {:#?}", told, step, self.history);
        }
        Ok(())
    }

    /// Where nothing is pending or in doubt, a slot is accessible just where the innermost heap has a live region.
    pub(crate) fn check_shadow(&self, step: &impl fmt::Debug) -> Result<(), TestCaseError> {
        let plain = |region: &Region| {
            let fresh = region.state == State::Fresh || region.state == State::Leaving;
            fresh || self.must_know(region) || (region.state == State::Live && region.swept)
        };
        let begun = |heap: &&Heap| heap.standing == Standing::Live;
        if !self.dead.is_empty() || !self.ghosts.is_empty() || !self.ids(|region| !plain(region)).is_empty() {
            return Ok(());
        }
        for slot in 0..PLACES[2].end {
            let around = self.heaps.iter().enumerate().filter(|(_, heap)| begun(heap));
            let around = around.filter(|(_, heap)| (heap.memory.start..heap.told).contains(&slot));
            let depth = |mut pool: usize| {
                let mut depth = 0;
                while let Some(on) = self.heaps[pool].on {
                    (pool, depth) = (self.regions[on].as_ref().unwrap().pool, depth + 1);
                }
                depth
            };
            let Some((innermost, _)) = around.max_by_key(|&(pool, _)| depth(pool)) else { continue };
            let here = self.ids(|region| region.pool == innermost && self.must_know(region) && region.slots.contains(&slot));
            let accessible = self.world.accessible(slot);
            prop_assert_eq!(accessible, Some(!here.is_empty()), "slot {} after {:?} in {:#?}", slot, step, self.history);
        }
        Ok(())
    }
}
