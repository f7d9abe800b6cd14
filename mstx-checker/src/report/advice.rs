//! What to do about a fault, in a sentence or two. `codes.md` says more.

use mstx_runtime::{Fault, FaultKind};

/// What to do about a fault.
pub(super) fn advice(fault: &Fault) -> &'static str {
    let foreign = if fault.origin().address() == 0 { None } else { of_a_call(fault.kind()) };
    foreign.unwrap_or_else(|| of_an_attribute(fault.kind()))
}

/// Where the call comes from outside of Rust there are no attributes; `None` where these are not mentioned.
const fn of_a_call(kind: FaultKind) -> Option<&'static str> {
    Some(match kind {
        FaultKind::RegionOutsideHeap => {
            "check the pool's arithmetic; a heap that has grown is to be registered with its new size"
        }
        FaultKind::RegionOverlap => {
            "the pool has handed out memory that is in use, or a larger size was registered than it keeps apart"
        }
        FaultKind::RegionRegisteredTwice => "look for a way of giving back that does not unregister the region",
        FaultKind::UnknownRelease => "this was never registered: look for a way of handing out that does not register the region",
        FaultKind::InteriorRelease => "unregister the very address that was registered",
        FaultKind::WrongHeap => "unregister each region in the domain that it was registered in",
        FaultKind::ReleasedUnderHeap => "unregister the inner heap before its memory is given back",
        FaultKind::HeapOverlap => {
            "unregister each heap that has ended; a pool in another pool's memory is to lie in a region of that one"
        }
        FaultKind::HeapRegisteredTwice => "unregister the heap before its memory is given back",
        FaultKind::UnknownHeap => {
            "a heap is named by what its registration returned, or by its first address, until it is unregistered"
        }
        FaultKind::NoSize => "register the size that was asked for, and leave out blocks of none",
        _ => return None,
    })
}

/// Where an attribute, or a function of `mstx`, has reported it.
const fn of_an_attribute(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::RegionOutsideHeap => "check the pool's arithmetic; a heap that has grown is reported with `heap_resize`",
        FaultKind::RegionOverlap => {
            "the pool has handed out memory that is in use, or the annotation says a larger size than the pool keeps apart"
        }
        FaultKind::RegionRegisteredTwice => {
            "a way of giving back is not annotated: look for `free`, `realloc`, `reset` and `Drop` without an attribute"
        }
        FaultKind::UnknownRelease => "this was never handed out, or by a function that is not annotated: annotate all of them",
        FaultKind::ReleasedTwice => "somebody kept a pointer to what was given back already",
        FaultKind::InteriorRelease => {
            "give back the very address that was handed out; if there is a header before it, `ptr` is to say the same in both attributes"
        }
        FaultKind::WrongHeap => "give each block back to the pool that it came from",
        FaultKind::ReleasedUnderHeap => "end the inner heap (`heap_unregister`) before its memory is given back",
        FaultKind::UnknownResize => "what was resized is not known: annotate the function that handed it out",
        FaultKind::RegionLeaked => {
            "free it before; if the pool's end is meant to take everything with it, report `heap_reset` before the end"
        }
        FaultKind::HeapLeaked => "end inner heaps before the memory that they lie in",
        FaultKind::HeapOverlap => {
            "annotate what ends heaps; a pool in another pool's memory is to lie in a block that was handed out and reported"
        }
        FaultKind::HeapRegisteredTwice => "put `heap_unregister` on the function that gives the pool's memory back",
        FaultKind::UnknownHeap => {
            "put `heap` on the function that obtains the pool's memory, and see that `heap = ..` says an address in it"
        }
        FaultKind::AmbiguousHeap => "say which one by `domain = ..`, or by the heap's guard",
        FaultKind::RegionBeforeHeap => "report a heap before what it hands out",
        FaultKind::Wraps => "check how address and size are computed: `end - start` wraps where `end` is the smaller one",
        FaultKind::NullAddress => "check for the failed allocation before it is reported",
        FaultKind::NoSize => "say the size that was asked for, and leave out blocks of none",
        FaultKind::BadDevice => "device numbers begin with 0; for memory of the host say `host`, or leave `device` out",
        FaultKind::OutOfMemory => "what the books say of this heap or region may be wrong from now on",
        _ => "see the documentation of this code",
    }
}
