//! The kinds of calls, as they are counted and named.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! kinds {
    ($($kind:ident = $number:literal, $name:literal;)*) => {
        /// What is counted; the numbers are those of `mstx_stub_calls` (see the crate's documentation).
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(u32)]
        pub(crate) enum Kind { $($kind = $number,)* }

        impl Kind {
            const ALL: &[Kind] = &[$(Kind::$kind,)*];

            /// The name in the log.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Kind::$kind => $name,)* }
            }
        }
    };
}

kinds! {
    Init = 0, "init";
    Mark = 1, "mark";
    RangeStart = 2, "range_start";
    RangeEnd = 3, "range_end";
    GetToolId = 4, "get_tool_id";
    DomainCreate = 5, "domain_create";
    DomainDestroy = 6, "domain_destroy";
    DomainMark = 7, "domain_mark";
    DomainRangeStart = 8, "domain_range_start";
    DomainRangeEnd = 9, "domain_range_end";
    HeapRegister = 10, "heap_register";
    HeapUnregister = 11, "heap_unregister";
    RegionsRegister = 12, "regions_register";
    RegionsUnregister = 13, "regions_unregister";
    PermissionsAssign = 14, "permissions_assign";
    Extra = 15, "extra";
    RegionRegistered = 16, "regions_registered";
    RegionUnregistered = 17, "regions_unregistered";
    ToolError = 18, "tool_errors";
}

static COUNTS: [AtomicU64; Kind::ALL.len()] = [const { AtomicU64::new(0) }; Kind::ALL.len()];

/// Counts `n` more of a kind.
pub(crate) fn count(kind: Kind, n: usize) {
    COUNTS[kind as usize].fetch_add(n as u64, Relaxed);
}

/// How many of the kind with this number were counted; 0 for a number that stands for nothing.
pub(crate) fn counted(number: u32) -> u64 {
    COUNTS.get(number as usize).map_or(0, |c| c.load(Relaxed))
}

/// Every kind with its count.
pub(crate) fn counts() -> impl Iterator<Item = (Kind, u64)> {
    Kind::ALL.iter().map(|&kind| (kind, counted(kind as u32)))
}

/// All calls of functions: without the initialiser and what is not a call of its own.
pub(crate) fn calls() -> u64 {
    counts().filter(|(kind, _)| (Kind::Mark as u32..=Kind::Extra as u32).contains(&(*kind as u32))).map(|(_, n)| n).sum()
}
