//! The tool.

use core::ffi::CStr;

use mstx_runtime::__private::show_live;
use mstx_runtime::{Fault, Handle, Label, Tool, ToolDomain, ToolHeap, ToolRegion};

use crate::access;
use crate::exclusive::Exclusive;
use crate::exit;
use crate::faults::{Faults, Showing};
use crate::files;
use crate::inject;
use crate::options::{self, Leaks};
use crate::pools::Pools;
use crate::recording::memory::{Vec, add, vec};
use crate::recording::{Recorder, record};
use crate::report::{self, Ends, Standing};
use crate::tally::{Tally, Whereabouts};
use crate::text::Text;

/// What the checker knows.
pub(crate) struct Books {
    pub(crate) heaps: Tally,
    pub(crate) regions: Tally,
    pub(crate) faults: Faults,
    pub(crate) pools: Pools,
}

/// The built-in checker.
pub(crate) struct Checker(Exclusive<Books>);

impl Checker {
    pub(crate) const fn new() -> Self {
        Self(Exclusive::new(Books { heaps: Tally::new(), regions: Tally::new(), faults: Faults::new(), pools: Pools::new() }))
    }

    /// Looks something up; 0 where a call from the runtime is at it.
    pub(crate) fn books(&self, look: impl FnOnce(&mut Books) -> u64) -> u64 {
        self.0.with(look).unwrap_or_default()
    }
}

fn whereabouts(domain: ToolDomain<'_>, heap: Option<&ToolHeap<'_>>) -> Whereabouts {
    match heap {
        Some(heap) => Whereabouts::Heap(Label::new(heap.name)),
        None => Whereabouts::Domain(Label::new(domain.name.to_str().unwrap_or_default())),
    }
}

impl Tool for Checker {
    fn is_checker(&self) -> bool {
        true
    }

    fn wants_bodies(&self) -> bool {
        access::wants_bodies()
    }

    fn enter_allocator(&self) {
        access::enter();
    }

    fn leave_allocator(&self) {
        access::leave();
    }

    fn heap_register(&self, heap: &ToolHeap<'_>) -> Handle {
        record(|recorder, at| recorder.heap_register(at, heap));
        self.0.with(|books| {
            books.heaps.register(heap.origin, whereabouts(heap.domain, Some(heap)), heap.size);
            books.pools.heap_register(heap);
        });
        access::heap_register(heap);
        Handle::NONE
    }

    fn heap_resize(&self, heap: &ToolHeap<'_>, old_size: usize) {
        record(|recorder, at| recorder.heap_resize(at, heap));
        self.0.with(|books| {
            books.heaps.resize(heap.origin, whereabouts(heap.domain, Some(heap)), old_size, heap.size);
            books.pools.heap_resize(heap, old_size);
        });
        access::heap_resize(heap, old_size);
    }

    fn heap_unregister(&self, heap: &ToolHeap<'_>) {
        record(|recorder, at| recorder.heap_unregister(at, heap));
        self.0.with(|books| {
            books.heaps.unregister(heap.origin, whereabouts(heap.domain, Some(heap)), heap.size);
            books.pools.heap_unregister(heap);
        });
        access::heap_unregister(heap);
    }

    fn regions_register(&self, domain: ToolDomain<'_>, heap: Option<&ToolHeap<'_>>, regions: &[ToolRegion], _: &mut [Handle]) {
        record(|recorder, at| recorder.regions_register(at, domain, heap, regions));
        let whereabouts = whereabouts(domain, heap);
        self.0.with(|books| {
            for region in regions {
                books.regions.register(region.origin, whereabouts, region.size);
            }
            books.pools.regions_register(heap, regions);
        });
        access::regions_register(heap, regions);
    }

    fn regions_unregister(&self, domain: ToolDomain<'_>, heap: Option<&ToolHeap<'_>>, regions: &[ToolRegion]) {
        record(|recorder, at| recorder.regions_unregister(at, regions));
        let whereabouts = whereabouts(domain, None);
        self.0.with(|books| {
            for region in regions {
                books.regions.unregister(region.origin, whereabouts, region.size);
            }
            books.pools.regions_unregister(heap, regions);
        });
        access::regions_unregister(domain, regions);
    }

    fn mark(&self, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) {
        record(|recorder, at| recorder.mark(at, domain, message, stream));
    }

    fn range_start(&self, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) -> u64 {
        let start = |recorder: &mut Recorder, at| recorder.range_start(at, domain, message, stream);
        record(start).unwrap_or_default()
    }

    fn range_end(&self, _: Option<ToolDomain<'_>>, id: u64) {
        record(|recorder, at| recorder.range_end(at, id));
    }

    fn fault(&self, fault: &Fault) {
        let showing = self.0.with(|books| {
            let showing = books.faults.add(fault);
            if showing != Showing::Suppressed {
                books.pools.fault(fault);
            }
            showing
        });
        match showing.unwrap_or(Showing::Whole { first: false }) {
            Showing::Whole { first } => Text::print(|text| report::fault(text, fault, first)),
            Showing::Times(times) => Text::print(|text| report::is_still_found(text, fault, times)),
            Showing::Not | Showing::Suppressed => {}
        }
    }

    fn before_end(&self) {
        access::end();
    }

    fn end(&self) {
        let repeats = inject::is_beside_another();
        if !repeats {
            files::end();
        }
        let standing = if options::leaks() == Leaks::Ignored { vec() } else { standing() };
        let faults = self.0.with(|books| {
            let ends = Ends::of(books, &standing);
            if !repeats || books.faults.total() > 0 {
                Text::print(|text| report::summary(text, &ends));
            }
            ends.faults()
        });
        if faults.is_some_and(|faults| faults > 0) {
            exit::after_faults();
        }
    }
}

/// How the live heaps stand; those that there is no memory for are left out.
fn standing() -> Vec<Standing> {
    let mut standing = vec();
    show_live(&mut |heap, regions| {
        if let Some(heap) = heap {
            let _ = add(&mut standing, Standing::of(heap, regions));
        }
    });
    standing
}
