//! Finding and loading the tool.
//!
//! If `MSTX_INJECTION_PATH` is set, that library; if it is unset, empty or cannot be opened, whatever `InitInjectionMstx` the
//! process has already (a preloaded tool). Nothing here calls the Rust allocator.
#![allow(unsafe_code, reason = "loads and calls foreign code")]

use core::ffi::{CStr, c_void};
use core::ptr::NonNull;

use super::{Injected, table};
use crate::abi::InitInjection;
use crate::live::process::{stderr, system, variables};
use crate::{Label, Refusal, ToolStatus};

const VARIABLE: &CStr = c"MSTX_INJECTION_PATH";
const ENTRY: &CStr = c"InitInjectionMstx";

/// The library that the user asks for.
pub(crate) fn asked() -> Option<&'static CStr> {
    variables::get(VARIABLE).filter(|path| !path.is_empty())
}

/// Looks for a tool, and lets it initialise.
pub(crate) fn attach() -> ToolStatus {
    let privileged = system::is_privileged() && variables::is_set(VARIABLE);
    let mut failure = privileged.then_some(Refusal::Privileged);
    let mut library = Label::new("found in the process");
    let mut entry = None;
    match asked().map(|path| (path, system::open_library(path))) {
        None => {}
        Some((path, Ok(opened))) => {
            library = Label::new(file_name(path));
            entry = system::symbol(Some(&opened), ENTRY);
            if entry.is_none() {
                return failed(Refusal::NoEntryPoint);
            }
        }
        Some((_, Err(refusal))) => {
            failure = Some(refusal);
            complain(refusal, "a tool that is in the process already is tried instead");
        }
    }
    let Some(init) = entry.or_else(|| system::symbol(None, ENTRY)) else {
        return failure.map_or(ToolStatus::None, ToolStatus::Failed);
    };
    // SAFETY: the symbol's name says that it is the initialiser of an MSTX tool.
    let init = unsafe { core::mem::transmute::<NonNull<c_void>, InitInjection>(init) };
    // SAFETY: the getter and the slots live as long as the process.
    if unsafe { init(table::getter) } != 0 {
        table::clear();
        return failed(Refusal::Refused);
    }
    ToolStatus::Attached { library, id: Injected::id(), instead: failure }
}

fn failed(refusal: Refusal) -> ToolStatus {
    complain(refusal, "no tool is attached");
    ToolStatus::Failed(refusal)
}

/// One line that says what went wrong, where the user has set the variable: silence is what users complain about.
fn complain(refusal: Refusal, then: &str) {
    if let Some(path) = asked() {
        let path = path.to_str().unwrap_or("(not UTF-8)");
        stderr::line(format_args!("mstx: MSTX_INJECTION_PATH={path}: {refusal}; {then}"));
    }
}

fn file_name(path: &CStr) -> &str {
    let path = path.to_str().unwrap_or("(not UTF-8)");
    path.rsplit('/').next().unwrap_or(path)
}
