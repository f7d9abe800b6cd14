//! Options in the environment variable `MSTX_CHECK`.
#![allow(unsafe_code, reason = "calls the C library: the standard one allocates")]

use core::ffi::CStr;
use core::fmt::{self, Write as _};

use crate::log;
use crate::options::{self, KNOWN, Known, Read};
use crate::text::Text;

#[cfg(all(unix, not(miri)))]
const CHECK: &CStr = c"MSTX_CHECK";

/// The variable's value, to be looked at right away.
#[cfg(all(unix, not(miri)))]
fn value() -> Option<&'static CStr> {
    // SAFETY: the name is a C string. As everywhere in C, the environment may not be changed by another thread meanwhile.
    let value = unsafe { libc::getenv(CHECK.as_ptr()) };
    // SAFETY: the value is a C string, which lives until the variable is changed.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) })
}

/// Where there is no C library, the variable is not read: the standard library allocates for it.
#[cfg(not(all(unix, not(miri))))]
fn value() -> Option<&'static CStr> {
    None
}

/// Whether the variable is set at all.
pub(crate) fn is_set() -> bool {
    value().is_some_and(|value| !value.is_empty())
}

/// Whether the variable switches the checker off where it would be on.
pub(crate) fn switches_off() -> bool {
    value().is_some_and(|value| value.to_bytes() == b"0")
}

/// Reads the options, and says which are of no use. The runtime calls this, and not where the process has more rights than its
/// user.
pub(crate) fn read() {
    let Some(value) = value() else { return };
    let mut help = false;
    for option in entries(value.to_bytes()).filter(|&option| option != b"1") {
        help |= option == b"help=1";
        match options::read(option) {
            Read::Fine => {}
            Read::Unknown => complain(option, None),
            Read::Unfit(known) => complain(option, Some(known)),
        }
    }
    log::reset();
    if help {
        Text::complain(list);
    }
}

fn entries(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| matches!(byte, b',' | b':')).map(<[u8]>::trim_ascii).filter(|entry| !entry.is_empty())
}

fn complain(option: &[u8], known: Option<&Known>) {
    Text::complain(|text| {
        write!(text, "mstx: MSTX_CHECK: `{}` is ignored; ", option.escape_ascii())?;
        if let Some(Known { name, value, help, .. }) = known {
            return writeln!(text, "it is `{name}={value}`: {help}");
        }
        write!(text, "valid are `1`")?;
        KNOWN.iter().try_for_each(|known| write!(text, ", `{}={}`", known.name, known.value))?;
        writeln!(text)
    });
}

fn list(text: &mut Text<'_>) -> fmt::Result {
    writeln!(text, "mstx: options in MSTX_CHECK, separated by `,` or `:`")?;
    KNOWN.iter().try_for_each(|Known { name, value, help, .. }| {
        let width = 18_usize.saturating_sub(name.len() + 1);
        writeln!(text, "  {name}={value:width$}  {help}")
    })
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn options_are_separated_by_commas_or_colons() {
        let options: Vec<_> = entries(b"1,exitcode=9: log=a b ,,").collect();
        assert_eq!(options, [&b"1"[..], b"exitcode=9", b"log=a b"]);
    }
}
