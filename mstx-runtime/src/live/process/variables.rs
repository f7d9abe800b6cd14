//! Environment variables, read without an allocation.

use core::ffi::CStr;

use super::{stderr, system};
use crate::domain::check;
use crate::live::memory::keep;

/// Renames domains: `MSTX_DOMAINS=my_crate__pool=ptaCaching,other=atb`.
const DOMAINS: &CStr = c"MSTX_DOMAINS";
/// What is held back: `immediate` for nothing.
const BATCH: &CStr = c"MSTX_BATCH";
/// Switches the built-in checker on.
const CHECK: &CStr = c"MSTX_CHECK";

/// A variable's value; none in a privileged process. To be used at once, and not kept.
pub(crate) fn get(name: &CStr) -> Option<&'static CStr> {
    if system::is_privileged() { None } else { system::variable(name) }
}

/// Whether a variable has a value that is not empty.
pub(crate) fn is_set(name: &CStr) -> bool {
    system::variable(name).is_some_and(|value| !value.is_empty())
}

/// Whether the checker is asked for.
pub(crate) fn wants_check() -> bool {
    get(CHECK).is_some_and(|value| !matches!(value.to_bytes(), b"" | b"0"))
}

/// Whether nothing is to be held back: for tools that want a call stack with each event.
pub(crate) fn wants_immediate() -> bool {
    get(BATCH).is_some_and(|value| value.to_bytes() == b"immediate")
}

fn renames() -> impl Iterator<Item = &'static str> {
    let value = get(DOMAINS).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}

/// The name that a tool is to know a domain by, if `MSTX_DOMAINS` says one.
pub(crate) fn renamed(name: &str) -> Option<&'static str> {
    let (_, new) = renames().filter_map(|entry| entry.split_once('=')).find(|(old, _)| *old == name)?;
    core::str::from_utf8(keep(new.as_bytes()).ok()?).ok()
}

/// Says what in our variables is of no use.
pub(crate) fn complain() {
    if let Some(value) = get(BATCH).filter(|value| !matches!(value.to_bytes(), b"" | b"immediate")) {
        let value = value.to_bytes().escape_ascii();
        stderr::line(format_args!("mstx: MSTX_BATCH: `{value}` is ignored; expected `immediate`, or nothing"));
    }
    for entry in renames() {
        if entry.split_once('=').is_none_or(|(old, new)| check(old).is_err() || check(new).is_err()) {
            stderr::line(format_args!(
                "mstx: MSTX_DOMAINS: `{entry}` is ignored; expected OLD=NEW, each 1 to 1023 of A-Z, a-z, 0-9 and _"
            ));
        }
    }
}
