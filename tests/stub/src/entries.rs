//! The functions that go into the client's slots. Each reads what the client passed, has the rules checked, lets the
//! imitated tool answer, and writes its line.

use crate::abi::{
    BY_HANDLE, CORE, DOMAIN, Function, Handle, HeapDesc, MEMORY, PermissionsAssignBatch, RegionRef, RegionsRegisterBatch,
    RegionsUnregisterBatch, Text, VirtualRangeDesc,
};
use crate::books::{Name, Range};
use crate::config;
use crate::gate;
use crate::hostile;
use crate::kind::{self, Kind};
use crate::log::{self, violation};
use std::ffi::{CStr, c_int, c_void};
use std::fmt;
use std::slice;
use std::sync::atomic::AtomicBool;

/// Every function of the stub with its place.
pub(crate) fn functions() -> [(c_int, u32, Function); 14] {
    [
        (CORE, 1, erase(mark as *const ())),
        (CORE, 2, erase(range_start as *const ())),
        (CORE, 3, erase(range_end as *const ())),
        (CORE, 4, erase(get_tool_id as *const ())),
        (DOMAIN, 1, erase(domain_create as *const ())),
        (DOMAIN, 2, erase(domain_destroy as *const ())),
        (DOMAIN, 3, erase(domain_mark as *const ())),
        (DOMAIN, 4, erase(domain_range_start as *const ())),
        (DOMAIN, 5, erase(domain_range_end as *const ())),
        (MEMORY, 1, erase(heap_register as *const ())),
        (MEMORY, 2, erase(heap_unregister as *const ())),
        (MEMORY, 3, erase(regions_register as *const ())),
        (MEMORY, 4, erase(regions_unregister as *const ())),
        (MEMORY, 5, erase(permissions_assign as *const ())),
    ]
}

/// What a tool writes that believes in one function more than there is.
pub(crate) fn extra_function() -> Function {
    extra
}

fn erase(function: *const ()) -> Function {
    // SAFETY: the pointer comes from one of the functions here; a client casts it back to its real type to call it.
    unsafe { std::mem::transmute::<*const (), Function>(function) }
}

unsafe extern "C" fn mark(message: Text, stream: *const c_void) {
    // SAFETY: clients pass a C string or null.
    let message = unsafe { text(message) };
    marked(Kind::Mark, None, message, stream);
}

unsafe extern "C" fn domain_mark(domain: Handle, message: Text, stream: *const c_void) {
    // SAFETY: clients pass a C string or null.
    let message = unsafe { text(message) };
    marked(Kind::DomainMark, Some(domain), message, stream);
}

fn marked(kind: Kind, domain: Option<Handle>, message: Option<&[u8]>, stream: *const c_void) {
    if !gate::enter(kind) {
        return;
    }
    let mut state = gate::state();
    let Some(state) = state.as_mut() else { return };
    state.checks.domain(kind.name(), domain.unwrap_or(0));
    state.checks.message(kind.name(), message);
    let (domain, name) = (InDomain(domain), kind.name());
    log::call(format_args!("{name}{domain} message={} stream={stream:?}", Message(message)));
    state.temper.mark(message);
}

unsafe extern "C" fn range_start(message: Text, stream: *const c_void) -> u64 {
    // SAFETY: clients pass a C string or null.
    let message = unsafe { text(message) };
    started(Kind::RangeStart, None, message, stream)
}

unsafe extern "C" fn domain_range_start(domain: Handle, message: Text, stream: *const c_void) -> u64 {
    // SAFETY: clients pass a C string or null.
    let message = unsafe { text(message) };
    started(Kind::DomainRangeStart, Some(domain), message, stream)
}

fn started(kind: Kind, domain: Option<Handle>, message: Option<&[u8]>, stream: *const c_void) -> u64 {
    if !gate::enter(kind) {
        return 0;
    }
    let mut state = gate::state();
    let Some(state) = state.as_mut() else {
        return 0;
    };
    state.checks.domain(kind.name(), domain.unwrap_or(0));
    state.checks.message(kind.name(), message);
    state.last_range += 1;
    let id = state.last_range;
    state.checks.range_started(domain.unwrap_or(0), id);
    let (domain, name) = (InDomain(domain), kind.name());
    log::call(format_args!("{name}{domain} message={} stream={stream:?} -> {id}", Message(message)));
    id
}

extern "C" fn range_end(id: u64) {
    ended(Kind::RangeEnd, None, id);
}

extern "C" fn domain_range_end(domain: Handle, id: u64) {
    ended(Kind::DomainRangeEnd, Some(domain), id);
}

fn ended(kind: Kind, domain: Option<Handle>, id: u64) {
    if !gate::enter(kind) {
        return;
    }
    let mut state = gate::state();
    let Some(state) = state.as_mut() else { return };
    state.checks.domain(kind.name(), domain.unwrap_or(0));
    state.checks.range_end(kind.name(), domain.unwrap_or(0), id);
    log::call(format_args!("{}{} id={id}", kind.name(), InDomain(domain)));
}

unsafe extern "C" fn get_tool_id(id: *mut u64) {
    if !gate::enter(Kind::GetToolId) {
        return;
    }
    let state = gate::state();
    let Some(state) = state.as_ref() else { return };
    let tool = state.temper.tool_id();
    log::call(format_args!("get_tool_id -> {tool:#x}"));
    if id.is_null() {
        violation!(6, "get_tool_id: null pointer");
        return;
    }
    // SAFETY: it is not null, so the client gives it to be written to.
    unsafe { id.write(tool) };
}

unsafe extern "C" fn domain_create(name: Text) -> Handle {
    if !gate::enter(Kind::DomainCreate) {
        return 0;
    }
    // SAFETY: clients pass a C string or null.
    let name = unsafe { text(name) };
    let config = config::get();
    let mut state = gate::state();
    let Some(state) = state.as_mut() else {
        return 0;
    };
    let times = state.checks.domain_create(name, state.clients);
    let refused = config.refuses || (config.refuses_second && times > 1);
    let domain = if refused { 0 } else { state.temper.domain_create(name) };
    state.checks.domain_created(name, domain);
    match name {
        Some(text) => {
            let name = text.escape_ascii().to_string().replace(' ', "\\x20");
            log::call(format_args!("domain_create name={name} -> {}", Name(domain)));
        }
        None => log::call(format_args!("domain_create null -> {}", Name(domain))),
    }
    domain
}

extern "C" fn domain_destroy(domain: Handle) {
    if !gate::enter(Kind::DomainDestroy) {
        return;
    }
    let mut state = gate::state();
    let Some(state) = state.as_mut() else { return };
    state.checks.domain_destroy(domain);
    state.temper.domain_destroy(domain);
    log::call(format_args!("domain_destroy domain={}", Name(domain)));
}

unsafe extern "C" fn heap_register(domain: Handle, desc: *const HeapDesc) -> Handle {
    let Some(_call) = gate::enter_memory(Kind::HeapRegister) else {
        return 0;
    };
    // SAFETY: clients pass a description, or null by mistake.
    let Some(desc) = (unsafe { desc.as_ref() }) else {
        violation!(6, "heap_register: null description");
        return 0;
    };
    if (desc.usage, desc.kind) != (0, 0) {
        violation!(0, "heap_register: usage {}, type {}", desc.usage, desc.kind);
    }
    // SAFETY: clients pass a range here, or null by mistake.
    let Some(range) = (unsafe { desc.range.as_ref() }) else {
        violation!(6, "heap_register: null range");
        return 0;
    };
    let range = Range::from(*range);
    let mut state = gate::state();
    let Some(state) = state.as_mut() else {
        return 0;
    };
    let key = state.checks.heap_register(domain, &range);
    let mut handle = state.temper.heap_register(domain, &range);
    if config::get().null_heaps {
        handle = state.hidden.hide(range.start, handle);
    }
    state.checks.heap_registered(key, handle);
    let (domain, handle_name) = (Name(domain), Name(handle));
    let Range { device, start, size } = range;
    log::call(format_args!("heap_register domain={domain} device={device} ptr={start:#x} size={size} -> {handle_name}"));
    handle
}

extern "C" fn heap_unregister(domain: Handle, heap: Handle) {
    let Some(_call) = gate::enter_memory(Kind::HeapUnregister) else {
        return;
    };
    let mut state = gate::state();
    let Some(state) = state.as_mut() else { return };
    let was = state.checks.heap_unregister(domain, heap);
    state.temper.heap_unregister(domain, state.hidden.find(heap));
    state.hidden.forget(heap);
    let (domain, heap) = (Name(domain), Name(heap));
    match was {
        Some(Range { start, size, .. }) => {
            let range = format_args!("ptr={start:#x} size={size}");
            log::call(format_args!("heap_unregister domain={domain} heap={heap} {range}"));
        }
        None => log::call(format_args!("heap_unregister domain={domain} heap={heap} ptr=?")),
    }
}

unsafe extern "C" fn regions_register(domain: Handle, batch: *const RegionsRegisterBatch) {
    static RE_ENTERED: AtomicBool = AtomicBool::new(false);
    let Some(_call) = gate::enter_memory(Kind::RegionsRegister) else {
        return;
    };
    // SAFETY: clients pass a batch, or null by mistake.
    let Some(batch) = (unsafe { batch.as_ref() }) else {
        violation!(6, "regions_register: null batch");
        return;
    };
    if batch.kind != 0 {
        violation!(0, "regions_register: type {}", batch.kind);
    }
    // SAFETY: clients pass as many ranges as they say, or null by mistake.
    let Some(ranges) = (unsafe { array(batch.ranges, batch.count) }) else {
        violation!(6, "regions_register: null array of {} ranges", batch.count);
        return;
    };
    let ranges: Vec<Range> = ranges.iter().map(|range: &VirtualRangeDesc| (*range).into()).collect();
    kind::count(Kind::RegionRegistered, ranges.len());
    check_handle_array(batch);
    hostile::re_enter(config::get(), &RE_ENTERED);

    let mut state = gate::state();
    let Some(state) = state.as_mut() else { return };
    let keys = state.checks.regions_register(domain, batch.heap, &ranges);
    let mut handles = vec![0; ranges.len()];
    let out = (!batch.handles.is_null()).then_some(&mut handles[..]);
    state.temper.regions_register(domain, state.hidden.find(batch.heap), &ranges, out);
    for (index, handle) in handles.iter().enumerate().filter(|(_, handle)| **handle != 0) {
        let place = batch.handles.wrapping_add(index);
        // SAFETY: handles are made only where the client gave an array, which has a place for each region.
        unsafe { place.write(*handle) };
    }
    state.checks.regions_registered(&keys, &handles);
    let heap = Name(batch.heap);
    log::call(format_args!(
        "regions_register domain={} heap={heap} count={} [{}]",
        Name(domain),
        ranges.len(),
        listed(ranges.iter().zip(&handles), |f, (range, handle)| {
            write!(f, "{range} dev={} -> {}", range.device, Name(*handle))
        }),
    ));
}

/// Rule 1: an array there is, and it is filled with null.
fn check_handle_array(batch: &RegionsRegisterBatch) {
    if batch.handles.is_null() {
        violation!(1, "regions_register: null handle array");
        return;
    }
    for index in 0..batch.count {
        let place = batch.handles.wrapping_add(index);
        // SAFETY: the array has a place for each region, which the client has filled.
        let handle = unsafe { place.read() };
        if handle != 0 {
            violation!(1, "regions_register: handle array not zeroed: {handle:#x} at {index}");
            return;
        }
    }
}

unsafe extern "C" fn regions_unregister(domain: Handle, batch: *const RegionsUnregisterBatch) {
    static RE_ENTERED: AtomicBool = AtomicBool::new(false);
    let Some(_call) = gate::enter_memory(Kind::RegionsUnregister) else {
        return;
    };
    // SAFETY: clients pass a batch, or null by mistake.
    let Some(batch) = (unsafe { batch.as_ref() }) else {
        violation!(6, "regions_unregister: null batch");
        return;
    };
    // SAFETY: clients pass as many references as they say, or null by mistake.
    let Some(refs) = (unsafe { array(batch.refs, batch.count) }) else {
        violation!(6, "regions_unregister: null array of {} references", batch.count);
        return;
    };
    kind::count(Kind::RegionUnregistered, refs.len());
    hostile::re_enter(config::get(), &RE_ENTERED);

    let mut state = gate::state();
    let Some(state) = state.as_mut() else { return };
    let were = state.checks.regions_unregister(domain, refs);
    state.temper.regions_unregister(domain, refs);
    log::call(format_args!(
        "regions_unregister domain={} count={} [{}]",
        Name(domain),
        refs.len(),
        listed(refs.iter().zip(&were), |f, (region, was)| {
            match (region.kind, was) {
                (BY_HANDLE, Some(was)) => write!(f, "{} = {was}", Reference(region)),
                (BY_HANDLE, None) => write!(f, "{} = ?", Reference(region)),
                _ => write!(f, "{}", Reference(region)),
            }
        }),
    ));
}

unsafe extern "C" fn permissions_assign(domain: Handle, batch: *const PermissionsAssignBatch) {
    let Some(_call) = gate::enter_memory(Kind::PermissionsAssign) else {
        return;
    };
    // SAFETY: clients pass a batch, or null by mistake.
    let Some(batch) = (unsafe { batch.as_ref() }) else {
        violation!(6, "permissions_assign: null batch");
        return;
    };
    // SAFETY: clients pass as many regions as they say, or null by mistake.
    let Some(regions) = (unsafe { array(batch.regions, batch.count) }) else {
        violation!(6, "permissions_assign: null array of {} regions", batch.count);
        return;
    };
    log::call(format_args!(
        "permissions_assign domain={} count={} [{}]",
        Name(domain),
        regions.len(),
        listed(regions.iter(), |f, region| { write!(f, "{} flags={:#x}", Reference(&region.region), region.flags) }),
    ));
}

unsafe extern "C" fn extra() {
    if gate::enter(Kind::Extra) {
        violation!(9, "extra: a function was called that the client does not know");
    }
}

/// Reads a string.
///
/// # Safety
/// Null, or a C string that outlives the use of the result.
unsafe fn text<'a>(string: Text) -> Option<&'a [u8]> {
    if string.is_null() {
        return None;
    }
    // SAFETY: as the caller promises.
    Some(unsafe { CStr::from_ptr(string) }.to_bytes())
}

/// Reads an array. Nothing where there should be one.
///
/// # Safety
/// Null, or `count` elements that outlive the use of the result.
unsafe fn array<'a, T>(first: *const T, count: usize) -> Option<&'a [T]> {
    if count == 0 {
        return Some(&[]);
    }
    if first.is_null() {
        return None;
    }
    // SAFETY: as the caller promises.
    Some(unsafe { slice::from_raw_parts(first, count) })
}

/// ` domain=d1`, or nothing for the functions that have none.
struct InDomain(Option<Handle>);

impl fmt::Display for InDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |domain| write!(f, " domain={}", Name(domain)))
    }
}

/// A message in quotes, or `null`.
struct Message<'a>(Option<&'a [u8]>);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => write!(f, "\"{}\"", text.escape_ascii()),
            None => f.write_str("null"),
        }
    }
}

/// `handle r1` or `pointer 0x1000`.
struct Reference<'a>(&'a RegionRef);

impl fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = self.0.target;
        match self.0.kind {
            BY_HANDLE => write!(f, "handle {}", Name(target)),
            _ => write!(f, "pointer {target:#x}"),
        }
    }
}

/// Items between commas, each written by `write`.
fn listed<I, F>(items: I, write: F) -> Listed<I, F>
where
    I: Iterator + Clone,
    F: Fn(&mut fmt::Formatter<'_>, I::Item) -> fmt::Result,
{
    Listed { items, write }
}

struct Listed<I, F> {
    items: I,
    write: F,
}

impl<I, F> fmt::Display for Listed<I, F>
where
    I: Iterator + Clone,
    F: Fn(&mut fmt::Formatter<'_>, I::Item) -> fmt::Result,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.items.clone().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            (self.write)(f, item)?;
        }
        Ok(())
    }
}
