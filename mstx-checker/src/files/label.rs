//! How calls, heaps and domains are called in the files.

use core::fmt::{self, Display};
use core::panic::Location;

use mstx_runtime::Origin;

use crate::recording::memory::index;
use crate::recording::names::Names;
use crate::recording::story::{Home, Region, Story};

/// What cannot be said, since there was no room to keep it.
const UNKNOWN: &str = "(unknown)";

/// An annotated function, with its module.
pub(crate) struct Function(pub(crate) Option<Origin>);

impl Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(origin) => write!(f, "{}::{}", origin.site().module(), origin.site().function()),
            None => f.write_str(UNKNOWN),
        }
    }
}

/// File, line and column: a line may have several calls.
pub(crate) struct At(pub(crate) Option<&'static Location<'static>>);

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(location) => write!(f, "{location}"),
            None => f.write_str(UNKNOWN),
        }
    }
}

/// A call: the function, and the line that a user of the pool wants to see.
pub(crate) struct Call(pub(crate) Option<Origin>);

impl Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Function(self.0), At(self.0.map(|origin| origin.caller())))
    }
}

/// Where the function itself stands, if that is not the line of its caller. The runtime's own are of no interest.
pub(crate) fn definition(origin: Origin) -> Option<&'static Location<'static>> {
    let site = origin.site();
    (site.location() != origin.caller() && site.module() != crate::report::RUNTIME).then(|| site.location())
}

/// A domain's name.
pub(crate) fn domain(names: &Names, number: u32) -> &str {
    names.get_domain(number).unwrap_or(UNKNOWN)
}

/// What a mark or a range says.
pub(crate) fn message(names: &Names, number: u32) -> &str {
    names.get_message(number).unwrap_or(UNKNOWN)
}

/// A heap's name.
pub(crate) struct HeapName<'a>(pub(crate) &'a Names, pub(crate) u32);

impl Display for HeapName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.get_class(self.1) {
            Some(class) => f.write_str(class.name.as_str()),
            None => f.write_str(UNKNOWN),
        }
    }
}

/// Where a region is: the name of its heap, or of its domain.
pub(crate) struct HomeName<'a>(pub(crate) &'a Story<'a>, pub(crate) Home);

impl Display for HomeName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(story, home) = self;
        match *home {
            Home::Heap(heap) => {
                let class = story.heap(heap).map(|heap| heap.class);
                write!(f, "{}", HeapName(story.names, class.unwrap_or(u32::MAX)))
            }
            Home::Ground(ground) => {
                let domain = story.names.get_ground(ground).map(|ground| ground.domain);
                write!(f, "no heap, domain {}", self::domain(story.names, domain.unwrap_or(u32::MAX)))
            }
        }
    }
}

/// The device that a region is on.
pub(crate) fn device(story: &Story<'_>, home: Home) -> u32 {
    let device = match home {
        Home::Heap(heap) => {
            let class = story.heaps.get(index(heap)).and_then(|heap| story.names.get_class(heap.class));
            class.map(|class| class.device)
        }
        Home::Ground(ground) => story.names.get_ground(ground).map(|ground| ground.device),
    };
    device.unwrap_or(0)
}

/// The address of a region, and where that is in its heap.
pub(crate) struct Address<'a>(pub(crate) &'a Story<'a>, pub(crate) &'a Region);

impl Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(story, region) = self;
        write!(f, "{:#x}", region.start)?;
        if let Home::Heap(heap) = region.home {
            let start = story.heap(heap).map_or(0, |heap| heap.start);
            write!(f, " ({}+{:#x})", HomeName(story, region.home), region.start.saturating_sub(start))?;
        }
        Ok(())
    }
}

/// Microseconds, with three digits behind the point.
pub(crate) struct Micros(pub(crate) u64);

impl Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}
