//! How faults and the summary look: much as the compiler's messages do.
//!
//! | file | |
//! |---|---|
//! | `fault` | a fault when it is found |
//! | `advice` | what to do about one |
//! | `summary` | what there is to say when the process exits |
//! | `standing` | how full a heap is, and how broken up |

mod advice;
mod fault;
mod standing;
mod summary;

use core::fmt::{self, Display, Write as _};

use mstx_runtime::Origin;

use crate::foreign;
use crate::position::Position;
use crate::text::{Style, Text};

pub(crate) use self::fault::{fault, is_still_found};
pub(crate) use self::standing::Standing;
pub(crate) use self::summary::{Ends, LISTED, summary};

/// The module that the runtime's own functions are said to stand in.
pub(crate) const RUNTIME: &str = "mstx";

/// A call: where it is, and of which annotated function.
pub(crate) fn origin(text: &mut Text, indent: &str, origin: Origin) -> fmt::Result {
    let (site, caller) = (origin.site(), origin.caller());
    write!(text, "{indent}")?;
    text.styled(Style::Sign, "-->")?;
    writeln!(text, " {}", Position::of(origin))?;
    let (module, function, location) = (site.module(), site.function(), site.location());
    let mut equals = |what: fmt::Arguments<'_>| line(text, indent, what);
    if let Some(symbol) = foreign::symbol(origin) {
        return if symbol.function.is_empty() { Ok(()) } else { equals(format_args!("in `{}`", symbol.function)) };
    }
    if location == caller {
        // Not `#[track_caller]`: all that is known is the function itself.
        equals(format_args!("in `{module}::{function}`"))
    } else if module == RUNTIME {
        equals(format_args!("call of `{module}::{function}`"))
    } else {
        equals(format_args!("call of `{module}::{function}` ({location})"))
    }
}

/// A line below a call.
pub(crate) fn line(text: &mut Text, indent: &str, what: impl Display) -> fmt::Result {
    write!(text, "{indent}")?;
    text.styled(Style::Sign, " =")?;
    writeln!(text, " {what}")
}

/// A line at the margin: `note: ..`, `help: ..`.
pub(crate) fn remark(text: &mut Text, style: Style, word: &str, what: impl Display) -> fmt::Result {
    text.styled(style, word)?;
    writeln!(text, ": {what}")
}
