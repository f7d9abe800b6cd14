//! The regions that one call reports, as addresses and sizes.

use super::memory::Few;

/// One region as the user's value tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    /// `None` where the type does not know it.
    pub(crate) size: Option<usize>,
}

/// What a value stands for.
#[derive(Debug)]
pub struct Spans {
    list: Few<Span>,
    same_place: bool,
    lost: bool,
}

impl Spans {
    pub(crate) const fn new() -> Self {
        Self { list: Few::new(), same_place: false, lost: false }
    }

    /// A resize that moved nothing.
    pub(crate) const fn same_place() -> Self {
        Self { list: Few::new(), same_place: true, lost: false }
    }

    pub(crate) const fn is_same_place(&self) -> bool {
        self.same_place
    }

    /// Whether there was no memory for all of them.
    pub(crate) const fn is_lost(&self) -> bool {
        self.lost
    }

    /// The region, if it is just one, and nothing was lost.
    pub(crate) fn only(&self) -> Option<Span> {
        let mut spans = self.iter();
        spans.next().filter(|_| !self.lost && spans.next().is_none())
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn push(&mut self, start: usize, size: Option<usize>) {
        self.lost |= self.list.add(Span { start, size }).is_err();
    }

    pub(crate) fn append(&mut self, other: &Self) {
        self.lost |= other.lost;
        for Span { start, size } in other.iter() {
            self.push(start, size);
        }
    }

    /// Gives those behind the first `skip` the size `bytes`.
    pub(crate) fn resize_from(&mut self, skip: usize, bytes: usize) {
        for span in self.list.iter_mut().skip(skip) {
            span.size = Some(bytes);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Span> {
        self.list.iter().copied()
    }
}
