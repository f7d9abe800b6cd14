//! What covers which part of a line.

use crate::recording::memory::{Full, Vec, filled};

/// What is known of a piece of the line: of what covers all of it, and of what covers some of it.
pub(super) trait Piece<E>: Copy + Default {
    /// The same cover, and what follows from it and from the halves. A piece from one edge to the next has none.
    ///
    /// The piece has the places `from..to` of the line. There may be more places than edges; what is behind the last edge is empty.
    fn joined(self, halves: Option<[Self; 2]>, edges: &[E], from: usize, to: usize) -> Self;
}

/// A line: each change takes time that grows with the logarithm of the number of edges.
///
/// A tree over all edges at which something ever begins or ends, which are known beforehand.
pub(super) struct Line<E, P> {
    edges: Vec<E>,
    pieces: Vec<P>,
    places: usize,
}

impl<E: Ord, P: Piece<E>> Line<E, P> {
    /// Nothing is covered.
    pub(super) fn new(mut edges: Vec<E>) -> Result<Self, Full> {
        edges.sort_unstable();
        edges.dedup();
        let places = edges.len().saturating_sub(1).next_power_of_two();
        let mut line = Self { pieces: filled(P::default(), places * 2)?, edges, places };
        for number in (1..places * 2).rev() {
            // The pieces of a level have numbers from a power of two on.
            let level = 1 << number.ilog2();
            let width = places / level;
            line.join(number, (number - level) * width, width);
        }
        Ok(line)
    }

    /// The line as a whole.
    pub(super) fn whole(&self) -> P {
        self.piece(1)
    }

    /// Changes what covers the line from one edge to another.
    pub(super) fn change(&mut self, start: &E, end: &E, change: impl Fn(&mut P)) {
        let [from, to] = [start, end].map(|edge| self.place(edge));
        if from < to {
            self.change_piece(1, 0, self.places, [from, to], &change);
        }
    }

    /// Looks at what covers the line from one edge to another: at pieces that lie in there, and at larger ones (`false`), of which
    /// only the cover as a whole matters.
    pub(super) fn look(&self, start: &E, end: &E, mut at: impl FnMut(P, bool)) {
        let [from, to] = [start, end].map(|edge| self.place(edge));
        if from < to {
            self.look_at_piece(1, 0, self.places, [from, to], &mut at);
        }
    }

    fn place(&self, edge: &E) -> usize {
        self.edges.partition_point(|known| known < edge)
    }

    fn piece(&self, number: usize) -> P {
        self.pieces.get(number).copied().unwrap_or_default()
    }

    /// Changes the places `from..to` of a piece that has `width` of them, from `left` on.
    fn change_piece(&mut self, number: usize, left: usize, width: usize, [from, to]: [usize; 2], change: &impl Fn(&mut P)) {
        let right = left + width;
        if to <= left || right <= from {
            return;
        }
        if from <= left && right <= to {
            self.pieces.get_mut(number).into_iter().for_each(change);
        } else {
            let half = width / 2;
            self.change_piece(number * 2, left, half, [from, to], change);
            self.change_piece(number * 2 + 1, left + half, half, [from, to], change);
        }
        self.join(number, left, width);
    }

    fn look_at_piece(&self, number: usize, left: usize, width: usize, [from, to]: [usize; 2], at: &mut impl FnMut(P, bool)) {
        let right = left + width;
        if to <= left || right <= from {
            return;
        }
        let inside = from <= left && right <= to;
        at(self.piece(number), inside);
        if !inside {
            let half = width / 2;
            self.look_at_piece(number * 2, left, half, [from, to], at);
            self.look_at_piece(number * 2 + 1, left + half, half, [from, to], at);
        }
    }

    fn join(&mut self, number: usize, left: usize, width: usize) {
        let halves = (width > 1).then(|| [self.piece(number * 2), self.piece(number * 2 + 1)]);
        let joined = self.piece(number).joined(halves, &self.edges, left, left + width);
        if let Some(piece) = self.pieces.get_mut(number) {
            *piece = joined;
        }
    }
}
