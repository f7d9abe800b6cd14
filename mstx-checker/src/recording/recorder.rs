//! Turns what the runtime tells into events.

use core::ffi::CStr;

use hashbrown::HashTable;
use mstx_runtime::__private::Listed;
use mstx_runtime::{ToolDomain, ToolHeap, ToolRegion};

use super::event::{Event, Kind, Moment};
use super::memory::{Full, Vec};
use super::message;
use super::names::{Class, Ground, Names, UNKNOWN};
use super::window::Window;

/// How many events are kept where nothing else is asked for.
pub(crate) const EVENTS: usize = 1_000_000;
/// In the number of a region's heap: there is none, and the rest is the number of its ground.
pub(crate) const NO_HEAP: u32 = 1 << 31;

/// A live heap.
#[derive(Clone, Copy)]
struct Live {
    domain: u32,
    start: usize,
    number: u32,
}

/// The recording.
pub(crate) struct Recorder {
    names: Names,
    window: Window,
    heaps: HashTable<Live, Listed>,
    /// The heap that was asked for last.
    last: Option<Live>,
    next_heap: u32,
    next_range: u64,
    /// How many events were dropped when messages were forgotten last.
    forgot: u64,
}

impl Recorder {
    pub(crate) const fn new() -> Self {
        Self {
            names: Names::new(),
            window: Window::new(EVENTS),
            heaps: HashTable::new_in(Listed),
            last: None,
            next_heap: 0,
            next_range: 0,
            forgot: 0,
        }
    }

    /// Keeps the newest `events` events.
    pub(crate) fn keep(&mut self, events: usize) {
        self.window.keep(events);
    }

    pub(crate) fn heap_register(&mut self, at: Moment, heap: &ToolHeap<'_>) {
        self.new_heap(at, heap);
    }

    fn new_heap(&mut self, at: Moment, heap: &ToolHeap<'_>) -> u32 {
        let class = self.class(heap);
        let domain = self.domain(heap.domain);
        let number = self.next_heap;
        self.next_heap = (number + 1) % NO_HEAP;
        let live = Live { domain, start: heap.start, number };
        // Without room it is not found again, and registered anew for its next region.
        if self.heaps.try_reserve(1, Self::rehash).is_ok() {
            self.heaps.insert_unique(Self::rehash(&live), live, Self::rehash);
        }
        self.last = Some(live);
        self.push(Kind::HeapRegister, at, heap.start, heap.size, class, number);
        number
    }

    pub(crate) fn heap_resize(&mut self, at: Moment, heap: &ToolHeap<'_>) {
        let domain = self.domain(heap.domain);
        if let Some(live) = self.find(domain, heap.start) {
            let class = self.class(heap);
            self.push(Kind::HeapResize, at, heap.start, heap.size, class, live.number);
        } else {
            self.new_heap(at, heap);
        }
    }

    pub(crate) fn heap_unregister(&mut self, at: Moment, heap: &ToolHeap<'_>) {
        let domain = self.domain(heap.domain);
        let Some(live) = self.find(domain, heap.start) else { return };
        self.last = None;
        if let Ok(entry) = self.heaps.find_entry(Self::rehash(&live), |other| other.number == live.number) {
            entry.remove();
        }
        let class = self.class(heap);
        self.push(Kind::HeapUnregister, at, heap.start, heap.size, class, live.number);
    }

    pub(crate) fn regions_register(
        &mut self,
        at: Moment,
        domain: ToolDomain<'_>,
        heap: Option<&ToolHeap<'_>>,
        regions: &[ToolRegion],
    ) {
        let domain = self.domain(domain);
        let heap = heap.map(|heap| match self.find(domain, heap.start) {
            Some(live) => live.number,
            // It began before the recording did.
            None => self.new_heap(at, heap),
        });
        for region in regions {
            let whose = match heap {
                Some(heap) => heap,
                None => self.ground(domain, region.device),
            };
            let origin = self.names.origin(region.origin);
            self.push(Kind::RegionRegister, at, region.start, region.size, origin, whose);
        }
    }

    pub(crate) fn regions_unregister(&mut self, at: Moment, regions: &[ToolRegion]) {
        for region in regions {
            let origin = self.names.origin(region.origin);
            self.push(Kind::RegionUnregister, at, region.start, region.size, origin, UNKNOWN);
        }
    }

    pub(crate) fn mark(&mut self, at: Moment, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) {
        let (message, domain) = (self.message(message), domain.map_or(UNKNOWN, |domain| self.domain(domain)));
        self.push(Kind::Mark, at, 0, stream, message, domain);
    }

    /// Returns the range's number.
    pub(crate) fn range_start(&mut self, at: Moment, domain: Option<ToolDomain<'_>>, message: &CStr, stream: usize) -> u64 {
        let (message, domain) = (self.message(message), domain.map_or(UNKNOWN, |domain| self.domain(domain)));
        self.next_range += 1;
        let start = Event::new(Kind::RangeStart, at, self.next_range, stream as u64);
        self.window.push(start.of(message, domain));
        self.next_range
    }

    pub(crate) fn range_end(&mut self, at: Moment, number: u64) {
        self.window.push(Event::new(Kind::RangeEnd, at, number, 0));
    }

    fn push(&mut self, kind: Kind, at: Moment, address: usize, size: usize, what: u32, whose: u32) {
        self.window.push(Event::new(kind, at, address as u64, size as u64).of(what, whose));
    }

    fn domain(&mut self, domain: ToolDomain<'_>) -> u32 {
        message::with_text(domain.name.to_bytes(), |name| self.names.domain(name))
    }

    fn message(&mut self, message: &CStr) -> u32 {
        message::with_text(message.to_bytes(), |message| match self.names.message(message) {
            UNKNOWN if self.forget_messages() => self.names.message(message),
            number => number,
        })
    }

    /// There is no room for more messages: a program that gives each of its steps a name has many. Forgets those of events that were
    /// dropped. All events are looked at for this, so it is not done again before a fourth of them is new.
    fn forget_messages(&mut self) -> bool {
        let new = self.window.dropped() - self.forgot;
        if new <= self.window.len() as u64 / 4 {
            return false;
        }
        self.forgot = self.window.dropped();
        self.names.forget_messages(|renumber| self.window.messages().for_each(renumber));
        true
    }

    fn ground(&mut self, domain: u32, device: u32) -> u32 {
        NO_HEAP | self.names.ground(Ground { domain, device })
    }

    fn class(&mut self, heap: &ToolHeap<'_>) -> u32 {
        let (domain, origin) = (self.domain(heap.domain), self.names.origin(heap.origin));
        let name = mstx_runtime::Label::new(heap.name);
        let class = Class { name, domain, device: heap.device, place: heap.place, origin };
        match self.names.class(class) {
            // The name itself is one too many: the heap goes by that of its domain.
            UNKNOWN => {
                let name = mstx_runtime::Label::new(self.names.get_domain(domain).unwrap_or_default());
                self.names.class(Class { name, ..class })
            }
            class => class,
        }
    }

    /// The live heap that starts there.
    fn find(&mut self, domain: u32, start: usize) -> Option<Live> {
        let is = |live: &Live| (live.domain, live.start) == (domain, start);
        if self.last.as_ref().is_none_or(|last| !is(last)) {
            let key = Live { domain, start, number: 0 };
            self.last = self.heaps.find(Self::rehash(&key), is).copied();
        }
        self.last
    }

    fn rehash(live: &Live) -> u64 {
        ((live.start as u64) ^ u64::from(live.domain).rotate_right(16)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    /// What was live before the first of the kept events.
    pub(crate) fn before(&self) -> Result<Vec<Event>, Full> {
        self.window.before()
    }
}
