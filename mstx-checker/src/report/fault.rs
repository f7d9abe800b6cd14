//! A fault when it is found.

use core::fmt::{self, Display, Write as _};

use mstx_runtime::{Fault, FaultHeap, FaultKind, FaultRegion};

use super::advice::advice;
use super::{line, origin, remark};
use crate::position::Position;
use crate::text::{Count, Style, Text};

/// Neighbours that are farther away than this say nothing where there is no heap around them.
const NEAR: usize = 4096;

/// A fault, with the calls that it came from. `first`: it is the first one of its kind.
pub(crate) fn fault(text: &mut Text, fault: &Fault, first: bool) -> fmt::Result {
    write!(text, "mstx: ")?;
    text.styled(Style::Fault, format_args!("fault[{}]", fault.kind().code()))?;
    text.styled(Style::Title, format_args!(": {}", fault.kind()))?;
    writeln!(text)?;
    origin(text, "  ", fault.origin())?;
    details(text, fault)?;
    if let Some(other) = fault.other() {
        remark(text, Style::Note, "note", format_args!("{} here", what_the_other_did(fault.kind())))?;
        origin(text, "  ", other)?;
    }
    if first {
        remark(text, Style::Help, "help", advice(fault))?;
    }
    writeln!(text)
}

/// Says, in a line, that a fault that was shown before goes on.
pub(crate) fn is_still_found(text: &mut Text, fault: &Fault, times: u64) -> fmt::Result {
    write!(text, "mstx: ")?;
    text.styled(Style::Fault, format_args!("fault[{}]", fault.kind().code()))?;
    writeln!(text, ": {times} times by now, from the same call, at {}", Position::of(fault.origin()))
}

/// Where it is, what is around it, and who did it.
fn details(text: &mut Text, fault: &Fault) -> fmt::Result {
    let mut equals = |what: fmt::Arguments<'_>| line(text, "  ", what);
    if fault.size() != 0 || fault.address() != 0 || fault.kind() == FaultKind::NullAddress {
        equals(format_args!("{}", Place(fault)))?;
    }
    if let Some(heap) = fault.heap() {
        let (name, size, start) = (heap.name(), Count(heap.size(), "byte"), heap.start());
        equals(format_args!("heap `{name}`: {size}, {start:#x} to {:#x}", end(heap)))?;
    }
    let region = |side, region| Neighbour { fault, side, region };
    if let Some(inside) = fault.inside().filter(|inside| !(inside.start() == fault.address() && is_said(fault, inside))) {
        equals(format_args!("inside: {}", region(Side::Inside, inside)))?;
    }
    if let Some(left) = fault.left().filter(|left| is_near(fault, fault.address() - left_end(left))) {
        equals(format_args!("left: {}", region(Side::Left, left)))?;
    }
    if let Some(right) = fault.right().filter(|right| is_near(fault, right.start().saturating_sub(last(fault)))) {
        equals(format_args!("right: {}", region(Side::Right, right)))?;
    }
    match fault.thread() {
        Some(thread) if thread.id() != 0 => equals(format_args!("thread `{}` ({})", thread.name(), thread.id())),
        _ => Ok(()),
    }
}

fn what_the_other_did(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::ReleasedTwice => "first released",
        FaultKind::HeapRegisteredTwice | FaultKind::RegionRegisteredTwice => "first registered",
        FaultKind::RegionOverlap => "the live region was registered",
        FaultKind::HeapOverlap => "the other heap was registered",
        FaultKind::ReleasedUnderHeap => "the heap on it was registered",
        FaultKind::RegionOutsideHeap | FaultKind::HeapLeaked => "the heap was registered",
        FaultKind::InteriorRelease | FaultKind::WrongHeap | FaultKind::RegionLeaked | FaultKind::RegionBeforeHeap => {
            "the region was registered"
        }
        _ => "registered",
    }
}

/// The address after the heap's last one. A heap that would go beyond the address space is refused by the runtime.
fn end(heap: &FaultHeap) -> usize {
    heap.start().saturating_add(heap.size())
}

/// The address after the last one that a fault is about.
fn last(fault: &Fault) -> usize {
    fault.address().saturating_add(fault.size())
}

/// The address after a left neighbour's last one, which is not behind the fault's address.
fn left_end(left: &FaultRegion) -> usize {
    left.start().saturating_add(left.size())
}

/// Whether it helps to know of a neighbour: in the same heap always.
fn is_near(fault: &Fault, distance: usize) -> bool {
    match fault.heap() {
        Some(heap) => !is_far(heap, fault.address()),
        None => distance <= NEAR,
    }
}

/// Whether the note says where a region comes from: that is not said twice.
fn is_said(fault: &Fault, region: &FaultRegion) -> bool {
    fault.other().is_some_and(|other| crate::origin::same(other, region.origin()))
}

/// How far an address lies before a heap, and how far behind it.
fn beyond(heap: &FaultHeap, address: usize) -> (usize, usize) {
    (heap.start().saturating_sub(address), address.saturating_sub(end(heap)))
}

/// Whether an address has nothing to do with the heap.
fn is_far(heap: &FaultHeap, address: usize) -> bool {
    let (before, behind) = beyond(heap, address);
    before.max(behind) > heap.size()
}

/// Where a fault is: the heap's name and an offset, where there is a heap.
struct Place<'a>(&'a Fault);

impl Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (address, size) = (self.0.address(), self.0.size());
        if size != 0 {
            write!(f, "{} ", Count(size, "byte"))?;
        }
        let Some(heap) = self.0.heap() else { return write!(f, "at {address:#x}") };
        if is_far(heap, address) {
            return write!(f, "at {address:#x}: far from the heap");
        }
        let (name, start, end) = (heap.name(), heap.start(), end(heap));
        let (before, behind) = beyond(heap, address);
        if before > 0 {
            return write!(f, "at {name}-{before:#x} ({address:#x}): {} before the heap's start", Count(before, "byte"));
        }
        write!(f, "at {name}+{:#x} ({address:#x})", address.saturating_sub(start))?;
        if behind > 0 {
            return write!(f, ": {} behind the heap's end", Count(behind, "byte"));
        }
        match address.saturating_add(size).saturating_sub(end) {
            _ if address == end => write!(f, ": right behind the heap's end"),
            0 => Ok(()),
            over => write!(f, ": {} too long for the heap", Count(over, "byte")),
        }
    }
}

/// Where a live region is, seen from the fault.
enum Side {
    Inside,
    Left,
    Right,
}

struct Neighbour<'a> {
    fault: &'a Fault,
    side: Side,
    region: &'a FaultRegion,
}

impl Display for Neighbour<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, side, region } = self;
        let (address, start) = (fault.address(), region.start());
        write!(f, "a region of {} at ", Count(region.size(), "byte"))?;
        match fault.heap() {
            Some(heap) => write!(f, "{}+{:#x}", heap.name(), start.saturating_sub(heap.start()))?,
            None => write!(f, "{start:#x}")?,
        }
        match side {
            Side::Inside => match address - start {
                0 => write!(f, ", which begins here")?,
                offset => write!(f, ", which begins {} before", Count(offset, "byte"))?,
            },
            Side::Left => match address - left_end(region) {
                0 => write!(f, ", which ends right before")?,
                gap => write!(f, ", which ends {} before", Count(gap, "byte"))?,
            },
            Side::Right => match start.checked_sub(last(fault)) {
                Some(0) => write!(f, ", which begins right behind")?,
                Some(gap) => write!(f, ", which begins {} behind", Count(gap, "byte"))?,
                None => write!(f, ", of which {} are meant, too", Count((last(fault) - start).min(region.size()), "byte"))?,
            },
        }
        if is_said(fault, region) { Ok(()) } else { write!(f, "; from {}", Position::of(region.origin())) }
    }
}
