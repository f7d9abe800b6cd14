//! What stands at an address: looked up only for what is shown, and for each address that calls return to, once.

use core::ptr::without_provenance_mut;
use std::collections::HashMap;
use std::env;
use std::path::Path;
use std::sync::{Mutex, TryLockError};

use checker::__private::Symbol;

use crate::loaded::{self, Place};
use crate::python;

/// The functions of the interface. In a client these are wrappers, mostly of the header's.
const INTERFACE: [&str; 13] = [
    "MarkA",
    "RangeStartA",
    "RangeEnd",
    "GetToolId",
    "DomainCreateA",
    "DomainDestroy",
    "DomainMarkA",
    "DomainRangeStartA",
    "DomainRangeEnd",
    "MemHeapRegister",
    "MemHeapUnregister",
    "MemRegionsRegister",
    "MemRegionsUnregister",
];

/// What was looked up, by address.
static KNOWN: Mutex<Option<HashMap<usize, Symbol>>> = Mutex::new(None);

/// Whose code a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Program = 0,
    /// The interface's wrappers, and the runtime of `mstx`.
    Client = 1,
    /// The standard library of Rust or C++: between two functions of others.
    Language = 2,
    /// What stands between Python and functions in C.
    Python = 3,
}

impl Owner {
    fn of(function: &str) -> Self {
        let path = function.trim_start_matches(['<', '&']);
        let is_in =
            |crates: &[&str]| crates.iter().any(|name| path.strip_prefix(name).is_some_and(|rest| rest.starts_with("::")));
        if is_interface(function) || is_in(&["mstx_runtime"]) {
            Self::Client
        } else if is_in(&["core", "std", "alloc"]) {
            Self::Language
        } else {
            Self::Program
        }
    }
}

/// Whether a function is one of the interface's, or stands for one in some client: `mstxMarkA`, `mstxMarkAInit`, `MstxMarkA`.
fn is_interface(name: &str) -> bool {
    let name = name.split('(').next().unwrap_or_default();
    let name = name.rsplit("::").next().unwrap_or_default();
    let Some(name) = name.strip_prefix("mstx").or_else(|| name.strip_prefix("Mstx")) else { return false };
    let name = ["Init", "_impl"].into_iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    INTERFACE.contains(&name)
}

/// The instruction before the one that a call returns to: that of the call.
fn call(address: usize) -> *mut core::ffi::c_void {
    without_provenance_mut(address.saturating_sub(1))
}

/// Calls `each` with the functions that an address is in, from the innermost one that was inlined outwards.
fn resolve(address: usize, mut each: impl FnMut(&backtrace::Symbol)) {
    let mut any = false;
    let mut note = |symbol: &backtrace::Symbol| {
        any = true;
        each(symbol);
    };
    backtrace::resolve(call(address), &mut note);
    if !any {
        // The library may have been loaded since the last time.
        backtrace::clear_symbol_cache();
        backtrace::resolve(call(address), &mut each);
    }
}

fn name(symbol: &backtrace::Symbol) -> String {
    // Without the hash that Rust's names end with.
    symbol.name().map(|name| format!("{name:#}")).unwrap_or_default()
}

/// Whose code an address lies in.
pub(crate) fn owner(address: usize) -> Owner {
    let mut outermost = String::new();
    resolve(address, |symbol| outermost = name(symbol));
    let is_python = || loaded::place(call(address).addr()).is_some_and(|place| python::is_between(&place.file));
    match Owner::of(&outermost) {
        Owner::Program if is_python() => Owner::Python,
        owner => owner,
    }
}

/// What stands at an address that a call returns to; not more than where it is in its file while somebody is just looking up another.
pub(crate) fn at(address: usize) -> Symbol {
    if let Some(symbol) = python::at(address) {
        return symbol;
    }
    let mut known = match KNOWN.try_lock() {
        Ok(known) => known,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return bare(address),
    };
    let known = known.get_or_insert_default();
    *known.entry(address).or_insert_with(|| look_up(address))
}

/// The innermost function that is the program's own, by name and line; without lines, where it is in its file.
fn look_up(address: usize) -> Symbol {
    let mut best: Option<(String, String, u32)> = None;
    resolve(address, |symbol| {
        let function = name(symbol);
        if best.as_ref().is_none_or(|(function, ..)| Owner::of(function) != Owner::Program) {
            let file = symbol.filename().map(shown).unwrap_or_default();
            best = Some((function, file, symbol.lineno().unwrap_or(0)));
        }
    });
    let (function, file, line) = best.unwrap_or_default();
    let function: &'static str = keep(function);
    if file.is_empty() {
        return Symbol { function, ..bare(address) };
    }
    Symbol { file: keep(file), line, function }
}

/// A path as people write it: from the folder that the process is in.
pub(crate) fn shown(path: &Path) -> String {
    let here = env::current_dir().unwrap_or_default();
    let short = path.strip_prefix(&here).ok().filter(|short| !short.as_os_str().is_empty());
    short.unwrap_or(path).display().to_string()
}

/// Kept for ever: it is kept once for each address.
pub(crate) fn keep(text: String) -> &'static str {
    if text.is_empty() { "" } else { String::leak(text) }
}

/// Where the call is in its file: what `addr2line` takes.
fn bare(address: usize) -> Symbol {
    let file = match loaded::place(call(address).addr()) {
        Some(Place { file, offset }) => format!("{file}+{offset:#x}"),
        None => format!("{address:#x}"),
    };
    Symbol { file: keep(file), line: 0, function: "" }
}
