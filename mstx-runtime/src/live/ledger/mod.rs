//! The books: which heaps and regions are live, and what is wrong with what was reported.
//!
//! | file | |
//! |---|---|
//! | `tree` | an ordered map on the system allocator |
//! | `names` | numbers for domains and origins |
//! | `heaps` | the live heaps |
//! | `shard`, `region` | the regions of one heap, and what is pending of them; the record of one |
//! | `register`, `release`, `resize`, `whole` | what each event does to the books |
//! | `nest` | heaps that lie on regions of other heaps |
//! | `waiting`, `ticket` | reports that race with those of whole heaps |
//! | `foreign` | calls from outside of Rust, where some more is allowed |
//! | `claim` | how large a heap is that was registered from there |
//! | `plain` | the short way through both, for one region with nothing in the way |
//! | `pending` | what the injected tool is still to be told |
//! | `memo` | what was refused or released lately |

mod claim;
pub(crate) mod foreign;
pub(crate) mod heaps;
mod memo;
pub(crate) mod names;
mod nest;
pub(crate) mod pending;
pub(crate) mod plain;
pub(crate) mod region;
mod register;
mod release;
mod resize;
pub(crate) mod shard;
mod ticket;
mod tree;
mod waiting;
pub(crate) mod whole;

use self::heaps::{Heap, HeapId, Heaps, NO_HEAP, Named, Wire};
use self::memo::{Released, Ring};
use self::names::{DomainId, Domains, OriginId, Origins};
use self::pending::{Gone, Holder, Pending};
use self::region::{Region, Sent};
use self::shard::{Piece, Regions};
use crate::fault::{Around, FaultHeap, FaultRegion};
use crate::live::bodies;
use crate::live::memory::{Full, Grow, Vec, vec};
use crate::live::process::thread::{self, Stamp};
use crate::live::process::variables;
use crate::tool::{Handle, Place, Tool, ToolDomain, ToolHeap, ToolRegion, Visit};
use crate::{Domain, Fault, FaultKind, HeapKey, Label, Origin};

use self::ticket::{EndedHeap, Ticket};
use self::waiting::Waiting;

pub(crate) use self::release::TakenList;
pub(crate) use self::resize::Hold;

/// How many tools in the process may listen.
pub(crate) const TOOLS: usize = 4;
/// How many of the latest faults are kept for `faults()`.
const FAULTS: usize = 1024;

/// Who reports, and about which heap, for every event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub(crate) origin: Origin,
    pub(crate) domain: Option<DomainId>,
    pub(crate) heap: Option<HeapKey>,
    /// When the function was entered.
    pub(crate) entry: Entry,
}

/// When a function was entered: by its thread's count, and by what happened to heaps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    stamp: Stamp,
    ticket: Ticket,
}

impl Entry {
    /// Now, in this thread.
    pub(crate) fn now() -> Self {
        Self { stamp: Stamp::now(), ticket: Ticket::now() }
    }
}

/// Whether it is the same tool. Statics without a size may share an address with others; there the type tells.
fn is_same(one: &dyn Tool, other: &dyn Tool) -> bool {
    let same_type = size_of_val(one) != 0 || core::ptr::eq(core::ptr::from_ref(one), core::ptr::from_ref(other));
    same_type && core::ptr::addr_eq(core::ptr::from_ref(one), core::ptr::from_ref(other))
}

/// Where a region of no heap belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    domain: DomainId,
    device: u32,
}

/// The books.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(crate) struct Ledger {
    pub(crate) domains: Domains,
    origins: Origins,
    heaps: Heaps,
    loose: Regions,
    kinds: Vec<Kind>,
    pub(crate) pending: Pending,
    tools: [Option<&'static dyn Tool>; TOOLS],
    /// Whether an injected tool listens.
    wired: bool,
    /// Whether nothing is held back, whatever the program says: `MSTX_BATCH=immediate`.
    immediate: bool,
    /// The batch that the running event belongs to.
    batch: Holder,
    /// The holder that holds too much.
    overfull: Holder,
    /// Whether what is being done is sent at once, whoever holds things back: where whole heaps come, go or move.
    hasty: bool,
    /// Whether something may have happened before these books began: then what is not known may be fine.
    late: bool,
    faults: Ring<Fault>,
    released: Ring<Released>,
    refused: Ring<usize>,
    refused_heaps: Ring<usize>,
    /// Whether it was said that heaps claim more than they have (see `foreign`).
    claimed: bool,
    ended: Ring<EndedHeap>,
    /// How many heaps are ending: the functions' bodies still run.
    ending: usize,
    /// How many functions are under way that obtain memory for a heap.
    starting: usize,
    /// Regions that may belong to a heap that is about to be reported.
    waiting: Vec<Waiting>,
    /// Regions that the running event made live or ended, for one call to the tools in the process.
    news: Vec<ToolRegion>,
}

impl Ledger {
    pub(crate) const fn new() -> Self {
        Self {
            domains: Domains::new(),
            origins: Origins::new(),
            heaps: Heaps::new(),
            loose: Regions::new(),
            kinds: vec(),
            pending: Pending::new(),
            tools: [None; TOOLS],
            wired: false,
            immediate: false,
            batch: Holder::Nobody,
            overfull: Holder::Nobody,
            hasty: false,
            late: false,
            faults: Ring::new(FAULTS),
            released: Ring::new(256),
            refused: Ring::new(256),
            refused_heaps: Ring::new(64),
            claimed: false,
            ended: Ring::new(64),
            ending: 0,
            starting: 0,
            waiting: vec(),
            news: vec(),
        }
    }

    /// An injected tool listens from now on.
    pub(crate) fn wire(&mut self) {
        self.wired = true;
        self.immediate = variables::wants_immediate();
    }

    /// The next event belongs to this batch of the thread; 0 for none.
    pub(crate) fn enter(&mut self, batch: u32) {
        self.batch = if batch == 0 || self.immediate { Holder::Nobody } else { Holder::Batch(batch) };
    }

    /// Who holds back what the running event does in a heap.
    fn holder(&self, id: HeapId) -> Holder {
        if self.hasty {
            return Holder::Nobody;
        }
        let deferred = self.heaps.get(id).is_some_and(|heap| heap.deferral.is_some());
        if deferred && !self.immediate { Holder::Heap(id) } else { self.batch }
    }

    /// No injected tool listens: what was kept for one is forgotten.
    pub(crate) fn unwire(&mut self) {
        self.wired = false;
        self.pending = Pending::new();
    }

    /// Something may have happened before, which these books do not know.
    pub(crate) fn begin_late(&mut self) {
        self.late = true;
    }

    /// Whether anybody in the process listens.
    pub(crate) fn has_tools(&self) -> bool {
        self.tools[0].is_some()
    }

    /// The tools in the process.
    pub(crate) fn listeners(&self) -> [Option<&'static dyn Tool>; TOOLS] {
        self.tools
    }

    fn tools(&self) -> impl Iterator<Item = &'static dyn Tool> {
        self.tools.iter().map_while(|tool| *tool)
    }

    /// Those that want to be told of a heap.
    fn tools_for(&self, id: HeapId) -> impl Iterator<Item = &'static dyn Tool> {
        let host = self.heaps.get(id).is_some_and(|heap| heap.place == Place::Host);
        self.tools().filter(move |tool| !host || tool.wants_host())
    }

    /// Adds a tool in the process, and tells it what is live. `false` where there is no place, or it listens already.
    pub(crate) fn attach(&mut self, tool: &'static dyn Tool) -> bool {
        if self.tools().any(|other| is_same(other, tool)) {
            return false;
        }
        let Some(place) = self.tools.iter().position(Option::is_none) else { return false };
        self.tools[place] = Some(tool);
        bodies::listen(tool);
        let host = |heap: &ToolHeap<'_>| heap.place == Place::Host;
        let wanted = |id: &HeapId| !self.tool_heap(*id).as_ref().is_some_and(host) || tool.wants_host();
        for heap in self.heaps.all().filter(wanted).filter_map(|id| self.tool_heap(id)) {
            tool.heap_register(&heap);
        }
        self.replay(tool, NO_HEAP);
        self.heaps.all().filter(wanted).for_each(|id| self.replay(tool, id));
        true
    }

    /// Tells `tool` of the live regions of a heap, one by one.
    fn replay(&self, tool: &'static dyn Tool, id: HeapId) {
        for region in self.live_regions(id) {
            let Some(known) = self.region(id, region.start) else { continue };
            let domain = self.tool_domain(self.region_domain(id, known));
            tool.regions_register(domain, self.tool_heap(id).as_ref(), &[region], &mut [Handle::NONE]);
        }
    }

    /// Shows what is live: each heap with its regions, and the regions of none.
    pub(crate) fn show(&self, visit: &mut Visit<'_>) {
        visit(None, &mut self.live_regions(NO_HEAP));
        for id in self.heaps.all() {
            visit(self.tool_heap(id).as_ref(), &mut self.live_regions(id));
        }
    }

    /// Shows the heap that a key means; where heaps of several domains start there, all of these.
    pub(crate) fn show_named(&self, key: HeapKey, visit: &mut Visit<'_>) {
        let mut show = |id| visit(self.tool_heap(id).as_ref(), &mut self.live_regions(id));
        match self.heaps.named(key, None) {
            Named::Exactly(id) => id.into_iter().for_each(show),
            Named::Starting(starting) => starting.inwards_out().take(1).for_each(show),
            Named::Ambiguous(_) => self.heaps.starting_at(key.address).for_each(&mut show),
        }
    }

    /// The live regions of a heap, or of none, as tools are shown them.
    fn live_regions(&self, id: HeapId) -> impl Iterator<Item = ToolRegion> {
        let mut from = Some(0);
        core::iter::from_fn(move || {
            let (start, region) = self.regions(id)?.tree.ceil(from?)?;
            from = start.checked_add(1);
            Some(self.tool_region(id, start, &region))
        })
    }

    // Names.

    /// The number of a domain.
    pub(crate) fn domain(&mut self, domain: &Domain) -> Result<DomainId, Full> {
        self.new_domain(|domains| domains.number(domain, variables::renamed))
    }

    /// The number of the domain of this name.
    pub(crate) fn domain_by_name(&mut self, name: &str) -> Result<DomainId, Full> {
        self.new_domain(|domains| domains.by_name(name, variables::renamed))
    }

    /// Tells the tools in the process of a domain, if it is a new one.
    fn new_domain(&mut self, number: impl FnOnce(&mut Domains) -> Result<DomainId, Full>) -> Result<DomainId, Full> {
        let known = self.domains.wire.len();
        let id = number(&mut self.domains)?;
        if self.domains.wire.len() > known {
            for tool in self.tools() {
                tool.domain_create(self.domains.wire[known].name);
            }
        }
        Ok(id)
    }

    /// The domain of an event: the one that was given, or the one named after the module.
    fn domain_of(&mut self, caller: &Caller) -> Result<DomainId, Full> {
        caller.domain.map_or_else(|| self.domain(caller.origin.site.domain()), Ok)
    }

    // Regions by the heap's number.

    pub(crate) fn heap(&self, id: HeapId) -> Option<&Heap> {
        self.heaps.get(id)
    }

    pub(crate) fn heap_mut(&mut self, id: HeapId) -> Option<&mut Heap> {
        self.heaps.get_mut(id)
    }

    pub(crate) fn regions(&self, id: HeapId) -> Option<&Regions> {
        if id == NO_HEAP { Some(&self.loose) } else { self.heaps.get(id).map(Heap::regions) }
    }

    pub(crate) fn regions_mut(&mut self, id: HeapId) -> Option<&mut Regions> {
        if id == NO_HEAP { Some(&mut self.loose) } else { self.heaps.get_mut(id).map(|heap| heap.shard.alone_mut()) }
    }

    pub(crate) fn region(&self, id: HeapId, start: usize) -> Option<&Region> {
        self.regions(id)?.tree.get(start)
    }

    fn region_mut(&mut self, id: HeapId, start: usize) -> Option<&mut Region> {
        self.regions_mut(id)?.tree.get_mut(start)
    }

    fn region_domain(&self, id: HeapId, region: &Region) -> DomainId {
        self.heaps.get(id).map_or_else(|| self.kinds[usize::from(region.kind)].domain, |heap| heap.domain)
    }

    fn region_device(&self, id: HeapId, region: &Region) -> u32 {
        self.heaps.get(id).map_or_else(|| self.kinds[usize::from(region.kind)].device, |heap| heap.device)
    }

    /// The number under which regions of no heap with this domain and device are kept.
    fn kind(&mut self, domain: DomainId, device: u32) -> Result<u16, Full> {
        let kind = Kind { domain, device };
        if let Some(index) = self.kinds.iter().position(|&known| known == kind) {
            return u16::try_from(index).map_err(|_| Full);
        }
        let index = u16::try_from(self.kinds.len()).map_err(|_| Full)?;
        self.kinds.add(kind)?;
        Ok(index)
    }

    // What tools are shown.

    pub(crate) fn wire_domain(&self, wire: u16) -> ToolDomain<'static> {
        let wire = &self.domains.wire[usize::from(wire)];
        ToolDomain { name: wire.name, handle: wire.handle }
    }

    /// A domain for the tools in the process, which get no handles.
    fn tool_domain(&self, id: DomainId) -> ToolDomain<'static> {
        ToolDomain { handle: Handle::NONE, ..self.wire_domain(self.domains.wire(id)) }
    }

    pub(crate) fn tool_heap(&self, id: HeapId) -> Option<ToolHeap<'_>> {
        self.heaps.get(id).map(|heap| self.as_tool_heap(heap))
    }

    fn as_tool_heap<'a>(&self, heap: &'a Heap) -> ToolHeap<'a> {
        ToolHeap {
            domain: self.tool_domain(heap.domain),
            name: heap.name.as_str(),
            start: heap.start,
            size: heap.size(),
            device: heap.device,
            place: heap.place,
            origin: self.origins.get(heap.origin),
            handle: Handle::NONE,
        }
    }

    pub(crate) fn tool_region(&self, id: HeapId, start: usize, region: &Region) -> ToolRegion {
        ToolRegion {
            start,
            size: region.size,
            device: self.region_device(id, region),
            origin: self.origins.get(region.origin),
            handle: Handle::NONE,
        }
    }

    /// Notes that a region became live or ended, for `tell_registered` or `tell_unregistered`.
    fn note(&mut self, id: HeapId, start: usize, region: &Region) {
        if self.has_tools() {
            let news = self.tool_region(id, start, region);
            if self.news.add(news).is_err() {
                self.out_of_memory(start);
            }
        }
    }

    fn tell_registered(&mut self, id: HeapId, domain: DomainId) {
        if self.news.is_empty() {
            return;
        }
        let domain = self.tool_domain(domain);
        let mut handles = vec();
        if handles.try_reserve(self.news.len()).is_ok() {
            for tool in self.tools_for(id) {
                handles.clear();
                handles.resize(self.news.len(), Handle::NONE);
                tool.regions_register(domain, self.tool_heap(id).as_ref(), &self.news, &mut handles);
            }
        }
        self.news.clear();
    }

    fn tell_unregistered(&mut self, id: HeapId, domain: DomainId) {
        if !self.news.is_empty() {
            let domain = self.tool_domain(domain);
            for tool in self.tools_for(id) {
                tool.regions_unregister(domain, self.tool_heap(id).as_ref(), &self.news);
            }
            self.news.clear();
        }
    }

    /// One region has ended.
    fn tell_gone(&mut self, id: HeapId, start: usize, region: &Region) {
        let domain = self.region_domain(id, region);
        // Those that became live before, in the same call, are told first.
        self.tell_registered(id, domain);
        self.note(id, start, region);
        self.tell_unregistered(id, domain);
    }

    // What the injected tool is to be told.

    /// Whether the injected tool knows a heap, and as which: itself, or an outer one with the same start.
    pub(crate) fn carrier(&self, mut id: HeapId) -> Option<HeapId> {
        if !self.wired {
            return None;
        }
        while id != NO_HEAP {
            match self.heaps.get(id)?.wire {
                Wire::Unwanted => return None,
                Wire::Within(outer) => id = outer,
                Wire::Own(_) => return Some(id),
            }
        }
        Some(NO_HEAP)
    }

    /// Under which of the tool's domains the regions of a heap are sent.
    pub(crate) fn region_wire(&self, id: HeapId, region: &Region) -> u16 {
        let carrier = self.carrier(id).unwrap_or(id);
        self.domains.wire(self.region_domain(carrier, region))
    }

    /// Asks for a live region to be sent.
    fn queue(&mut self, id: HeapId, start: usize) {
        let Some(carrier) = self.carrier(id) else { return };
        if self.take_over(id, carrier, start) {
            return;
        }
        let holder = self.holder(id);
        self.hold_region(holder, id, start);
    }

    /// Does something of which the tool is told at once, whoever holds things back.
    fn at_once<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        let before = core::mem::replace(&mut self.hasty, true);
        let result = act(self);
        self.hasty = before;
        result
    }

    /// A region, or a piece of one, that the tool knows, is to be taken back.
    fn take_back(&mut self, id: HeapId, start: usize, size: usize, handle: Handle, region: &Region) {
        let piece = ToolRegion { start, size, handle, ..self.tool_region(id, start, region) };
        let holder = self.holder(id);
        let (wire, carrier) = (self.region_wire(id, region), self.carrier(id).unwrap_or(id));
        self.hold_gone(Gone { wire, carrier, region: piece, holder });
    }

    /// Takes back whatever the tool knows of a live region that is about to change or to end.
    fn unsend(&mut self, id: HeapId, start: usize) {
        let Some(&region) = self.region(id, start) else { return };
        if region.is_covered() {
            self.unsend_pieces(id, start, &region);
        } else if region.sent() == Sent::Yes {
            self.take_back(id, start, region.size, region.handle, &region);
        } else if region.sent() == Sent::No {
            // What comes and goes while it is held back is never sent.
            self.cancelled(self.holder(id), id, start);
        }
        if let Some(region) = self.region_mut(id, start).filter(|region| region.sent() != Sent::No) {
            // Where the tool is being told right now, the answer finds no region that waits for it, and takes it back.
            region.set_sent(Sent::No, Handle::NONE);
        }
    }

    fn unsend_pieces(&mut self, id: HeapId, whole: usize, region: &Region) {
        let mut at = 0;
        while let Some(&piece) = self.regions(id).and_then(|regions| regions.pieces.get(at)) {
            if piece.whole != whole {
                at += 1;
                continue;
            }
            let Piece { start, size, handle, sent, .. } = piece;
            if sent == Sent::Yes {
                self.take_back(id, start, size, handle, region);
            }
            if let Some(regions) = self.regions_mut(id) {
                regions.pieces.remove(at);
            }
        }
    }

    /// Takes a region out of the books, and back from the tool.
    fn remove(&mut self, id: HeapId, start: usize) -> Option<Region> {
        self.unsend(id, start);
        self.regions_mut(id)?.tree.remove(start)
    }

    // Which heap.

    /// The heap that an event names; a fault where it names none.
    fn named(&mut self, caller: &Caller, key: HeapKey) -> Option<HeapId> {
        let found = match self.heaps.named(key, caller.domain) {
            Named::Exactly(found) => Ok(found),
            Named::Starting(starting) => Ok(starting.inwards_out().next()),
            Named::Ambiguous(first) => Err(first),
        };
        match found {
            Ok(Some(id)) => Some(id),
            Ok(None) => {
                if !self.late {
                    self.fault(FaultKind::UnknownHeap, caller, key.address, 0, None, None);
                }
                None
            }
            Err(first) => {
                self.fault(FaultKind::AmbiguousHeap, caller, key.address, 0, Some(first), None);
                None
            }
        }
    }

    // Faults.

    pub(crate) fn fault(
        &mut self,
        kind: FaultKind,
        caller: &Caller,
        address: usize,
        size: usize,
        heap: Option<HeapId>,
        other: Option<OriginId>,
    ) {
        let other = other.map(|id| self.origins.get(id));
        let around = if kind.is_about_a_region() { self.around(heap.unwrap_or(NO_HEAP), address) } else { Around::default() };
        let heap = heap.and_then(|id| self.fault_heap(id));
        // What waited is judged later, maybe by another thread.
        let thread = caller.entry.stamp.is_mine().then(thread::seen);
        self.record(&Fault { kind, address, size, heap, origin: caller.origin, other, around, thread });
    }

    /// The live regions at and beside an address, of a heap or of none.
    fn around(&self, id: HeapId, address: usize) -> Around {
        let Some(tree) = self.regions(id).map(|regions| &regions.tree) else { return Around::default() };
        let shown = |(start, region): (usize, Region)| FaultRegion {
            start,
            size: region.size,
            origin: self.origins.get(region.origin),
        };
        let before = tree.floor(address);
        let inside = before.filter(|(start, region)| address - start < region.size);
        let left = match inside {
            Some((start, _)) => start.checked_sub(1).and_then(|end| tree.floor(end)),
            None => before,
        };
        let right = address.checked_add(1).and_then(|behind| tree.ceil(behind));
        Around { inside: inside.map(shown), left: left.map(shown), right: right.map(shown) }
    }

    fn fault_heap(&self, id: HeapId) -> Option<FaultHeap> {
        let heap = self.heaps.get(id)?;
        Some(FaultHeap { name: heap.name, start: heap.start, size: heap.size() })
    }

    /// Keeps a fault and tells everybody.
    pub(crate) fn record(&mut self, fault: &Fault) {
        for tool in self.tools() {
            tool.fault(fault);
        }
        if !self.has_tools() {
            crate::live::process::stderr::fault(fault, self.faults.total());
        }
        // Without memory the fault was told, but cannot be asked for later.
        let _ = self.faults.push(*fault);
    }

    /// The books had no memory for something.
    pub(crate) fn out_of_memory(&mut self, address: usize) {
        let origin = Origin::new(&memo::BOOKS, memo::BOOKS.location());
        let (kind, around, thread) = (FaultKind::OutOfMemory, Around::default(), Some(thread::seen()));
        self.record(&Fault { kind, address, size: 0, heap: None, origin, other: None, around, thread });
    }

    /// The fault with this number, or the oldest one after it that is still kept; and its number.
    pub(crate) fn fault_from(&self, number: u64) -> Option<(u64, Fault)> {
        self.faults.from(number)
    }

    /// How many faults there were.
    pub(crate) fn fault_count(&self) -> u64 {
        self.faults.total()
    }

    /// The name of a heap as reports show it: its own, or its domain's.
    fn label(&self, name: Option<Label>, domain: DomainId) -> Label {
        name.unwrap_or_else(|| Label::new(self.domains.name(domain)))
    }
}
