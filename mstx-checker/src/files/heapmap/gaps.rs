//! The free space of a heap: how much, and the largest piece.

use crate::recording::memory::{Full, Vec, filled};

/// What is free in a piece of the address space.
#[derive(Clone, Copy, Default)]
struct Free {
    /// At its beginning, in one piece.
    first: u64,
    /// At its end.
    last: u64,
    /// The largest piece.
    largest: u64,
    total: u64,
}

#[derive(Clone, Copy, Default)]
struct Node {
    /// How many cover the whole piece.
    covers: u32,
    free: Free,
}

/// Free space: each change takes time that grows with the logarithm of the number of addresses.
///
/// A tree over all addresses at which something ever begins or ends, which are known beforehand. It takes anything, also what
/// overlaps.
pub(super) struct Gaps {
    addresses: Vec<u64>,
    nodes: Vec<Node>,
    leaves: usize,
}

impl Gaps {
    /// From the lowest to the highest address everything is free.
    pub(super) fn new(mut addresses: Vec<u64>) -> Result<Self, Full> {
        addresses.sort_unstable();
        addresses.dedup();
        let leaves = addresses.len().saturating_sub(1).next_power_of_two();
        let mut gaps = Self { nodes: filled(Node::default(), leaves * 2)?, addresses, leaves };
        for number in (1..leaves * 2).rev() {
            // The nodes of a level have numbers from a power of two on.
            let level = 1 << number.ilog2();
            let width = leaves / level;
            let free = gaps.free(number, (number - level) * width, width);
            if let Some(node) = gaps.nodes.get_mut(number) {
                node.free = free;
            }
        }
        Ok(gaps)
    }

    /// Something takes the space, from an address to another.
    pub(super) fn cover(&mut self, start: u64, end: u64) {
        self.change(start, end, |covers| covers.saturating_add(1));
    }

    /// It gives the space back: the same as it took.
    pub(super) fn uncover(&mut self, start: u64, end: u64) {
        self.change(start, end, |covers| covers.saturating_sub(1));
    }

    fn change(&mut self, start: u64, end: u64, change: fn(u32) -> u32) {
        let place = |address| self.addresses.partition_point(|&known| known < address);
        let (from, to) = (place(start), place(end));
        if from < to {
            self.update(1, 0, self.leaves, from, to, change);
        }
    }

    /// Changes the leaves `from..to` of a node that has those from `left` on.
    fn update(&mut self, node: usize, left: usize, width: usize, from: usize, to: usize, change: fn(u32) -> u32) {
        let right = left + width;
        if to <= left || right <= from {
            return;
        }
        if from <= left && right <= to {
            if let Some(node) = self.nodes.get_mut(node) {
                node.covers = change(node.covers);
            }
        } else {
            let half = width / 2;
            self.update(node * 2, left, half, from, to, change);
            self.update(node * 2 + 1, left + half, half, from, to, change);
        }
        let free = self.free(node, left, width);
        if let Some(node) = self.nodes.get_mut(node) {
            node.free = free;
        }
    }

    /// What is free in a node, from what is free in its halves.
    fn free(&self, node: usize, left: usize, width: usize) -> Free {
        let all = self.length(left, left + width);
        if self.nodes.get(node).is_none_or(|node| node.covers > 0) {
            return Free::default();
        }
        if width == 1 {
            return Free { first: all, last: all, largest: all, total: all };
        }
        let half = width / 2;
        let of = |node: usize| self.nodes.get(node).map(|node| node.free).unwrap_or_default();
        let (lower, upper) = (of(node * 2), of(node * 2 + 1));
        let whole = |free: Free, from: usize| free.total == self.length(from, from + half);
        Free {
            first: if whole(lower, left) { lower.total + upper.first } else { lower.first },
            last: if whole(upper, left + half) { upper.total + lower.last } else { upper.last },
            largest: lower.largest.max(upper.largest).max(lower.last + upper.first),
            total: lower.total + upper.total,
        }
    }

    /// How many bytes the leaves have. There may be more leaves than addresses; these have none.
    fn length(&self, from: usize, to: usize) -> u64 {
        let last = self.addresses.len().saturating_sub(1);
        let at = |place: usize| self.addresses.get(place.min(last)).copied().unwrap_or(0);
        at(to) - at(from)
    }

    /// How much of the free space is not in its largest piece, from 0 to 1. `None` where nothing is free.
    pub(super) fn fragmentation(&self) -> Option<f64> {
        let Free { largest, total, .. } = self.nodes.get(1)?.free;
        (total > 0).then(|| 1.0 - largest as f64 / total as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::Gaps;
    use crate::recording::memory::vec;

    /// Against a heap of which each byte is looked at.
    #[test]
    fn gaps_are_what_is_left() {
        let mut dice = 1_u64;
        let mut roll = |sides: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) % sides
        };
        let mut addresses = vec();
        addresses.extend(1000..=1100);
        let Ok(mut gaps) = Gaps::new(addresses) else { return };
        assert_eq!(gaps.fragmentation(), Some(0.0));
        let mut bytes = [0_u32; 100];
        let mut live = Vec::new();
        for _ in 0..2000 {
            if live.len() < 8 || roll(2) == 0 {
                let start = roll(100);
                let end = (start + 1 + roll(20)).min(100);
                live.push((start, end));
                gaps.cover(1000 + start, 1000 + end);
                (start..end).for_each(|byte| bytes[byte as usize] += 1);
            } else {
                let (start, end) = live.swap_remove(roll(live.len() as u64) as usize);
                gaps.uncover(1000 + start, 1000 + end);
                (start..end).for_each(|byte| bytes[byte as usize] -= 1);
            }
            let total = bytes.iter().filter(|&&byte| byte == 0).count();
            let largest = bytes.split(|&byte| byte > 0).map(<[u32]>::len).max().unwrap_or(0);
            let expected = (total > 0).then(|| 1.0 - largest as f64 / total as f64);
            assert_eq!(gaps.fragmentation(), expected, "{bytes:?}");
        }
    }

    #[test]
    fn nothing_at_all() {
        assert_eq!(Gaps::new(vec()).map(|gaps| gaps.fragmentation()), Ok(None));
    }
}
