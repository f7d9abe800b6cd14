//! The free space of a heap: how much, and the largest piece.

use crate::files::cover::{Line, Piece};
use crate::recording::memory::{Full, Vec};

/// What is free in a piece of the address space.
#[derive(Clone, Copy, Default)]
struct Free {
    /// How many cover the whole piece.
    covers: u32,
    /// At its beginning, in one piece.
    first: u64,
    /// At its end.
    last: u64,
    /// The largest piece.
    largest: u64,
    total: u64,
}

impl Piece<u64> for Free {
    fn joined(self, halves: Option<[Self; 2]>, addresses: &[u64], from: usize, to: usize) -> Self {
        let covers = self.covers;
        if covers > 0 {
            return Self { covers, ..Self::default() };
        }
        let Some([lower, upper]) = halves else {
            let all = length(addresses, from, to);
            return Self { covers, first: all, last: all, largest: all, total: all };
        };
        let middle = from.midpoint(to);
        let whole = |free: Self, from: usize, to: usize| free.total == length(addresses, from, to);
        Self {
            covers,
            first: if whole(lower, from, middle) { lower.total + upper.first } else { lower.first },
            last: if whole(upper, middle, to) { upper.total + lower.last } else { upper.last },
            largest: lower.largest.max(upper.largest).max(lower.last + upper.first),
            total: lower.total + upper.total,
        }
    }
}

/// How many bytes these places have. There may be more places than addresses; these have none.
fn length(addresses: &[u64], from: usize, to: usize) -> u64 {
    let last = addresses.len().saturating_sub(1);
    let at = |place: usize| addresses.get(place.min(last)).copied().unwrap_or(0);
    at(to) - at(from)
}

/// Free space. It takes anything, also what overlaps.
pub(super) struct Gaps(Line<u64, Free>);

impl Gaps {
    /// From the lowest to the highest address everything is free. All addresses at which something ever begins or ends are given.
    pub(super) fn new(addresses: Vec<u64>) -> Result<Self, Full> {
        Line::new(addresses).map(Self)
    }

    /// Something takes the space, from an address to another.
    pub(super) fn cover(&mut self, start: u64, end: u64) {
        self.0.change(&start, &end, |free| free.covers = free.covers.saturating_add(1));
    }

    /// It gives the space back: the same as it took.
    pub(super) fn uncover(&mut self, start: u64, end: u64) {
        self.0.change(&start, &end, |free| free.covers = free.covers.saturating_sub(1));
    }

    /// How much of the free space is not in its largest piece, from 0 to 1. `None` where nothing is free.
    pub(super) fn fragmentation(&self) -> Option<f64> {
        let Free { largest, total, .. } = self.0.whole();
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
