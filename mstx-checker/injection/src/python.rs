//! Calls from Python, through the library behind `ctypes` and `cffi`: they are named by the lines of Python that run.
//!
//! Such a thread has given back the interpreter's lock, mostly. It takes it for a moment here, before it holds any lock of ours, as it
//! will when the call returns.
#![allow(unsafe_code, reason = "talks to Python")]

use core::ffi::{CStr, c_char, c_int, c_void};
use core::fmt::Write as _;
use core::mem::transmute_copy;
use core::ptr::NonNull;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use checker::__private::Symbol;

use crate::symbols::{keep, shown};

/// The files of the library that calls come through, and of a Python that has it inside.
const FILES: [&str; 3] = ["libffi", "_ctypes", "_cffi_backend"];

/// How many functions of Python are named for a call.
const NAMED: usize = 3;
/// How many are looked at.
const DEEP: usize = 16;
/// How many calls are told from each other.
const MOST: usize = 1 << 16;

/// No address of code has this bit, where words have 64: what does is the number of a call from Python.
const TAG: usize = 1 << (usize::BITS - 1);

/// Whether calls from a file may come from Python.
pub(crate) fn is_between(file: &str) -> bool {
    FILES.iter().any(|name| file.starts_with(name))
}

type Object = NonNull<c_void>;

/// The functions of Python that are needed; all of them are there from version 3.9 on.
#[derive(Clone, Copy)]
struct Api {
    this_thread: unsafe extern "C" fn() -> *mut c_void,
    ensure: unsafe extern "C" fn() -> c_int,
    release: unsafe extern "C" fn(c_int),
    frame: unsafe extern "C" fn() -> Option<Object>,
    back: unsafe extern "C" fn(Object) -> Option<Object>,
    code: unsafe extern "C" fn(Object) -> Option<Object>,
    line: unsafe extern "C" fn(Object) -> c_int,
    attribute: unsafe extern "C" fn(Object, *const c_char) -> Option<Object>,
    text: unsafe extern "C" fn(Object) -> *const c_char,
    take: unsafe extern "C" fn(Object),
    give: unsafe extern "C" fn(Object),
    clear: unsafe extern "C" fn(),
}

/// Looks for a function in the process. `F` is its type.
fn find<F>(name: &CStr) -> Option<F> {
    // SAFETY: the name is a C string.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    // SAFETY: Python documents these functions, and `F` is the type of the one that is asked for: a pointer.
    (!address.is_null()).then(|| unsafe { transmute_copy(&address) })
}

impl Api {
    fn get() -> Option<Self> {
        static API: OnceLock<Option<Api>> = OnceLock::new();
        if let Some(known) = API.get() {
            return *known;
        }
        // Not while the cell is being filled: the loader may wait for another thread, and that for us.
        let api = Self::look();
        let _ = API.set(api);
        api
    }

    fn look() -> Option<Self> {
        Some(Self {
            this_thread: find(c"PyGILState_GetThisThreadState")?,
            ensure: find(c"PyGILState_Ensure")?,
            release: find(c"PyGILState_Release")?,
            frame: find(c"PyEval_GetFrame")?,
            back: find(c"PyFrame_GetBack")?,
            code: find(c"PyFrame_GetCode")?,
            line: find(c"PyFrame_GetLineNumber")?,
            attribute: find(c"PyObject_GetAttrString")?,
            text: find(c"PyUnicode_AsUTF8")?,
            take: find(c"Py_IncRef")?,
            give: find(c"Py_DecRef")?,
            clear: find(c"PyErr_Clear")?,
        })
    }
}

/// Python, while this thread holds the interpreter's lock.
struct Python {
    api: Api,
    state: c_int,
}

impl Python {
    /// `None` where there is no Python, or this is none of its threads.
    fn enter() -> Option<Self> {
        let api = Api::get()?;
        // SAFETY: has no conditions.
        if unsafe { (api.this_thread)() }.is_null() {
            return None;
        }
        // SAFETY: the thread is one of Python's.
        Some(Self { api, state: unsafe { (api.ensure)() } })
    }

    /// What this thread runs, from the innermost function outwards.
    fn stack(&self) -> Vec<Frame> {
        let mut frames = Vec::new();
        // SAFETY: the lock is held. The frame is Python's own, so far.
        let mut next = unsafe { (self.api.frame)() }.map(|frame| {
            // SAFETY: the frame is alive.
            unsafe { (self.api.take)(frame) };
            Owned(self, frame)
        });
        while let Some(frame) = next.filter(|_| frames.len() < DEEP) {
            frames.extend(self.read(&frame));
            // SAFETY: the frame is alive.
            next = unsafe { (self.api.back)(frame.1) }.map(|back| Owned(self, back));
        }
        frames
    }

    fn read(&self, frame: &Owned<'_>) -> Option<Frame> {
        // SAFETY: the frame is alive.
        let line = unsafe { (self.api.line)(frame.1) };
        // SAFETY: the frame is alive.
        let code = Owned(self, unsafe { (self.api.code)(frame.1) }?);
        let function = self.attribute(&code, c"co_qualname").or_else(|| self.attribute(&code, c"co_name"))?;
        Some(Frame { file: self.attribute(&code, c"co_filename")?, line: u32::try_from(line).unwrap_or(0), function })
    }

    /// An attribute that is a text.
    fn attribute(&self, object: &Owned<'_>, name: &CStr) -> Option<String> {
        // SAFETY: the object is alive, and the name is a C string.
        let value = unsafe { (self.api.attribute)(object.1, name.as_ptr()) };
        let value = value.map(|value| Owned(self, value));
        // SAFETY: the value is alive, and may be of any type.
        let text = value.as_ref().map(|value| unsafe { (self.api.text)(value.1) }).filter(|text| !text.is_null());
        let Some(text) = text else {
            // SAFETY: what was raised is that there is no such attribute, or none that is a text.
            unsafe { (self.api.clear)() };
            return None;
        };
        // SAFETY: it lives as long as the value.
        Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // SAFETY: it was taken by this thread.
        unsafe { (self.api.release)(self.state) };
    }
}

/// An object of Python's that is ours to give back.
struct Owned<'a>(&'a Python, Object);

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        // SAFETY: it is alive, and this reference is ours.
        unsafe { (self.0.api.give)(self.1) };
    }
}

/// A function of Python that runs.
#[derive(PartialEq, Eq, Hash)]
struct Frame {
    file: String,
    line: u32,
    function: String,
}

/// The calls that were seen.
struct Calls {
    numbers: Option<HashMap<Vec<Frame>, usize>>,
    symbols: Vec<Symbol>,
}

static CALLS: Mutex<Calls> = Mutex::new(Calls { numbers: None, symbols: Vec::new() });

/// What stands for the call that this thread makes, in the place of an address.
pub(crate) fn caller() -> Option<usize> {
    if usize::BITS < 64 {
        return None;
    }
    let mut frames = Python::enter()?.stack();
    // The module that makes the calls is mostly not the one that means them.
    let client = frames.iter().position(|frame| frame.file != frames[0].file).unwrap_or(0);
    frames.drain(..client);
    frames.truncate(NAMED);
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    let Calls { numbers, symbols } = &mut *calls;
    let numbers = numbers.get_or_insert_default();
    if let Some(number) = numbers.get(&frames) {
        return Some(TAG | number);
    }
    let number = symbols.len();
    if number >= MOST {
        return None;
    }
    symbols.push(symbol(&frames)?);
    numbers.insert(frames, number);
    Some(TAG | number)
}

/// Where the innermost function stands, and which functions called it.
fn symbol(frames: &[Frame]) -> Option<Symbol> {
    let (first, callers) = frames.split_first()?;
    let mut function = first.function.clone();
    for Frame { file, line, function: caller } in callers {
        let _ = write!(function, " <- {caller} ({}:{line})", shown(Path::new(file)));
    }
    Some(Symbol { file: keep(shown(Path::new(&first.file))), line: first.line, function: keep(function) })
}

/// What such a number stands for; `None` for an address.
pub(crate) fn at(address: usize) -> Option<Symbol> {
    if usize::BITS < 64 || address & TAG == 0 {
        return None;
    }
    let calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    calls.symbols.get(address & !TAG).copied()
}
