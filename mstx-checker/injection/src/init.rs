//! What a client calls when it lets the checker in.
#![allow(unsafe_code, reason = "talks to a client in C")]

use core::ffi::{c_int, c_uint};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use mstx_runtime::__private::foreign;
use mstx_runtime::raw::{Getter, Slot};

use crate::{entries, symbols};

const SUCCESS: c_int = 0;
const FAILURE: c_int = 1;

/// Whether the checker listens, once that is known.
static LISTENS: Mutex<Option<bool>> = Mutex::new(None);

/// Before anything of the checker or the runtime in here runs: these books are nobody else's.
///
/// Both have constructors too, without a number; those with one come first.
#[used]
// SAFETY: the section is a list of such functions. This one needs nothing that `main` prepares.
#[unsafe(link_section = ".init_array.00101")]
static KEEP: extern "C" fn() = keep;

extern "C" fn keep() {
    foreign::keep_to_itself();
}

/// The module's slots.
struct Table {
    slots: *mut *mut Slot,
    size: c_uint,
}

impl Table {
    /// Asks the client for it; `None` where it has none.
    ///
    /// # Safety
    ///
    /// The getter must be one, and must know the module or say that it does not.
    unsafe fn get(getter: Getter, module: c_int) -> Option<Self> {
        let mut table = Self { slots: null_mut(), size: 0 };
        // SAFETY: both are valid for the write; the caller vouches for the rest.
        let status = unsafe { getter(module, &raw mut table.slots, &raw mut table.size) };
        (status == SUCCESS && !table.slots.is_null()).then_some(table)
    }

    /// The slot of a function, if the client has that.
    fn slot(&self, number: usize) -> Option<*mut Slot> {
        if number >= self.size as usize {
            return None;
        }
        // SAFETY: the client says that the array is that long.
        let slot = unsafe { self.slots.wrapping_add(number).read() };
        (!slot.is_null()).then_some(slot)
    }

    /// Puts functions there, from number 1 on.
    fn fill(&self, functions: &[Slot]) {
        for (number, function) in functions.iter().enumerate() {
            if let Some(slot) = self.slot(number + 1) {
                // SAFETY: it is a place for a function's address, and the tool's to write to now.
                unsafe { slot.write(*function) };
            }
        }
    }
}

/// Our own module, if the client is our own library.
///
/// # Safety
///
/// As for [`Table::get`].
unsafe fn ours(getter: Getter) -> Option<Table> {
    // SAFETY: every client knows the number 1.
    let core = unsafe { Table::get(getter, 1) }?;
    let mark = core.slot(0)?;
    // SAFETY: what a client has in slot 0 is a place like the others.
    let mark = unsafe { mark.read() };
    // SAFETY: this client knows the number.
    (mark.addr() == foreign::MODULE as usize).then(|| unsafe { Table::get(getter, foreign::MODULE) }).flatten()
}

/// Of our own module: whether we want to be told of heaps that are host memory.
extern "C" fn wants_host() -> c_int {
    1
}

type IsChecked = extern "C" fn() -> c_int;

/// What the first client says, which is our own library: whether the checker listens there.
static FIRST: OnceLock<IsChecked> = OnceLock::new();
/// Whether there are others.
static OTHERS: AtomicBool = AtomicBool::new(false);

/// Whether all that is told here is told to a checker in the program, too.
fn is_checked_there() -> bool {
    !OTHERS.load(Ordering::Relaxed) && FIRST.get().is_some_and(|is_checked| is_checked() != 0)
}

/// Leaves to a client of our own what that does by itself.
fn leave(ours: &Table) {
    checker::__private::leave_accesses();
    ours.fill(&[wants_host as Slot]);
    // SAFETY: it is one of the client's slots, which are there for as long as the client is.
    let is_checked = ours.slot(2).map(|slot| unsafe { slot.read() }).filter(|function| !function.is_null());
    // SAFETY: of our own module it is a function of this type.
    let is_checked = is_checked.map(|function| unsafe { core::mem::transmute::<Slot, IsChecked>(function) });
    if is_checked.is_none_or(|is_checked| FIRST.set(is_checked).is_err()) {
        OTHERS.store(true, Ordering::Relaxed);
    }
    checker::__private::stand_back(is_checked_there);
}

/// Lets the checker in: the one function of this library, which each client of the process calls once.
///
/// # Safety
///
/// `getter` must be null, or a function as the interface describes it.
#[unsafe(no_mangle)]
#[allow(non_snake_case, unreachable_pub, reason = "the interface says so; it is a symbol of the library")]
pub unsafe extern "C" fn InitInjectionMstx(getter: Option<Getter>) -> c_int {
    let Some(getter) = getter else { return FAILURE };
    foreign::keep_to_itself();
    if foreign::is_over() {
        return SUCCESS;
    }
    // The getter may wait for other threads: for Python's lock, if it is written in Python. It is not asked while they may wait for us.
    // SAFETY: the caller vouches for the getter.
    let ours = unsafe { ours(getter) };
    {
        let mut listens = LISTENS.lock().unwrap_or_else(PoisonError::into_inner);
        match ours {
            Some(ours) => leave(&ours),
            None => OTHERS.store(true, Ordering::Relaxed),
        }
        let listens = *listens.get_or_insert_with(|| {
            checker::__private::resolve_with(symbols::at);
            checker::__private::inject(!foreign::is_privileged())
        });
        if !listens {
            // Switched off: a tool that implements nothing.
            return SUCCESS;
        }
    }
    for (module, functions) in (1..).zip(entries::modules()) {
        // SAFETY: the caller vouches for the getter, and every client knows these numbers.
        if let Some(table) = unsafe { Table::get(getter, module) } {
            table.fill(functions);
        }
    }
    SUCCESS
}
