//! The initialiser: fetches the client's tables and fills them.

use crate::abi::{FAILURE, Function, Getter, MEMORY, MODULES, SIZES, SUCCESS, Slot};
use crate::checks::Checks;
use crate::config::{self, Config};
use crate::gate::{self, State, Status};
use crate::hostile::{self, HiddenHeaps};
use crate::kind::{self, Kind};
use crate::log::{self, violation};
use crate::tempers::{self, Temper};
use crate::{entries, summary};
use std::ffi::{c_int, c_uint};
use std::ptr;

const REGIONS_REGISTER: u32 = 3;
const HEAP_REGISTER: u32 = 1;
const PERMISSIONS_ASSIGN: u32 = 5;

/// One client, from its first word to this library's answer.
pub(crate) fn initialise(getter: Option<Getter>) -> c_int {
    if gate::in_child() {
        violation!(8, "init: from a forked child");
        return FAILURE;
    }
    let first = gate::begin();
    if first {
        log::open();
    }
    kind::count(Kind::Init, 1);
    let config = config::get();
    let status = answer(config, getter);
    log::line(format_args!("ready -> {status}"));
    if first && gate::status() == Status::Initialising {
        gate::set_status(if status == SUCCESS { Status::Ready } else { Status::Failed });
    }
    status
}

fn answer(config: &Config, getter: Option<Getter>) -> c_int {
    let tables = MODULES.map(|module| getter.and_then(|getter| Table::fetch(getter, module)));
    let temper = prepare(config);
    log::line(format_args!(
        "init temper={} modules={},{},{}",
        if config.text.is_empty() { "full" } else { &config.text },
        Size(&tables[0]),
        Size(&tables[1]),
        Size(&tables[2]),
    ));
    for ((table, module), size) in tables.iter().zip(MODULES).zip(SIZES) {
        check(config, table.as_ref(), module, size);
    }
    let missing = tables.iter().any(Option::is_none);
    if missing && temper.needs_all_modules() {
        return FAILURE;
    }
    for table in tables.iter().flatten() {
        fill(config, &*temper, table);
    }
    hostile::while_initialising(config);
    if config.fails { FAILURE } else { SUCCESS }
}

/// Lays the books, once for all clients. The temper that is returned only tells what is to be filled.
fn prepare(config: &Config) -> Box<dyn Temper> {
    let mut state = gate::state();
    match state.as_mut() {
        Some(state) => state.clients += 1,
        None => {
            *state = Some(State {
                checks: Checks::new(config.partial),
                temper: tempers::chosen(config),
                hidden: HiddenHeaps::default(),
                clients: 1,
                last_range: 0,
            });
            summary::at_exit();
        }
    }
    tempers::chosen(config)
}

/// Rule 9: all three modules, their sizes, a spare slot behind the last.
fn check(config: &Config, table: Option<&Table>, module: c_int, size: c_uint) {
    let Some(table) = table else {
        violation!(9, "init: module {module} is missing");
        return;
    };
    let more = u32::from(config.permissions && module == MEMORY);
    if !(size..=size + more).contains(&table.size) {
        violation!(9, "init: module {module} has size {}, not {size}", table.size);
    }
    if table.slot(table.size).is_null() {
        violation!(9, "init: module {module} has no spare slot behind the last");
    }
}

fn fill(config: &Config, temper: &dyn Temper, table: &Table) {
    let reaches = |id| {
        if temper.reaches_too_far() { table.size >= id } else { table.size > id }
    };
    for (module, id, function) in entries::functions() {
        let kept = [HEAP_REGISTER, REGIONS_REGISTER];
        let wanted = match (module, id) {
            (MEMORY, PERMISSIONS_ASSIGN) => config.permissions && table.size > id,
            _ if config.partial => module == MEMORY && kept.contains(&id),
            _ => temper.fills(module, id),
        };
        if wanted && module == table.module && reaches(id) {
            table.put(id, function);
        }
    }
    if config.extra {
        table.put(table.size, entries::extra_function());
    }
}

/// One module's functions in the client.
struct Table {
    module: c_int,
    slots: *mut *mut Slot,
    size: c_uint,
}

impl Table {
    fn fetch(getter: Getter, module: c_int) -> Option<Table> {
        let mut table = Table { module, slots: ptr::null_mut(), size: 0 };
        // SAFETY: the client gives its getter to be called so, and both places outlive the call.
        let status = unsafe { getter(module, &mut table.slots, &mut table.size) };
        (status == SUCCESS && !table.slots.is_null()).then_some(table)
    }

    /// The place of a function; `id` may be as large as the size, where the closing entry is.
    fn slot(&self, id: c_uint) -> *mut Slot {
        let entry = self.slots.wrapping_add(id as usize);
        // SAFETY: the array has `size` entries and one that closes it.
        unsafe { entry.read() }
    }

    fn put(&self, id: c_uint, function: Function) {
        let slot = self.slot(id);
        if slot.is_null() {
            let module = self.module;
            violation!(9, "init: a tool that writes function {id} of module {module} would crash");
            return;
        }
        // SAFETY: the client offers this place for a function to be written to.
        unsafe { slot.write(Some(function)) };
    }
}

/// A module's size for the log.
struct Size<'a>(&'a Option<Table>);

impl std::fmt::Display for Size<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(table) => write!(f, "{}", table.size),
            None => f.write_str("none"),
        }
    }
}
