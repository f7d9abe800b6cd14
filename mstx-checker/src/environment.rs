//! Options in the environment variable `MSTX_CHECK`.
#![allow(unsafe_code, reason = "calls the C library: the standard one allocates")]

use core::ffi::CStr;
use core::fmt::Write as _;
use core::num::NonZeroU8;
use core::str;

use crate::files::wanted;
use crate::options::{self, Switch};
use crate::text::Text;

#[cfg(all(unix, not(miri)))]
const CHECK: &CStr = c"MSTX_CHECK";

/// One option.
#[derive(Debug, PartialEq, Eq)]
enum Entry {
    /// The checker is on, which it is in any case.
    On,
    ExitCode(NonZeroU8),
    Switch(Switch, bool),
    Unknown,
}

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

/// Reads the options, and says which are of no use. The runtime calls this, and not where the process has more rights than its
/// user.
pub(crate) fn read() {
    let Some(value) = value() else { return };
    for entry in entries(value.to_bytes()) {
        match parse(entry) {
            Entry::On => {}
            Entry::ExitCode(code) => options::set_exit_code(code),
            Entry::Switch(switch, on) => options::set_switch(switch, on),
            Entry::Unknown if wanted::by_environment(entry) => {}
            Entry::Unknown => complain(entry),
        }
    }
}

fn entries(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| matches!(byte, b',' | b':')).map(<[u8]>::trim_ascii).filter(|entry| !entry.is_empty())
}

fn parse(entry: &[u8]) -> Entry {
    if entry == b"1" {
        return Entry::On;
    }
    let Some((name, value)) = str::from_utf8(entry).ok().and_then(|entry| entry.split_once('=')) else { return Entry::Unknown };
    if name == "exitcode" {
        return value.parse().map_or(Entry::Unknown, Entry::ExitCode);
    }
    let switch = Switch::NAMES.iter().find(|(known, _)| *known == name).map(|(_, switch)| *switch);
    match (switch, value) {
        (Some(switch), "0" | "1") => Entry::Switch(switch, value == "1"),
        _ => Entry::Unknown,
    }
}

fn complain(entry: &[u8]) {
    Text::print(|text| {
        let entry = entry.escape_ascii();
        writeln!(
            text,
            "mstx: MSTX_CHECK: `{entry}` is ignored; expected `1`, `exitcode=N` with N from 1 to 255, `heapmap=FILE`, \
             `snapshot=FILE`, `trace=FILE`, `dhat=FILE`, `recording=N` with N from 1, or `access`, `guard`, `strict` or `uninit` \
             with `=0` or `=1`"
        )
    });
}

#[cfg(test)]
mod tests {
    use core::num::NonZeroU8;

    use super::{Entry, Switch, entries, parse};

    #[test]
    fn options_are_separated_by_commas_or_colons() {
        let parsed: Vec<_> = entries(b"1,exitcode=9: exitcode=255 ,,").map(parse).collect();
        let code = |code| NonZeroU8::new(code).map_or(Entry::Unknown, Entry::ExitCode);
        assert_eq!(parsed, [Entry::On, code(9), code(255)]);
    }

    #[test]
    fn everything_else_is_unknown() {
        assert_eq!(parse(b"guard=1"), Entry::Switch(Switch::Guard, true));
        assert_eq!(parse(b"access=0"), Entry::Switch(Switch::Access, false));
        for entry in [
            "guard",
            "guard=2",
            "=1",
            "2",
            "exitcode",
            "exitcode=",
            "exitcode=0",
            "exitcode=256",
            "exitcode=-1",
            "exit_code=9",
            "\u{e4}",
        ] {
            assert_eq!(parse(entry.as_bytes()), Entry::Unknown, "{entry}");
        }
    }
}
