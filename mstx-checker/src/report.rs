//! How faults and the summary look: much as the compiler's messages do.

use core::fmt::{self, Display, Write as _};

use mstx_runtime::{Fault, FaultHeap, FaultKind, Origin};

use crate::checker::Books;
use crate::tally::{Group, Tally, Whereabouts};
use crate::text::{Count, Text};

/// How many calls the summary lists for what is live: those with the most bytes.
const LISTED: usize = 20;
/// The module that the runtime's own functions are said to stand in.
pub(crate) const RUNTIME: &str = "mstx";

/// A fault, with the calls that it came from. `last`: those after it that are the same are only counted.
pub(crate) fn fault(text: &mut Text, fault: &Fault, last: bool) -> fmt::Result {
    writeln!(text, "mstx: fault: {}", fault.kind())?;
    origin(text, "  ", fault.origin())?;
    if fault.size() != 0 || fault.address() != 0 || fault.kind() == FaultKind::NullAddress {
        writeln!(text, "   = {}", Place(fault))?;
    }
    if let Some(heap) = fault.heap() {
        let (name, size, start) = (heap.name(), Count(heap.size(), "byte"), heap.start());
        writeln!(text, "   = heap `{name}`: {size}, {start:#x} to {:#x}", end(heap))?;
    }
    if let Some(other) = fault.other() {
        writeln!(text, "note: {} here", what_the_other_did(fault.kind()))?;
        origin(text, "  ", other)?;
    }
    if last {
        writeln!(text, "note: more of this fault, from the same calls, is only counted")?;
    }
    writeln!(text)
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

/// A call: where it is, and of which annotated function.
pub(crate) fn origin(text: &mut Text, indent: &str, origin: Origin) -> fmt::Result {
    let (site, caller) = (origin.site(), origin.caller());
    writeln!(text, "{indent}--> {caller}")?;
    let (module, function, location) = (site.module(), site.function(), site.location());
    if location == caller {
        // Not `#[track_caller]`: all that is known is the function itself.
        writeln!(text, "{indent} = in `{module}::{function}`")
    } else if module == RUNTIME {
        writeln!(text, "{indent} = call of `{module}::{function}`")
    } else {
        writeln!(text, "{indent} = call of `{module}::{function}` ({location})")
    }
}

/// The address after the heap's last one. A heap that would go beyond the address space is refused by the runtime.
fn end(heap: &FaultHeap) -> usize {
    heap.start().saturating_add(heap.size())
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
        let (name, start, end) = (heap.name(), heap.start(), end(heap));
        let (before, behind) = (start.saturating_sub(address), address.saturating_sub(end));
        if before.max(behind) > heap.size() {
            return write!(f, "at {address:#x}: far from the heap");
        }
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

/// What there is to say when the process exits: one line, if everything is well.
pub(crate) fn summary(text: &mut Text, books: &Books) -> fmt::Result {
    let Books { heaps, regions, faults } = books;
    match faults.total() {
        0 => write!(text, "mstx: no faults")?,
        total => writeln!(text, "mstx: {}", Count(total, "fault"))?,
    }
    for (kind, count) in faults.kinds() {
        writeln!(text, "  {count:4} x {kind}")?;
    }
    if faults.total() == 0 {
        if heaps.registered == 0 && regions.registered == 0 {
            return writeln!(text, "; nothing was registered");
        }
        if heaps.live() == 0 && regions.live() == 0 {
            let (heaps, peak) = (Count(heaps.registered, "heap"), Count(regions.peak, "byte"));
            let regions = Count(regions.registered, "region");
            return writeln!(text, "; {heaps} and {regions} registered and unregistered, at most {peak} of regions live");
        }
        writeln!(text)?;
    }
    totals(text, "heap", heaps)?;
    totals(text, "region", regions)?;
    live(text, "heap", heaps)?;
    live(text, "region", regions)
}

fn totals(text: &mut Text, thing: &str, tally: &Tally) -> fmt::Result {
    let (registered, unregistered, peak) = (tally.registered, tally.unregistered, Count(tally.peak, "byte"));
    writeln!(text, "  {thing}s: {registered} registered, {unregistered} unregistered, at most {peak} live")
}

/// What is still live, by the call that registered it.
fn live(text: &mut Text, thing: &'static str, tally: &Tally) -> fmt::Result {
    if tally.live() == 0 {
        return Ok(());
    }
    writeln!(text, "  still live at exit: {}, {}", Count(tally.live(), thing), Count(tally.bytes(), "byte"))?;
    for group in tally.largest::<LISTED>().into_iter().flatten() {
        let Group { live, bytes, whereabouts, .. } = group;
        writeln!(text, "    {}, {}, {}", Count(*live, thing), Count(*bytes, "byte"), Where(thing, whereabouts))?;
        origin(text, "      ", group.origin)?;
    }
    let unlisted = tally.groups().count().saturating_sub(LISTED);
    if unlisted > 0 {
        writeln!(text, "    and those of {}", Count(unlisted, "other call"))?;
    }
    if tally.lost > 0 {
        writeln!(text, "    and some of {} that there was no memory to list", Count(tally.lost, thing))?;
    }
    Ok(())
}

/// Where the live things of a call are.
struct Where<'a>(&'a str, &'a Whereabouts);

impl Display for Where<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            ("heap", Whereabouts::Heap(name)) => write!(f, "named `{name}`"),
            ("heap", _) => write!(f, "of several names"),
            (_, Whereabouts::Heap(name)) => write!(f, "in heap `{name}`"),
            (_, Whereabouts::Domain(name)) => write!(f, "in no heap, of domain `{name}`"),
            (_, Whereabouts::Several) => write!(f, "in several heaps"),
        }
    }
}
