//! Places in the program, as reports and files name them.

use core::fmt::{self, Display};
use core::panic::Location;

use mstx_runtime::Origin;

use crate::foreign;

/// A place in the program's source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) file: &'static str,
    /// 0 where there is none: outside of Rust.
    pub(crate) line: u32,
    /// 0 where there is none: outside of Rust.
    column: u32,
}

impl Position {
    /// What is not known.
    pub(crate) const UNKNOWN: Self = Self { file: "(unknown)", line: 0, column: 0 };

    /// The line that a user of the pool wants to see.
    pub(crate) fn of(origin: Origin) -> Self {
        match foreign::symbol(origin) {
            Some(symbol) => Self { file: symbol.file, line: symbol.line, column: 0 },
            None => origin.caller().into(),
        }
    }
}

impl From<&'static Location<'static>> for Position {
    fn from(location: &'static Location<'static>) -> Self {
        Self { file: location.file(), line: location.line(), column: location.column() }
    }
}

/// File, line and column: a line may have several calls.
impl Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { file, line: 0, .. } => f.write_str(file),
            Self { file, line, column: 0 } => write!(f, "{file}:{line}"),
            Self { file, line, column } => write!(f, "{file}:{line}:{column}"),
        }
    }
}
