//! From times and bytes to places, and how both are written.

use core::fmt::{self, Display, Write as _};

use super::layout::{LEFT, PLOT, RIGHT};
use crate::files::out::Out;

/// The time axis.
#[derive(Clone, Copy)]
pub(super) struct Time {
    begin: u64,
    /// At least 1.
    length: u64,
}

impl Time {
    pub(super) fn new(begin: u64, end: u64) -> Self {
        Self { begin, length: end.saturating_sub(begin).max(1) }
    }

    /// Where a time is. What is outside is at the border.
    pub(super) fn x(self, time: u64) -> f64 {
        LEFT + self.fraction(time) * PLOT
    }

    /// From 0 to 1.
    pub(super) fn fraction(self, time: u64) -> f64 {
        let after = time.saturating_sub(self.begin).min(self.length);
        after as f64 / self.length as f64
    }

    /// Draws it, and lines at its ticks from `top` downwards to it.
    pub(super) fn axis(self, y: f64, top: f64, out: &mut Out<'_>) {
        let step = nice(self.length / 8);
        let unit = Unit::of_ticks(self.begin.saturating_add(self.length), step);
        let mut tick = self.begin.div_ceil(step).saturating_mul(step);
        while tick <= self.begin.saturating_add(self.length) {
            let x = self.x(tick);
            let _ = writeln!(out, "<path class=\"grid\" d=\"M{x:.1} {top}V{y}\"/><path class=\"axis\" d=\"M{x:.1} {y}v4\"/>");
            let label = unit.label(tick, step);
            let _ =
                writeln!(out, "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>", y + 17.0);
            tick = tick.saturating_add(step);
        }
        let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {y}H{RIGHT}\"/>");
    }
}

/// 1, 2 or 5 times a power of ten, not less than `least`.
fn nice(least: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for factor in [1, 2, 5] {
            if power.saturating_mul(factor) >= least {
                return power.saturating_mul(factor);
            }
        }
        power = power.saturating_mul(10);
    }
}

/// A power of two, not less than `least`.
pub(super) fn power_of_two(least: u64) -> u64 {
    least.max(1).checked_next_power_of_two().unwrap_or(1 << 63)
}

/// A unit of time, and how many nanoseconds it has.
#[derive(Clone, Copy)]
struct Unit(&'static str, u64);

const UNITS: [Unit; 4] = [Unit("s", 1_000_000_000), Unit("ms", 1_000_000), Unit("\u{b5}s", 1000), Unit("ns", 1)];

impl Unit {
    /// The largest that is not larger.
    fn of(time: u64) -> Self {
        UNITS.into_iter().find(|unit| time >= unit.1).unwrap_or(UNITS[3])
    }

    /// That of an axis up to a time, with ticks each so much: no label has more than three digits behind its point.
    fn of_ticks(last: u64, step: u64) -> Self {
        UNITS.into_iter().find(|unit| last >= unit.1 && unit.1 / step <= 1000).unwrap_or(UNITS[3])
    }

    /// A tick, with no more digits than the steps need.
    fn label(self, time: u64, step: u64) -> impl Display {
        let Self(name, nanoseconds) = self;
        let digits = (0..3).find(|&digits| step.saturating_mul(10_u64.pow(digits)) % nanoseconds == 0).unwrap_or(3);
        Label(time as f64 / nanoseconds as f64, digits as usize, name)
    }
}

struct Label(f64, usize, &'static str);

impl Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*} {}", self.1, self.0, self.2)
    }
}

/// A length of time, with three digits.
pub(super) struct Duration(pub(super) u64);

impl Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unit(name, nanoseconds) = Unit::of(self.0);
        let number = self.0 as f64 / nanoseconds as f64;
        let digits = if nanoseconds == 1 { 0 } else { digits(number) };
        write!(f, "{number:.digits$} {name}")
    }
}

/// How many digits there are behind the point, so that there are three in all.
const fn digits(number: f64) -> usize {
    match number {
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    }
}

/// A number of bytes: in the unit that leaves the fewest digits, and exactly where that is possible.
pub(super) struct Bytes(pub(super) u64);

impl Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
        let Some((name, shift)) = units.into_iter().find(|&(_, shift)| self.0 >> shift > 0) else {
            return write!(f, "{} B", self.0);
        };
        let number = self.0 as f64 / (1_u64 << shift) as f64;
        // Halves and the like need fewer digits than others.
        let exact = (0..2).find(|&digits| (u128::from(self.0) * 10_u128.pow(digits)).trailing_zeros() >= shift);
        let digits = digits(number).min(exact.map_or(2, |digits| digits as usize));
        write!(f, "{number:.digits$} {name}")
    }
}

/// A number with its digits in groups, so that it can be read.
pub(super) struct Grouped(pub(super) u64);

impl Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1000 {
            return write!(f, "{}", self.0);
        }
        write!(f, "{},{:03}", Self(self.0 / 1000), self.0 % 1000)
    }
}

/// So many things.
pub(super) struct Count(pub(super) u64, pub(super) &'static str);

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", Grouped(self.0), self.1, if self.0 == 1 { "" } else { "s" })
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Count, Duration, Unit, nice, power_of_two};

    #[test]
    fn steps_are_easy_to_read() {
        assert_eq!([0, 1, 3, 6, 11, 499, 500, 501].map(nice), [1, 1, 5, 10, 20, 500, 500, 1000]);
        assert_eq!([0, 1, 3, 1024, 1025, u64::MAX].map(power_of_two), [1, 1, 4, 1024, 2048, 1 << 63]);
    }

    #[test]
    fn ticks_have_few_digits() {
        let label = |last, step, tick| Unit::of_ticks(last, step).label(tick, step).to_string();
        assert_eq!(label(8_000_000_000, 500_000_000, 6_500_000_000), "6.5 s");
        assert_eq!(label(8_000_000_000, 500_000, 6_500_500_000), "6500.5 ms");
        assert_eq!(label(60_000_000, 10_000_000, 20_000_000), "20 ms");
        assert_eq!(label(1, 1, 1), "1 ns");
    }

    #[test]
    fn units_are_those_that_people_use() {
        let durations = [0, 999, 1000, 12_345, 123_456_789, 61_000_000_000].map(|time| Duration(time).to_string());
        assert_eq!(durations, ["0 ns", "999 ns", "1.00 \u{b5}s", "12.3 \u{b5}s", "123 ms", "61.0 s"]);
        let bytes = [0, 1023, 1024, 1536, 64 << 20, (10 << 20) + 1, 3 << 40].map(|bytes| Bytes(bytes).to_string());
        assert_eq!(bytes, ["0 B", "1023 B", "1 KiB", "1.5 KiB", "64 MiB", "10.0 MiB", "3 TiB"]);
        assert_eq!([1, 2, 1_234_567].map(|count| Count(count, "heap").to_string()), ["1 heap", "2 heaps", "1,234,567 heaps"]);
    }
}
