//! What is said of an access, in terms of regions.

use core::fmt::{self, Write as _};
use core::ops::Range;

use mstx_runtime::Origin;

use super::heaps::{Heap, Heaps};
use crate::report;
use crate::text::{Count, Style, Text};

/// How many released regions are remembered.
const DEAD: usize = 256;

/// A region that was released.
#[derive(Clone, Copy)]
struct Dead {
    start: usize,
    size: usize,
    origin: Origin,
}

/// The regions that were released last.
pub(super) struct Released {
    list: [Option<Dead>; DEAD],
    next: usize,
}

impl Released {
    pub(super) const fn new() -> Self {
        Self { list: [None; DEAD], next: 0 }
    }

    pub(super) fn add(&mut self, start: usize, size: usize, origin: Origin) {
        self.list[self.next] = Some(Dead { start, size, origin });
        self.next = (self.next + 1) % DEAD;
    }

    /// The heap of those in this range has ended: what is there later is another one's.
    pub(super) fn forget(&mut self, range: &Range<usize>) {
        let was_there = |dead: &Dead| range.contains(&dead.start);
        self.list.iter_mut().filter(|place| place.as_ref().is_some_and(was_there)).for_each(|place| *place = None);
    }

    /// Where the last one begins that an address was in.
    pub(super) fn start(&self, address: usize) -> Option<usize> {
        self.last(address).map(|dead| dead.start)
    }

    /// The last one that an address was in.
    fn last(&self, address: usize) -> Option<Dead> {
        let latest_first = (1..=DEAD).map(|back| self.list[(self.next + DEAD - back) % DEAD]);
        { latest_first }.flatten().find(|dead| (dead.start..dead.start.saturating_add(dead.size)).contains(&address))
    }
}

/// An access that is a mistake.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) address: usize,
    /// How many bytes, where that is known.
    pub(super) size: Option<usize>,
    /// Whether it writes, where that is known.
    pub(super) writes: Option<bool>,
}

impl Access {
    fn last(&self) -> usize {
        self.address.saturating_add(self.size.unwrap_or(1).saturating_sub(1))
    }
}

/// Where an access is, seen from a region.
enum Seen {
    Released,
    Across,
    Behind,
    Before,
    Alone,
}

/// The heap that an access is in; `None`: it is in none that is checked.
pub(super) fn heap<'a>(heaps: &'a Heaps, access: &Access) -> Option<&'a Heap> {
    heaps.around(access.address).next()
}

/// Says where an access is. `by`: who released the region that was there, where that is known.
pub(super) fn access(text: &mut Text, heap: &Heap, released: &Released, access: &Access, by: Option<Origin>) -> fmt::Result {
    let address = access.address;
    let kind = access.writes.map_or("ACCESS", |writes| if writes { "WRITE" } else { "READ" });
    write!(text, "mstx: ")?;
    text.styled(Style::Fault, kind)?;
    if let Some(size) = access.size {
        write!(text, " of {}", Count(size, "byte"))?;
    }
    let before = heap.regions.before(address.saturating_add(1));
    let behind = heap.regions.from(address).next();
    let live = |region: &super::heaps::Region| (region.start, region.size, region.origin);
    let (seen, region) = match (before, behind) {
        (Some(region), _) if region.end() > address => (Seen::Across, Some(live(region))),
        (_, Some(region)) if region.start <= access.last() => (Seen::Before, Some(live(region))),
        _ => match (released.last(address), before, behind) {
            (Some(dead), _, _) => (Seen::Released, Some((dead.start, dead.size, dead.origin))),
            (None, Some(region), Some(next)) if next.start - address < address - region.end() => (Seen::Before, Some(live(next))),
            (None, Some(region), _) => (Seen::Behind, Some(live(region))),
            (None, None, Some(region)) => (Seen::Before, Some(live(region))),
            (None, None, None) => (Seen::Alone, None),
        },
    };
    if let Some((start, size, _)) = region {
        let (after, over) = (address.wrapping_sub(start), address.wrapping_sub(start.wrapping_add(size)));
        let region = Count(size, "byte");
        match seen {
            Seen::Released => write!(text, " is {} inside a released region of {region}", Count(after, "byte"))?,
            Seen::Across => write!(text, " begins {} inside a region of {region}, and goes beyond it", Count(after, "byte"))?,
            Seen::Behind => write!(text, " is {} after a region of {region}", Count(over, "byte"))?,
            Seen::Before => write!(text, " is {} before a region of {region}", Count(start.wrapping_sub(address), "byte"))?,
            Seen::Alone => {}
        }
    } else {
        write!(text, " is where no region is live")?;
    }
    let (name, start, end) = (heap.name, heap.start(), heap.end);
    writeln!(text, ", in heap `{name}`")?;
    report::line(text, "  ", format_args!("at {name}+{:#x} ({address:#x})", address - start))?;
    report::line(text, "  ", format_args!("heap `{name}`: {}, {start:#x} to {end:#x}", Count(end - start, "byte")))?;
    let (what, origin) = region.map_or(("heap", heap.origin), |(_, _, origin)| ("region", origin));
    report::remark(text, Style::Note, "note", format_args!("the {what} was registered here"))?;
    report::origin(text, "  ", origin)?;
    if let (Seen::Released, Some(by)) = (seen, by) {
        report::remark(text, Style::Note, "note", "it was released here")?;
        report::origin(text, "  ", by)?;
    }
    writeln!(text)
}
