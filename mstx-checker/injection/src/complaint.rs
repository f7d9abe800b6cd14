//! What is wrong with a call itself, before it is about any heap or region: one line, and the call is ignored.

use core::fmt::{self, Display};
use core::sync::atomic::{AtomicU32, Ordering};

use crate::symbols;

/// How many such lines are written.
const MOST: u32 = 100;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// Says what is wrong with a call of `function`, which returns to `address`.
pub(crate) fn complain(function: &str, address: usize, wrong: impl Display) {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    if count < MOST {
        checker::__private::line(format_args!("{function}: {wrong}; ignored{}", From(address)));
    } else if count == MOST {
        checker::__private::line(format_args!("more calls that are wrong in themselves are not shown"));
    }
}

/// Where a call comes from.
struct From(usize);

impl Display for From {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return Ok(());
        }
        let symbol = symbols::at(self.0);
        match symbol.line {
            0 => write!(f, " (called at {}", symbol.file)?,
            line => write!(f, " (called at {}:{line}", symbol.file)?,
        }
        if !symbol.function.is_empty() {
            write!(f, " in `{}`", symbol.function)?;
        }
        f.write_str(")")
    }
}
