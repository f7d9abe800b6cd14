//! The functions that a client gets. Each passes on its arguments, and the address that it returns to.
//!
//! In C, nothing else says where a call comes from. A function in Rust cannot ask for that address, so these few instructions do, which
//! touch neither the stack nor the arguments.
#![allow(unsafe_code, reason = "written in the processor's language")]

use mstx_runtime::raw::Slot;

use crate::calls;

/// One function: puts the address that it returns to into the register of the argument `$place`, and goes on with `$call`.
#[cfg(target_arch = "x86_64")]
macro_rules! instructions {
    ($symbol:literal, $call:path, $place:ident) => {
        core::arch::global_asm!(
            concat!(".globl ", $symbol),
            concat!(".hidden ", $symbol),
            concat!(".type ", $symbol, ",@function"),
            concat!($symbol, ":"),
            ".cfi_startproc",
            "endbr64",
            concat!("mov ", register!($place), ", qword ptr [rsp]"),
            "jmp {call}",
            ".cfi_endproc",
            concat!(".size ", $symbol, ", . - ", $symbol),
            call = sym $call,
        );
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! register {
    (second) => {
        "rsi"
    };
    (third) => {
        "rdx"
    };
    (fourth) => {
        "rcx"
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! instructions {
    ($symbol:literal, $call:path, $place:ident) => {
        core::arch::global_asm!(
            concat!(".globl ", $symbol),
            concat!(".hidden ", $symbol),
            concat!(".type ", $symbol, ",%function"),
            concat!($symbol, ":"),
            ".cfi_startproc",
            "hint #34", // bti c
            concat!("mov ", register!($place), ", x30"),
            "b {call}",
            ".cfi_endproc",
            concat!(".size ", $symbol, ", . - ", $symbol),
            call = sym $call,
        );
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! register {
    (second) => {
        "x1"
    };
    (third) => {
        "x2"
    };
    (fourth) => {
        "x3"
    };
}

macro_rules! entries {
    ($($module:ident { $($name:ident $symbol:literal $place:ident;)* })*) => {
        $($(
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            instructions!($symbol, calls::$name, $place);
        )*)*

        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        unsafe extern "C" {
            $($(#[link_name = $symbol] fn $name();)*)*
        }

        $(fn $module() -> &'static [Slot] {
            const { &[$($name as Slot),*] }
        })*

        /// The functions of the modules 1, 2 and 3, each from number 1 on.
        pub(crate) fn modules() -> [&'static [Slot]; 3] {
            [$($module()),*]
        }
    };
}

// In the order of their numbers; `second` and so on: the argument behind the last one.
entries! {
    core_functions {
        mark "mstx_checker_mark" third;
        range_start "mstx_checker_range_start" third;
        range_end "mstx_checker_range_end" second;
        get_tool_id "mstx_checker_get_tool_id" second;
    }
    domain_functions {
        domain_create "mstx_checker_domain_create" second;
        domain_destroy "mstx_checker_domain_destroy" second;
        domain_mark "mstx_checker_domain_mark" fourth;
        domain_range_start "mstx_checker_domain_range_start" fourth;
        domain_range_end "mstx_checker_domain_range_end" third;
    }
    memory_functions {
        heap_register "mstx_checker_heap_register" third;
        heap_unregister "mstx_checker_heap_unregister" third;
        regions_register "mstx_checker_regions_register" third;
        regions_unregister "mstx_checker_regions_unregister" third;
    }
}

/// Elsewhere nobody knows where a call comes from.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod plain {
    use core::ffi::c_char;

    use mstx_runtime::raw::{DomainHandle, HeapDesc, HeapHandle, RegionsRegisterBatch, RegionsUnregisterBatch, Stream};

    use crate::calls;

    macro_rules! plain {
        ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
            pub(super) unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? {
                // SAFETY: the caller vouches for the arguments.
                unsafe { calls::$name($($argument,)* 0) }
            }
        )*};
    }

    plain! {
        mark(message: *const c_char, stream: Stream);
        range_start(message: *const c_char, stream: Stream) -> u64;
        range_end(id: u64);
        get_tool_id(id: *mut u64);
        domain_create(name: *const c_char) -> DomainHandle;
        domain_destroy(domain: DomainHandle);
        domain_mark(domain: DomainHandle, message: *const c_char, stream: Stream);
        domain_range_start(domain: DomainHandle, message: *const c_char, stream: Stream) -> u64;
        domain_range_end(domain: DomainHandle, id: u64);
        heap_register(domain: DomainHandle, heap: *const HeapDesc) -> HeapHandle;
        heap_unregister(domain: DomainHandle, heap: HeapHandle);
        regions_register(domain: DomainHandle, batch: *const RegionsRegisterBatch);
        regions_unregister(domain: DomainHandle, batch: *const RegionsUnregisterBatch);
    }
}
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use plain::*;
