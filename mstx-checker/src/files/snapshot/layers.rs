//! Which layers are taken, at each address.

use crate::files::cover::{Line, Piece};
use crate::recording::memory::{Full, Vec};

/// How many layers there are: heaps that lie in each other as deep as that are a mistake.
const MOST: u32 = u64::BITS;

/// An address of a device.
pub(super) type Edge = (u32, u64);

/// Taken layers, a bit for each.
#[derive(Clone, Copy, Default)]
struct Taken {
    /// By what covers the whole piece.
    own: u64,
    /// By anything in it.
    any: u64,
}

impl Piece<Edge> for Taken {
    fn joined(self, halves: Option<[Self; 2]>, _: &[Edge], _: usize, _: usize) -> Self {
        let below = halves.map_or(0, |[lower, upper]| lower.any | upper.any);
        Self { any: self.own | below, ..self }
    }
}

/// Layers, of which what begins at an address takes one.
pub(super) struct Layers(Line<Edge, Taken>);

impl Layers {
    /// Everything is free. All edges at which something ever begins or ends are given.
    pub(super) fn new(edges: Vec<Edge>) -> Result<Self, Full> {
        Line::new(edges).map(Self)
    }

    /// Takes the lowest layer that is free from one edge to another. Should there be none, the highest is shared.
    pub(super) fn take(&mut self, from: Edge, to: Edge) -> u32 {
        let mut all = 0;
        self.0.look(&from, &to, |taken, inside| all |= if inside { taken.any } else { taken.own });
        let layer = all.trailing_ones().min(MOST - 1);
        self.0.change(&from, &to, |taken| taken.own |= 1 << layer);
        layer
    }

    /// Gives it back: the same as was taken.
    pub(super) fn free(&mut self, from: Edge, to: Edge, layer: u32) {
        self.0.change(&from, &to, |taken| taken.own &= !(1 << layer));
    }
}

#[cfg(test)]
mod tests {
    use super::Layers;
    use crate::recording::memory::vec;

    /// Against a list of what is taken.
    #[test]
    fn the_lowest_free_layer() {
        let mut dice = 1_u64;
        let mut roll = |sides: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) % sides
        };
        let mut edges = vec();
        for device in [0, 7] {
            edges.extend((0..=50).map(|address| (device, address)));
        }
        let Ok(mut layers) = Layers::new(edges) else { return };
        let mut live: Vec<(u32, u64, u64, u32)> = Vec::new();
        for _ in 0..3000 {
            if live.len() < 4 || (live.len() < 20 && roll(2) == 0) {
                let (device, start) = (u32::from(roll(2) == 0) * 7, roll(50));
                let end = (start + 1 + roll(20)).min(50);
                let free = |layer: &u32| {
                    live.iter().all(|&(on, from, to, taken)| on != device || to <= start || end <= from || taken != *layer)
                };
                let expected = (0..64).find(free);
                let layer = layers.take((device, start), (device, end));
                assert_eq!(Some(layer), expected, "{live:?}");
                live.push((device, start, end, layer));
            } else {
                let which = usize::try_from(roll(live.len() as u64)).unwrap_or(0);
                let (device, start, end, layer) = live.swap_remove(which);
                layers.free((device, start), (device, end), layer);
            }
        }
    }

    #[test]
    fn nothing_at_all() {
        let Ok(mut layers) = Layers::new(vec()) else { return };
        assert_eq!(layers.take((0, 1), (0, 2)), 0);
        layers.free((0, 1), (0, 2), 0);
    }
}
