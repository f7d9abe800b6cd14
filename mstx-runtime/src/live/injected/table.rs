//! The slots that a tool fills with its functions.
//!
//! Three modules of sizes 5, 6 and 5 (the highest function number plus one). Slot 0 and the one behind the last are spare:
//! a tool that tests `size >= id` instead of `size > id` writes there, and does no harm. One more module, which the interface does not
//! know, is for our own checker where that is the tool.
#![allow(unsafe_code, reason = "hands slots to foreign code, and calls what it put there")]

use core::ffi::{c_int, c_uint, c_void};
use core::mem::transmute_copy;
use core::ptr::{null_mut, without_provenance_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::abi::{self, Slot};
use crate::live::{self, foreign::MODULE};

/// One function of the interface.
pub(crate) struct Function<F> {
    slot: AtomicPtr<c_void>,
    signature: core::marker::PhantomData<F>,
}

impl<F: Copy> Function<F> {
    const fn new() -> Self {
        Self { slot: AtomicPtr::new(null_mut()), signature: core::marker::PhantomData }
    }

    /// What the tool put there; `None`: it does not implement this function.
    ///
    /// # Safety
    ///
    /// The tool must have put a function of this signature there. Who injects a tool vouches for that.
    pub(crate) unsafe fn get(&self) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<Slot>()) };
        let function = self.slot.load(Ordering::Acquire);
        // SAFETY: `F` is a function pointer, of the same size and not null; the caller vouches for its signature.
        (!function.is_null()).then(|| unsafe { transmute_copy::<Slot, F>(&function) })
    }
}

macro_rules! functions {
    ($($name:ident: $signature:ty;)*) => {
        /// The functions of the three modules.
        pub(crate) struct Functions {
            $(pub(crate) $name: Function<$signature>,)*
        }

        /// What the tool has put into its slots.
        pub(crate) static FUNCTIONS: Functions = Functions { $($name: Function::new(),)* };

        /// A tool that failed is never called, even where it had filled slots.
        pub(crate) fn clear() {
            $(FUNCTIONS.$name.slot.store(null_mut(), Ordering::Release);)*
        }
    };
}

functions! {
    mark: abi::Mark;
    range_start: abi::RangeStart;
    range_end: abi::RangeEnd;
    get_tool_id: abi::GetToolId;
    domain_create: abi::DomainCreate;
    domain_destroy: abi::DomainDestroy;
    domain_mark: abi::DomainMark;
    domain_range_start: abi::DomainRangeStart;
    domain_range_end: abi::DomainRangeEnd;
    heap_register: abi::HeapRegister;
    heap_unregister: abi::HeapUnregister;
    regions_register: abi::RegionsRegister;
    regions_unregister: abi::RegionsUnregister;
    wants_host: WantsHost;
}

/// Of our own module, number 1: not 0 if the tool wants to be told of heaps that are host memory.
pub(crate) type WantsHost = unsafe extern "C" fn() -> c_int;

/// Of our own module, number 2, which is not the tool's to fill: whether the checker listens in this program, so that another one has
/// nothing more to say.
static CHECKED: AtomicPtr<c_void> = AtomicPtr::new(is_checked as *mut c_void);

extern "C" fn is_checked() -> c_int {
    c_int::from(live::is_checked())
}

/// What tells this client from others: slot 0 of the first module, which no tool uses, holds the number of our own module. Others may
/// not expect to be asked for it.
static MARK: AtomicPtr<c_void> = AtomicPtr::new(without_provenance_mut(MODULE as usize));

/// Where a tool may write what nobody reads.
static SPARE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Addresses of slots, as the tool is handed them.
struct Table<const N: usize>([*mut Slot; N]);

// SAFETY: the addresses never change, and what they point to is only touched atomically by us, and by the tool while it
// initialises, when nobody else does.
unsafe impl<const N: usize> Sync for Table<N> {}

const SPARE_SLOT: *mut Slot = SPARE.as_ptr();

/// The size that is handed out, and the addresses: slot 0, the functions, the spare one behind, and null.
static CORE: Table<7> = Table([
    MARK.as_ptr(),
    FUNCTIONS.mark.slot.as_ptr(),
    FUNCTIONS.range_start.slot.as_ptr(),
    FUNCTIONS.range_end.slot.as_ptr(),
    FUNCTIONS.get_tool_id.slot.as_ptr(),
    SPARE_SLOT,
    null_mut(),
]);
static CORE_DOMAIN: Table<8> = Table([
    SPARE_SLOT,
    FUNCTIONS.domain_create.slot.as_ptr(),
    FUNCTIONS.domain_destroy.slot.as_ptr(),
    FUNCTIONS.domain_mark.slot.as_ptr(),
    FUNCTIONS.domain_range_start.slot.as_ptr(),
    FUNCTIONS.domain_range_end.slot.as_ptr(),
    SPARE_SLOT,
    null_mut(),
]);
static CORE_MEM: Table<7> = Table([
    SPARE_SLOT,
    FUNCTIONS.heap_register.slot.as_ptr(),
    FUNCTIONS.heap_unregister.slot.as_ptr(),
    FUNCTIONS.regions_register.slot.as_ptr(),
    FUNCTIONS.regions_unregister.slot.as_ptr(),
    SPARE_SLOT,
    null_mut(),
]);
static OURS: Table<5> =
    Table([SPARE_SLOT, FUNCTIONS.wants_host.slot.as_ptr(), CHECKED.as_ptr(), SPARE_SLOT, null_mut()]);

/// Hands out the slots of a module.
pub(crate) unsafe extern "C" fn getter(module: c_int, table: *mut *mut *mut Slot, size: *mut c_uint) -> c_int {
    if table.is_null() || size.is_null() {
        return 1;
    }
    // The tools' type for the array is not constant, though none writes to it.
    let (slots, count) = match module {
        1 => (CORE.0.as_ptr().cast_mut(), 5),
        2 => (CORE_DOMAIN.0.as_ptr().cast_mut(), 6),
        3 => (CORE_MEM.0.as_ptr().cast_mut(), 5),
        MODULE => (OURS.0.as_ptr().cast_mut(), 3),
        _ => return 1,
    };
    // SAFETY: the tool passes the address of a variable of its own.
    unsafe { table.write(slots) };
    // SAFETY: as above.
    unsafe { size.write(count) };
    0
}
