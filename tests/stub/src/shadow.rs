//! What msSanitizer knows of each byte, kept as intervals.

use std::collections::BTreeMap;

/// Bytes are accessible, not accessible, or of no heap that was painted.
#[derive(Default)]
pub(crate) struct Shadow {
    /// Start of an interval to its end and its colour; no two touch each other's bytes.
    painted: BTreeMap<u64, (u64, bool)>,
}

impl Shadow {
    /// Gives `[start, end)` a colour.
    pub(crate) fn paint(&mut self, start: u64, end: u64, accessible: bool) {
        if start < end {
            self.clear(start, end);
            self.painted.insert(start, (end, accessible));
        }
    }

    /// Forgets `[start, end)`.
    pub(crate) fn clear(&mut self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        self.split(start);
        self.split(end);
        let inside: Vec<u64> = self.painted.range(start..end).map(|(start, _)| *start).collect();
        for start in inside {
            self.painted.remove(&start);
        }
    }

    /// Makes sure that no interval has `at` in its middle.
    fn split(&mut self, at: u64) {
        let before = self.painted.range_mut(..at).next_back();
        if let Some((_, interval)) = before.filter(|(_, interval)| interval.0 > at) {
            let rest = *interval;
            interval.0 = at;
            self.painted.insert(at, rest);
        }
    }

    /// Whether all of `[start, end)` may be accessed; nothing if some of it was never painted, or it is empty.
    pub(crate) fn accessible(&self, start: u64, end: u64) -> Option<bool> {
        let before = self.painted.range(..=start).next_back();
        let after = self.painted.range(start.checked_add(1)?..end.max(start + 1));
        let (mut all, mut known) = (true, start);
        for (from, (to, colour)) in before.into_iter().chain(after) {
            if *to <= start {
                continue;
            }
            if *from > known {
                return None;
            }
            all &= *colour;
            known = *to;
        }
        (start < end && known >= end).then_some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_byte_map() {
        let mut shadow = Shadow::default();
        let mut bytes = [None; 64];
        let mut random = 1u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % below
        };
        for _ in 0..2000 {
            let start = next(63);
            let end = start + 1 + next(63 - start);
            let colour = [Some(true), Some(false), None][next(3) as usize];
            match colour {
                Some(accessible) => shadow.paint(start, end, accessible),
                None => shadow.clear(start, end),
            }
            bytes[start as usize..end as usize].fill(colour);
            let from = next(63);
            let to = from + 1 + next(63 - from);
            let part = &bytes[from as usize..to as usize];
            let expected = part.iter().copied().collect::<Option<Vec<bool>>>();
            let expected = expected.map(|part| part.iter().all(|accessible| *accessible));
            assert_eq!(shadow.accessible(from, to), expected, "[{from}, {to})");
        }
    }

    #[test]
    fn nothing_is_known_of_nothing() {
        let mut shadow = Shadow::default();
        shadow.paint(10, 20, true);
        assert_eq!(shadow.accessible(15, 15), None);
        assert_eq!(shadow.accessible(15, 21), None);
        assert_eq!(shadow.accessible(10, 20), Some(true));
    }
}
