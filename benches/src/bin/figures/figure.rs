//! A figure: what is to be, and what is.

use std::fmt;

/// What a value is to be.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
    Below(f64),
    Exactly(f64),
    /// Good to know.
    None,
}

pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) target: Target,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// What it was computed from.
    pub(crate) details: String,
}

impl Figure {
    #[expect(clippy::float_cmp, reason = "counts are whole numbers")]
    pub(crate) fn is_reached(&self) -> bool {
        match self.target {
            Target::AtMost(most) => self.value <= most,
            Target::AtLeast(least) => self.value >= least,
            Target::Below(bound) => self.value < bound,
            Target::Exactly(count) => self.value == count,
            Target::None => true,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reached = match (self.target, self.is_reached()) {
            (Target::None, _) => "(no figure)",
            (_, true) => "reached",
            (_, false) => "NOT reached",
        };
        let Self { what, value, unit, details, .. } = self;
        let value = Number(*value);
        write!(f, "{reached:<12} {what}: {value} {unit}")?;
        match self.target {
            Target::AtMost(most) => write!(f, ", at most {}", Number(most))?,
            Target::AtLeast(least) => write!(f, ", at least {}", Number(least))?,
            Target::Below(bound) => write!(f, ", less than {}", Number(bound))?,
            Target::Exactly(count) => write!(f, ", exactly {}", Number(count))?,
            Target::None => {}
        }
        if details.is_empty() { Ok(()) } else { write!(f, " ({details})") }
    }
}

/// Whole, or with two digits.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.fract() == 0.0 { write!(f, "{}", self.0) } else { write!(f, "{:.2}", self.0) }
    }
}
