//! From addresses to heights.

use super::layout::MAP;
use crate::recording::memory::{Full, Vec, add, vec};

/// A part of the address space that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) start: u64,
    pub(super) end: u64,
    /// How many bytes are shown below it.
    pub(super) below: u64,
}

/// The addresses that a panel shows: one part of the address space, or several with nothing in between.
pub(super) struct Addresses {
    pub(super) parts: Vec<Part>,
    /// How many bytes are shown; at least 1.
    pub(super) length: u64,
}

impl Addresses {
    /// From an address to another.
    pub(super) fn one(start: u64, length: u64) -> Result<Self, Full> {
        let length = length.max(1);
        let mut parts = vec();
        add(&mut parts, Part { start, end: start.saturating_add(length), below: 0 })?;
        Ok(Self { parts, length })
    }

    /// Everything that lies in one of these, and what lies between two that are near each other: half of a part, or less. They
    /// get sorted.
    pub(super) fn several(spans: &mut [(u64, u64)]) -> Result<Self, Full> {
        spans.sort_unstable();
        let mut parts: Vec<Part> = vec();
        for &mut (start, end) in spans {
            if let Some(last) = parts.last_mut() {
                if start.saturating_sub(last.end) <= (last.end - last.start) / 2 {
                    last.end = last.end.max(end);
                    continue;
                }
            }
            add(&mut parts, Part { start, end, below: 0 })?;
        }
        let mut length = 0_u64;
        for part in &mut parts {
            part.below = length;
            length = length.saturating_add(part.end - part.start);
        }
        Ok(Self { parts, length: length.max(1) })
    }

    /// How many bytes are shown below an address.
    pub(super) fn below(&self, address: u64) -> u64 {
        let after = self.parts.partition_point(|part| part.start <= address);
        let Some(part) = after.checked_sub(1).and_then(|at| self.parts.get(at)) else { return 0 };
        part.below + (address.min(part.end) - part.start)
    }

    /// How far an address is from the bottom, from 0 to 1.
    pub(super) fn fraction(&self, address: u64) -> f64 {
        self.below(address) as f64 / self.length as f64
    }

    /// The height of an address in a map whose top is there.
    pub(super) fn y(&self, address: u64, top: f64) -> f64 {
        top + MAP * (1.0 - self.fraction(address))
    }
}

#[cfg(test)]
mod tests {
    use super::{Addresses, Part};

    #[test]
    fn what_lies_far_apart_is_moved_together() {
        let addresses = Addresses::several(&mut [(1000, 1100), (100, 200), (240, 300), (150, 210)]);
        let Ok(addresses) = addresses else { return };
        let part = |start, end, below| Part { start, end, below };
        assert_eq!(&addresses.parts[..], [part(100, 300, 0), part(1000, 1100, 200)]);
        assert_eq!(addresses.length, 300);
        assert_eq!([0, 100, 250, 500, 1000, 1050, 9999].map(|at| addresses.below(at)), [0, 0, 150, 200, 200, 250, 300]);
    }

    #[test]
    fn nothing_at_all() {
        let addresses = Addresses::several(&mut []);
        assert_eq!(addresses.map(|addresses| addresses.below(7)), Ok(0));
    }
}
