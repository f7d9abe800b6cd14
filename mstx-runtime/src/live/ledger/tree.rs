//! An ordered map from addresses, on the system allocator.
//!
//! A B+ tree whose nodes lie in two vectors and name each other by index: no `unsafe`, one allocation in many insertions, and
//! neighbours (which every overlap check asks for) side by side. The standard `BTreeMap` cannot be told which
//! allocator to use.

use core::array;
use core::ops::Range;

use crate::live::memory::{Full, Vec, vec};

/// Entries of a leaf: four cache lines of keys.
const LEAF: usize = 32;
/// Children of an inner node.
const INNER: usize = LEAF;
/// At least so many entries are moved to a neighbour that has room; so much room is left when two leaves are merged.
const SHARED: usize = 2;
/// Deeper than any tree that fits into memory: 32 to the 8th leaves.
const DEPTH: usize = 8;
/// No node.
const NONE: u32 = u32::MAX;

/// How many of the first `length` places have what is `below`, which are the first ones. It is asked of places that are not one beside
/// the other first, so that memory that is not in the cache is fetched from all of them at once; then of those in one cache line.
#[inline(always)]
fn rank(length: usize, below: impl Fn(usize) -> bool) -> usize {
    let is = |place: usize| usize::from(place < length && below(place));
    let line = (is(7) + is(15) + is(23)) * 8;
    line + (line..line + 8).map(|place| is(place % LEAF)).sum::<usize>()
}

/// The keys are in order, the values stay where they were put: a leaf in the middle of which something comes or goes is not moved
/// about as a whole. What is looked at first lies in one cache line.
#[repr(C, align(64))]
struct Leaf<V> {
    length: usize,
    before: u32,
    after: u32,
    /// Where the value of each key is; then the places that are free.
    places: [u8; LEAF],
    keys: [usize; LEAF],
    values: [V; LEAF],
}

struct Inner {
    length: usize,
    /// `keys[i]` is at most the smallest key below `children[i]`; `keys[0]` is not looked at.
    keys: [usize; INNER],
    children: [u32; INNER],
}

/// A vector whose free places are used again.
struct Nodes<N> {
    nodes: Vec<N>,
    free: Vec<u32>,
}

impl<N> Nodes<N> {
    const fn new() -> Self {
        Self { nodes: vec(), free: vec() }
    }

    /// Makes sure that the next `more` nodes can be added, and that all can be given back.
    fn reserve(&mut self, more: usize) -> Result<(), Full> {
        let total = self.nodes.len() + more;
        self.nodes.try_reserve(more.saturating_sub(self.free.len())).map_err(|_| Full)?;
        self.free.try_reserve(total.saturating_sub(self.free.len())).map_err(|_| Full)
    }

    fn add(&mut self, node: N) -> u32 {
        if let Some(index) = self.free.pop() {
            self.nodes[index as usize] = node;
            return index;
        }
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).unwrap_or(NONE)
    }

    fn remove(&mut self, index: u32) {
        self.free.push(index);
    }

    fn get(&self, index: u32) -> &N {
        &self.nodes[index as usize]
    }

    fn get_mut(&mut self, index: u32) -> &mut N {
        &mut self.nodes[index as usize]
    }

    /// Two different ones.
    fn two(&mut self, one: u32, other: u32) -> (&mut N, &mut N) {
        let (one, other) = (one as usize, other as usize);
        let (low, high) = self.nodes.split_at_mut(one.max(other));
        if one < other { (&mut low[one], &mut high[0]) } else { (&mut high[0], &mut low[other]) }
    }
}

/// The way from the root to a leaf: an inner node and the place of the child in it, for each level.
#[derive(Clone, Copy)]
struct Path {
    steps: [(u32, usize); DEPTH],
    leaf: u32,
}

/// Where a key is in the tree, or would be; until the tree is changed.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    leaf: u32,
    place: usize,
}

/// An ordered map from addresses to `V`.
pub(crate) struct Tree<V> {
    leaves: Nodes<Leaf<V>>,
    inner: Nodes<Inner>,
    root: u32,
    height: usize,
    length: usize,
}

impl<V: Copy + Default> Tree<V> {
    pub(crate) const fn new() -> Self {
        Self { leaves: Nodes::new(), inner: Nodes::new(), root: NONE, height: 0, length: 0 }
    }

    pub(crate) const fn len(&self) -> usize {
        self.length
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    fn path(&self, key: usize) -> Option<Path> {
        if self.root == NONE {
            return None;
        }
        let mut steps = [(NONE, 0); DEPTH];
        let mut node = self.root;
        for step in steps.iter_mut().take(self.height) {
            let inner = self.inner.get(node);
            let place = inner.child(key);
            *step = (node, place);
            node = inner.children[place];
        }
        Some(Path { steps, leaf: node })
    }

    /// Where the first entry at or after `key` is.
    pub(crate) fn spot(&self, key: usize) -> Spot {
        let mut node = self.root;
        if node == NONE {
            return Spot { leaf: NONE, place: 0 };
        }
        for _ in 0..self.height {
            let inner = self.inner.get(node);
            node = inner.children[inner.child(key)];
        }
        let leaf = self.leaves.get(node);
        Spot { leaf: node, place: rank(leaf.length, |place| leaf.keys[place] < key) }
    }

    fn leaf(&self, index: u32) -> Option<&Leaf<V>> {
        (index != NONE).then(|| self.leaves.get(index))
    }

    /// The last entry before a spot.
    pub(crate) fn before(&self, spot: &Spot) -> Option<(usize, &V)> {
        let leaf = self.leaf(spot.leaf)?;
        if spot.place > 0 {
            return Some(leaf.entry(spot.place - 1));
        }
        // No leaf is empty, so one step is enough.
        self.leaf(leaf.before).map(|before| before.entry(before.length - 1))
    }

    /// The first entry from a spot on.
    pub(crate) fn after(&self, spot: &Spot) -> Option<(usize, &V)> {
        let leaf = self.leaf(spot.leaf)?;
        if spot.place < leaf.length {
            return Some(leaf.entry(spot.place));
        }
        self.leaf(leaf.after).map(|after| after.entry(0))
    }

    /// The entry at exactly `key`.
    pub(crate) fn get(&self, key: usize) -> Option<&V> {
        self.after(&self.spot(key)).filter(|&(at, _)| at == key).map(|(_, value)| value)
    }

    /// The entry at exactly `key`, to be changed.
    pub(crate) fn get_mut(&mut self, key: usize) -> Option<&mut V> {
        let Spot { leaf, place } = self.spot(key);
        self.leaf(leaf)?;
        let leaf = self.leaves.get_mut(leaf);
        // An entry at `key` is in the leaf that the way to `key` leads to.
        leaf.is_at(place, key).then(|| leaf.value_mut(place))
    }

    /// The entry at exactly `key`, if it is at a spot that may be an old one.
    pub(crate) fn at(&mut self, spot: &Spot, key: usize) -> Option<&mut V> {
        // A leaf that is not in the tree any more has no entries.
        let leaf = self.leaves.nodes.get_mut(spot.leaf as usize)?;
        leaf.is_at(spot.place, key).then(|| leaf.value_mut(spot.place))
    }

    /// The last entry at or before `key`.
    pub(crate) fn floor(&self, key: usize) -> Option<(usize, V)> {
        let spot = self.spot(key);
        let here = self.after(&spot).filter(|&(at, _)| at == key);
        here.or_else(|| self.before(&spot)).map(|(at, value)| (at, *value))
    }

    /// The first entry at or after `key`.
    pub(crate) fn ceil(&self, key: usize) -> Option<(usize, V)> {
        self.after(&self.spot(key)).map(|(at, value)| (at, *value))
    }

    /// Adds an entry, or replaces the one at `key`.
    pub(crate) fn insert(&mut self, key: usize, value: V) -> Result<(), Full> {
        let spot = self.spot(key);
        self.insert_at(&spot, key, value)
    }

    /// The same, where `spot` is that of `key`.
    pub(crate) fn insert_at(&mut self, spot: &Spot, key: usize, value: V) -> Result<(), Full> {
        if spot.leaf != NONE {
            let leaf = self.leaves.get_mut(spot.leaf);
            if leaf.is_at(spot.place, key) {
                *leaf.value_mut(spot.place) = value;
                return Ok(());
            }
            if leaf.length < LEAF {
                leaf.insert(spot.place, key, value);
                self.length += 1;
                return Ok(());
            }
        }
        self.grow(spot.place, key, value)
    }

    /// Adds an entry at `place` of a leaf that is full, or none.
    #[cold]
    fn grow(&mut self, place: usize, key: usize, value: V) -> Result<(), Full> {
        // Everything that may be needed is asked for before anything is changed.
        self.leaves.reserve(1)?;
        self.inner.reserve(self.height + 1)?;
        let Some(path) = self.path(key) else {
            self.root = self.leaves.add(Leaf::one(key, value, NONE, NONE));
            self.length = 1;
            return Ok(());
        };
        if self.share(&path) {
            // There is room now, here or beside.
            return self.insert(key, value);
        }
        self.split(&path, place, key, value);
        self.length += 1;
        Ok(())
    }

    /// Moves some entries of a full leaf to the one beside it, where both have the same parent and there is room. Leaves are fuller
    /// for it than if each were split when it is full.
    fn share(&mut self, path: &Path) -> bool {
        let Some(level) = self.height.checked_sub(1) else { return false };
        let (node, child) = path.steps[level];
        let inner = self.inner.get_mut(node);
        if let Some(left) = child.checked_sub(1).map(|left| inner.children[left]) {
            let (left, leaf) = self.leaves.two(left, path.leaf);
            let count = (LEAF - left.length) / 2;
            if count >= SHARED {
                left.put(left.length, leaf, 0..count);
                leaf.cut(0..count);
                inner.keys[child] = leaf.keys[0];
                return true;
            }
        }
        if child + 1 < inner.length {
            let (right, leaf) = self.leaves.two(inner.children[child + 1], path.leaf);
            let count = (LEAF - right.length) / 2;
            if count >= SHARED {
                right.put(0, leaf, LEAF - count..LEAF);
                leaf.length -= count;
                inner.keys[child + 1] = right.keys[0];
                return true;
            }
        }
        false
    }

    /// Adds an entry at `place` of a full leaf.
    fn split(&mut self, path: &Path, place: usize, key: usize, value: V) {
        let old = self.leaves.get_mut(path.leaf);
        let after = old.after;
        // A pool that hands out rising addresses fills each leaf to the end.
        let at_end = place == LEAF && after == NONE;
        let keep = if at_end { LEAF } else { LEAF / 2 };
        let mut new = Leaf::one(key, value, path.leaf, after);
        if !at_end {
            new.length = 0;
            new.put(0, old, keep..LEAF);
            old.length = keep;
            if place <= keep {
                old.insert(place, key, value);
            } else {
                new.insert(place - keep, key, value);
            }
        }
        let low = new.keys[0];
        let index = self.leaves.add(new);
        self.leaves.get_mut(path.leaf).after = index;
        if after != NONE {
            self.leaves.get_mut(after).before = index;
        }
        self.add_child(path, low, index);
    }

    /// Adds a child behind the one that the path goes through, on the lowest level of inner nodes, and up as far as needed.
    fn add_child(&mut self, path: &Path, mut low: usize, mut child: u32) {
        for level in (0..self.height).rev() {
            let (node, place) = path.steps[level];
            let inner = self.inner.get_mut(node);
            if inner.length < INNER {
                inner.insert(place + 1, low, child);
                return;
            }
            let keep = if place + 1 == INNER { INNER - 1 } else { INNER / 2 };
            let mut new = Inner { length: INNER - keep, keys: [0; INNER], children: [NONE; INNER] };
            new.keys[..INNER - keep].copy_from_slice(&inner.keys[keep..]);
            new.children[..INNER - keep].copy_from_slice(&inner.children[keep..]);
            inner.length = keep;
            if place < keep {
                inner.insert(place + 1, low, child);
            } else {
                new.insert(place + 1 - keep, low, child);
            }
            low = new.keys[0];
            child = self.inner.add(new);
        }
        let mut root = Inner { length: 1, keys: [0; INNER], children: [NONE; INNER] };
        root.children[0] = self.root;
        root.insert(1, low, child);
        self.root = self.inner.add(root);
        self.height += 1;
    }

    /// Takes the entry at exactly `key` out.
    pub(crate) fn remove(&mut self, key: usize) -> Option<V> {
        let spot = self.spot(key);
        self.remove_at(&spot, key)
    }

    /// The same, where `spot` is that of `key`.
    pub(crate) fn remove_at(&mut self, spot: &Spot, key: usize) -> Option<V> {
        let place = spot.place;
        self.leaf(spot.leaf)?;
        let leaf = self.leaves.get_mut(spot.leaf);
        if !leaf.is_at(place, key) {
            return None;
        }
        let value = *leaf.value_mut(place);
        leaf.cut(place..place + 1);
        self.length -= 1;
        let (length, before, after) = (leaf.length, leaf.before, leaf.after);
        if length < LEAF / 2 {
            self.shrink(key, length, before, after);
        }
        Some(value)
    }

    /// Sees to a leaf that has few entries left, or none, where `key` was.
    #[cold]
    fn shrink(&mut self, key: usize, length: usize, before: u32, after: u32) {
        let Some(path) = self.path(key) else { return };
        if length == 0 {
            self.unlink(&path, before, after);
        } else {
            self.merge(&path);
        }
    }

    /// Makes one leaf of a leaf and the one beside it, where both have the same parent and some room is left then.
    fn merge(&mut self, path: &Path) {
        let Some(level) = self.height.checked_sub(1) else { return };
        let (node, child) = path.steps[level];
        let inner = self.inner.get(node);
        let fits = |child: usize| {
            let both = self.leaves.get(inner.children[child]).length + self.leaves.get(inner.children[child + 1]).length;
            both <= LEAF - 2 * SHARED
        };
        let before = child.checked_sub(1).filter(|&left| fits(left));
        let Some(left) = before.or_else(|| Some(child).filter(|&left| left + 1 < inner.length && fits(left))) else { return };
        let (target, source) = (inner.children[left], inner.children[left + 1]);
        let (into, from) = self.leaves.two(target, source);
        into.put(into.length, from, 0..from.length);
        let after = from.after;
        let mut path = *path;
        (path.leaf, path.steps[level]) = (source, (node, left + 1));
        self.unlink(&path, target, after);
    }

    /// Takes the leaf of the path out of the tree.
    fn unlink(&mut self, path: &Path, before: u32, after: u32) {
        if before != NONE {
            self.leaves.get_mut(before).after = after;
        }
        if after != NONE {
            self.leaves.get_mut(after).before = before;
        }
        self.leaves.get_mut(path.leaf).length = 0;
        self.leaves.remove(path.leaf);
        for level in (0..self.height).rev() {
            let (node, place) = path.steps[level];
            let inner = self.inner.get_mut(node);
            inner.keys.copy_within(place + 1..inner.length, place);
            inner.children.copy_within(place + 1..inner.length, place);
            inner.length -= 1;
            if inner.length > 0 {
                return self.lower_root();
            }
            self.inner.remove(node);
        }
        self.root = NONE;
        self.height = 0;
    }

    /// A root with one child is none.
    fn lower_root(&mut self) {
        while self.height > 0 && self.inner.get(self.root).length == 1 {
            let child = self.inner.get(self.root).children[0];
            self.inner.remove(self.root);
            self.root = child;
            self.height -= 1;
        }
    }
}

impl<V: Copy + Default> Leaf<V> {
    fn one(key: usize, value: V, before: u32, after: u32) -> Self {
        let places = array::from_fn(|place| u8::try_from(place).unwrap_or_default());
        let values = array::from_fn(|_| V::default());
        let mut leaf = Self { length: 0, before, after, places, keys: [0; LEAF], values };
        leaf.insert(0, key, value);
        leaf
    }

    fn is_at(&self, place: usize, key: usize) -> bool {
        place < self.length && self.keys[place] == key
    }

    fn entry(&self, place: usize) -> (usize, &V) {
        (self.keys[place], &self.values[usize::from(self.places[place])])
    }

    fn value_mut(&mut self, place: usize) -> &mut V {
        &mut self.values[usize::from(self.places[place])]
    }

    fn insert(&mut self, place: usize, key: usize, value: V) {
        let free = self.places[self.length];
        self.keys.copy_within(place..self.length, place + 1);
        self.places.copy_within(place..self.length, place + 1);
        (self.keys[place], self.places[place]) = (key, free);
        self.values[usize::from(free)] = value;
        self.length += 1;
    }

    /// Puts entries of another leaf in at `place`.
    fn put(&mut self, place: usize, from: &Self, entries: Range<usize>) {
        for (number, entry) in entries.enumerate() {
            let (key, &value) = from.entry(entry);
            self.insert(place + number, key, value);
        }
    }

    /// Takes entries out.
    fn cut(&mut self, entries: Range<usize>) {
        let count = entries.len();
        self.keys.copy_within(entries.end..self.length, entries.start);
        self.places[entries.start..self.length].rotate_left(count);
        self.length -= count;
    }
}

impl Inner {
    /// The place of the child in which a key would be.
    fn child(&self, key: usize) -> usize {
        rank(self.length, |place| place == 0 || self.keys[place] <= key) - 1
    }

    fn insert(&mut self, place: usize, low: usize, child: u32) {
        self.keys.copy_within(place..self.length, place + 1);
        self.children.copy_within(place..self.length, place + 1);
        self.keys[place] = low;
        self.children[place] = child;
        self.length += 1;
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test")]
mod tests {
    use std::collections::BTreeMap;
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::Tree;

    #[derive(Clone, Debug)]
    enum Operation {
        Insert(usize, u32),
        Remove(usize),
        Floor(usize),
        Ceil(usize),
        /// Many in a row, so that the tree gets a few levels deep and empty again.
        Fill(usize, usize),
        Drain(usize, usize),
    }

    fn operation() -> impl Strategy<Value = Operation> {
        prop_oneof![
            (0..4000_usize, any::<u32>()).prop_map(|(key, value)| Operation::Insert(key, value)),
            (0..4000_usize).prop_map(Operation::Remove),
            (0..4000_usize).prop_map(Operation::Floor),
            (0..4000_usize).prop_map(Operation::Ceil),
            (0..4000_usize, 0..2500_usize).prop_map(|(from, count)| Operation::Fill(from, count)),
            (0..4000_usize, 0..2500_usize).prop_map(|(from, count)| Operation::Drain(from, count)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn behaves_like_the_standard_map(operations in proptest::collection::vec(operation(), 1..80)) {
            let mut tree = Tree::new();
            let mut model = BTreeMap::new();
            for operation in operations {
                match operation {
                    Operation::Insert(key, value) => {
                        tree.insert(key, value).unwrap();
                        model.insert(key, value);
                    }
                    Operation::Remove(key) => prop_assert_eq!(tree.remove(key), model.remove(&key)),
                    Operation::Floor(key) => {
                        prop_assert_eq!(tree.floor(key), model.range(..=key).next_back().map(|(k, v)| (*k, *v)));
                    }
                    Operation::Ceil(key) => {
                        prop_assert_eq!(tree.ceil(key), model.range(key..).next().map(|(k, v)| (*k, *v)));
                    }
                    Operation::Fill(from, count) => {
                        for key in from..from + count {
                            tree.insert(key, 7).unwrap();
                            model.insert(key, 7);
                        }
                    }
                    Operation::Drain(from, count) => {
                        for key in (from..from + count).rev() {
                            prop_assert_eq!(tree.remove(key), model.remove(&key));
                        }
                    }
                }
                prop_assert_eq!(tree.len(), model.len());
                let after = |key: usize| tree.ceil(key);
                let entries = std::iter::successors(after(0), |(key, _)| after(key + 1)).collect::<Vec<_>>();
                prop_assert_eq!(entries, model.iter().map(|(k, v)| (*k, *v)).collect::<Vec<_>>());
            }
        }
    }
}
