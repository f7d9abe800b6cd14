//! Finding and loading the tool.
//!
//! If `MSTX_INJECTION_PATH` is set, that library; if it is unset, empty or cannot be opened, whatever `InitInjectionMstx` the
//! process has already (a preloaded tool). Nothing here calls the Rust allocator.
#![allow(unsafe_code, reason = "loads and calls foreign code")]

use core::ffi::{CStr, c_void};

use crate::abi::InitInjection;
use super::{Injected, table};
use crate::live::process::{stderr, variables};
use crate::{Label, Refusal, ToolStatus};

const VARIABLE: &CStr = c"MSTX_INJECTION_PATH";
const ENTRY: &CStr = c"InitInjectionMstx";

/// Looks for a tool, and lets it initialise.
pub(crate) fn attach() -> ToolStatus {
    let privileged = variables::is_privileged() && variables::is_set(VARIABLE);
    let mut failure = privileged.then_some(Refusal::Privileged);
    let mut library = Label::new("found in the process");
    let mut entry = None;
    if let Some(path) = variables::get(VARIABLE).filter(|path| !path.is_empty()) {
        match open(path) {
            Ok(handle) => {
                library = Label::new(file_name(path));
                entry = symbol(handle);
                if entry.is_none() {
                    return failed(path, Refusal::NoEntryPoint, "no tool is attached");
                }
            }
            Err(refusal) => {
                failure = Some(refusal);
                complain(path, refusal, "a tool that is in the process already is tried instead");
            }
        }
    }
    let Some(init) = entry.or_else(|| symbol(libc::RTLD_DEFAULT)) else {
        return failure.map_or(ToolStatus::None, ToolStatus::Failed);
    };
    // SAFETY: the symbol's name says that it is the initialiser of an MSTX tool.
    let init = unsafe { core::mem::transmute::<*mut c_void, InitInjection>(init) };
    // SAFETY: the getter and the slots live as long as the process.
    if unsafe { init(table::getter) } != 0 {
        table::clear();
        let path = variables::get(VARIABLE).filter(|path| !path.is_empty());
        return failed(path.unwrap_or(c"the tool in the process"), Refusal::Refused, "no tool is attached");
    }
    ToolStatus::Attached { library, id: Injected::id(), instead: failure }
}

fn failed(path: &CStr, refusal: Refusal, then: &str) -> ToolStatus {
    complain(path, refusal, then);
    ToolStatus::Failed(refusal)
}

/// One line that says what went wrong: the user has set the variable, and silence is what users complain about.
fn complain(path: &CStr, refusal: Refusal, then: &str) {
    let path = path.to_str().unwrap_or("(not UTF-8)");
    stderr::line(format_args!("mstx: MSTX_INJECTION_PATH={path}: {refusal}; {then}"));
}

fn open(path: &CStr) -> Result<*mut c_void, Refusal> {
    // SAFETY: the path is a C string. Loading runs the library's constructors, which is what the user asks for.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
    if !handle.is_null() {
        return Ok(handle);
    }
    Err(if is_missing(path) { Refusal::NotFound } else { Refusal::NotLoadable })
}

/// Why `dlopen` failed. For a path, the file system knows; for a bare name, which is searched for, only the message.
fn is_missing(path: &CStr) -> bool {
    if path.to_bytes().contains(&b'/') {
        // SAFETY: the path is a C string.
        return unsafe { libc::access(path.as_ptr(), libc::F_OK) } != 0;
    }
    // SAFETY: called right after the failed `dlopen`, in the same thread.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return true;
    }
    // SAFETY: a C string that lives until the next call of these functions.
    let message = unsafe { CStr::from_ptr(message) };
    message.to_str().is_ok_and(|message| message.contains("No such file") || message.contains("no such file"))
}

fn symbol(handle: *mut c_void) -> Option<*mut c_void> {
    // SAFETY: the handle is that of a library, or the default scope; the name is a C string.
    let symbol = unsafe { libc::dlsym(handle, ENTRY.as_ptr()) };
    (!symbol.is_null()).then_some(symbol)
}

fn file_name(path: &CStr) -> &str {
    let path = path.to_str().unwrap_or("(not UTF-8)");
    path.rsplit('/').next().unwrap_or(path)
}
