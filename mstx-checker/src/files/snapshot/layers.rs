//! Which layers are taken, at each address.

use crate::recording::memory::{Full, Vec, filled};

/// How many layers there are: heaps that lie in each other as deep as that are a mistake.
const MOST: u32 = u64::BITS;

/// An address of a device.
pub(super) type Edge = (u32, u64);

/// Taken layers, a bit for each.
#[derive(Clone, Copy, Default)]
struct Node {
    /// By what covers the whole piece.
    own: u64,
    /// By anything in it.
    any: u64,
}

/// Layers: to take one, or to give it back, takes time that grows with the logarithm of the number of edges.
///
/// A tree over all edges at which something ever begins or ends, which are known beforehand.
pub(super) struct Layers {
    edges: Vec<Edge>,
    nodes: Vec<Node>,
    leaves: usize,
}

/// Some leaves of the tree.
#[derive(Clone, Copy)]
struct Piece {
    from: usize,
    to: usize,
}

impl Layers {
    /// Everything is free.
    pub(super) fn new(mut edges: Vec<Edge>) -> Result<Self, Full> {
        edges.sort_unstable();
        edges.dedup();
        let leaves = edges.len().next_power_of_two();
        Ok(Self { nodes: filled(Node::default(), leaves * 2)?, edges, leaves })
    }

    /// Takes the lowest layer that is free from one edge to another. Should there be none, the highest is shared.
    pub(super) fn take(&mut self, from: Edge, to: Edge) -> u32 {
        let piece = self.piece(from, to);
        let taken = self.taken(1, Piece { from: 0, to: self.leaves }, piece);
        let layer = taken.trailing_ones().min(MOST - 1);
        self.change(1, Piece { from: 0, to: self.leaves }, piece, &|own| own | 1 << layer);
        layer
    }

    /// Gives it back: the same as was taken.
    pub(super) fn free(&mut self, from: Edge, to: Edge, layer: u32) {
        let piece = self.piece(from, to);
        self.change(1, Piece { from: 0, to: self.leaves }, piece, &|own| own & !(1 << layer));
    }

    fn piece(&self, from: Edge, to: Edge) -> Piece {
        let place = |edge: Edge| self.edges.partition_point(|&known| known < edge);
        Piece { from: place(from), to: place(to) }
    }

    fn node(&self, number: usize) -> Node {
        self.nodes.get(number).copied().unwrap_or_default()
    }

    /// What is taken somewhere in a piece.
    fn taken(&self, number: usize, all: Piece, piece: Piece) -> u64 {
        if piece.to <= all.from || all.to <= piece.from {
            return 0;
        }
        let node = self.node(number);
        if piece.from <= all.from && all.to <= piece.to {
            return node.any;
        }
        let [lower, upper] = halves(all);
        node.own | self.taken(number * 2, lower, piece) | self.taken(number * 2 + 1, upper, piece)
    }

    fn change(&mut self, number: usize, all: Piece, piece: Piece, change: &impl Fn(u64) -> u64) {
        if piece.to <= all.from || all.to <= piece.from {
            return;
        }
        let mut node = self.node(number);
        if piece.from <= all.from && all.to <= piece.to {
            node.own = change(node.own);
        } else {
            let [lower, upper] = halves(all);
            self.change(number * 2, lower, piece, change);
            self.change(number * 2 + 1, upper, piece, change);
        }
        // Leaves have nothing below them.
        node.any = node.own | self.node(number * 2).any | self.node(number * 2 + 1).any;
        if let Some(place) = self.nodes.get_mut(number) {
            *place = node;
        }
    }
}

fn halves(all: Piece) -> [Piece; 2] {
    let middle = all.from.midpoint(all.to);
    [Piece { from: all.from, to: middle }, Piece { from: middle, to: all.to }]
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
