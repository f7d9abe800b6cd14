//! AddressSanitizer's and LeakSanitizer's functions, if they are in the process.
//!
//! A runtime that is linked into the program is not visible to `dlsym`, but to a weak reference; with a shared or preloaded one it may
//! be the other way round. So each function is looked for in both ways.
#![allow(unsafe_code, reason = "calls into the sanitizers' runtime")]

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ops::Range;
use core::ptr::{self, null_mut};
use core::sync::atomic::{AtomicUsize, Ordering};

/// So many bytes are kept as one.
pub(super) const GRANULE: usize = 8;

/// Defines a function that finds the sanitizers' function of that name, once.
macro_rules! find {
    ($($(#[$doc:meta])* $name:ident: $symbol:literal as $type:ty;)*) => {$(
        $(#[$doc])*
        fn $name() -> Option<$type> {
            static KNOWN: AtomicUsize = AtomicUsize::new(usize::MAX);
            let mut address = KNOWN.load(Ordering::Relaxed);
            if address == usize::MAX {
                address = linked!($symbol);
                if address == 0 {
                    // Only a C string comes out of `concat!` with a zero at its end.
                    let name = CStr::from_bytes_with_nul(concat!($symbol, "\0").as_bytes()).unwrap_or_default();
                    address = loaded(name);
                }
                KNOWN.store(address, Ordering::Relaxed);
            }
            (address != 0).then(|| {
                let function = ptr::with_exposed_provenance::<c_void>(address);
                // SAFETY: it is the function of that name, whose type is part of the sanitizers' public interface.
                unsafe { core::mem::transmute::<*const c_void, $type>(function) }
            })
        }
    )*};
}

/// The address of a function that may be linked into this program; 0 if it is not.
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
macro_rules! linked {
    ($symbol:literal) => {{
        let address: usize;
        // SAFETY: reads an entry of the global offset table.
        unsafe {
            core::arch::asm!(
                concat!(".weak ", $symbol),
                concat!("mov {address}, qword ptr [rip + ", $symbol, "@GOTPCREL]"),
                address = out(reg) address,
                options(nostack, preserves_flags, pure, readonly),
            );
        }
        address
    }};
}

#[cfg(all(target_arch = "aarch64", target_os = "linux", not(miri)))]
macro_rules! linked {
    ($symbol:literal) => {{
        let address: usize;
        // SAFETY: reads an entry of the global offset table.
        unsafe {
            core::arch::asm!(
                concat!(".weak ", $symbol),
                concat!("adrp {address}, :got:", $symbol),
                concat!("ldr {address}, [{address}, :got_lo12:", $symbol, "]"),
                address = out(reg) address,
                options(nostack, preserves_flags, pure, readonly),
            );
        }
        address
    }};
}

#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux", not(miri))))]
macro_rules! linked {
    ($symbol:literal) => {
        0
    };
}

/// The address of a function in a shared library of this process.
#[cfg(all(unix, not(miri)))]
fn loaded(name: &CStr) -> usize {
    // SAFETY: the name is a C string.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }.expose_provenance()
}

#[cfg(not(all(unix, not(miri))))]
fn loaded(_: &CStr) -> usize {
    0
}

type OnRange = unsafe extern "C" fn(*const c_void, usize);
type Callback = extern "C" fn(*const c_char);
type Shadow = unsafe extern "C" fn(*mut usize, *mut usize);
type Locate = unsafe extern "C" fn(*mut c_void, *mut c_char, usize, *mut *mut c_void, *mut usize) -> *const c_char;

find! {
    poison_region: "__asan_poison_memory_region" as OnRange;
    unpoison_region: "__asan_unpoison_memory_region" as OnRange;
    set_callback: "__asan_set_error_report_callback" as unsafe extern "C" fn(Callback);
    report_address: "__asan_get_report_address" as unsafe extern "C" fn() -> *mut c_void;
    report_type: "__asan_get_report_access_type" as unsafe extern "C" fn() -> c_int;
    report_size: "__asan_get_report_access_size" as unsafe extern "C" fn() -> usize;
    locate: "__asan_locate_address" as Locate;
    shadow_mapping: "__asan_get_shadow_mapping" as Shadow;
    register_root: "__lsan_register_root_region" as OnRange;
    unregister_root: "__lsan_unregister_root_region" as OnRange;
}

/// Whether AddressSanitizer is in the process.
pub(super) fn is_there() -> bool {
    poison_region().is_some() && unpoison_region().is_some()
}

fn on_range(function: Option<OnRange>, start: usize, size: usize) {
    if let Some(function) = function {
        // SAFETY: nothing is accessed there; the range is the host's memory, which is all that the sanitizers ask for.
        unsafe { function(ptr::without_provenance(start), size) }
    }
}

/// Nobody may access it.
pub(super) fn poison(start: usize, size: usize) {
    on_range(poison_region(), start, size);
}

/// It may be accessed.
pub(super) fn unpoison(start: usize, size: usize) {
    on_range(unpoison_region(), start, size);
}

/// Reads a byte of what AddressSanitizer keeps. In the processor's language: any other access is checked, and that one is refused.
///
/// # Safety
///
/// It is such a byte. Others may write it meanwhile.
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
unsafe fn load(address: usize) -> i8 {
    let byte: i8;
    // SAFETY: reads that byte, and nothing else happens.
    unsafe {
        core::arch::asm!("mov {0}, byte ptr [{1}]", out(reg_byte) byte, in(reg) address, options(nostack, preserves_flags, readonly));
    }
    byte
}

#[cfg(all(target_arch = "aarch64", target_os = "linux", not(miri)))]
unsafe fn load(address: usize) -> i8 {
    let byte: i32;
    // SAFETY: reads that byte, and nothing else happens.
    unsafe { core::arch::asm!("ldrsb {0:w}, [{1}]", out(reg) byte, in(reg) address, options(nostack, preserves_flags, readonly)) }
    i8::try_from(byte).unwrap_or(TOLD)
}

/// Elsewhere it is as it was told.
#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux", not(miri))))]
unsafe fn load(_: usize) -> i8 {
    TOLD
}

/// What AddressSanitizer keeps of 8 bytes: this (0xf7) where it was told that nobody may access them.
const TOLD: i8 = -9;

/// Whether nobody may access the first bytes of a range that can be closed at all, because [`poison`] has said so. Where the memory was
/// mapped anew, or handed out or taken back by `malloc`, AddressSanitizer itself has said something else since.
pub(super) fn is_poisoned(range: &Range<usize>) -> bool {
    let Some(mapping) = shadow_mapping() else { return true };
    let (mut scale, mut offset) = (0, 0);
    // SAFETY: both are valid for being written.
    unsafe { mapping(&raw mut scale, &raw mut offset) };
    // SAFETY: the memory is the host's, of all of which this is kept.
    let kept = |address: usize| unsafe { load((address >> scale).wrapping_add(offset)) };
    let first = range.start.next_multiple_of(GRANULE);
    if range.end.saturating_sub(first) >= GRANULE {
        return kept(first) == TOLD;
    }
    // How many of the 8 bytes may be accessed, from the first on.
    let (open, start) = (kept(range.start), range.start % GRANULE);
    open == TOLD || usize::try_from(open).is_ok_and(|open| open != 0 && open <= start)
}

/// Pointers in it keep what they point to from being a leak.
pub(super) fn root(start: usize, size: usize) {
    on_range(register_root(), start, size);
}

/// It is no root any more. It was one.
pub(super) fn unroot(start: usize, size: usize) {
    on_range(unregister_root(), start, size);
}

/// Whether LeakSanitizer looks at this memory by itself: a block of `malloc`'s, a global, a stack.
pub(super) fn is_known(address: usize) -> bool {
    let Some(locate) = locate() else { return true };
    let (mut name, mut start, mut size) = ([0; 1], null_mut(), 0);
    // SAFETY: the buffer is as long as it is said to be, and the rest is valid for being written.
    let kind = unsafe { locate(ptr::without_provenance_mut(address), name.as_mut_ptr(), 1, &raw mut start, &raw mut size) };
    // SAFETY: a C string of the runtime's own.
    let kind = unsafe { CStr::from_ptr(kind) };
    matches!(kind.to_bytes(), b"heap" | b"global" | b"stack")
}

/// An access that is reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported {
    pub(super) address: usize,
    pub(super) size: usize,
    pub(super) writes: bool,
}

/// Has `callback` called after each report.
pub(super) fn on_report(callback: Callback) {
    if let Some(set) = set_callback() {
        // SAFETY: the callback may be called from any thread, at any time.
        unsafe { set(callback) }
    }
}

/// What the report is about that is being made.
pub(super) fn reported() -> Option<Reported> {
    let (address, kind, size) = (report_address()?, report_type()?, report_size()?);
    // SAFETY: no conditions.
    let address = unsafe { address() }.addr();
    // SAFETY: no conditions.
    let kind = unsafe { kind() };
    // SAFETY: no conditions.
    let size = unsafe { size() };
    Some(Reported { address, size, writes: kind != 0 })
}
