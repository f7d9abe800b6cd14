//! What is pending goes to the injected tool.
//!
//! Under the tool's lock, step by step: the books' lock is taken briefly to see what comes next, is released for the tool's
//! call, and is taken again to write down what the tool answered. What happens to the books in between (only the same
//! thread can do anything then: from inside the tool's call) is pending afterwards, and is sent before the tool's lock is
//! released.

use super::LEDGER;
use super::ledger::heaps::{HeapId, NO_HEAP, Wire};
use super::ledger::region::{Region, Sent};
use super::ledger::shard::Piece;
use super::ledger::Ledger;
use super::ledger::names::DomainId;
use super::injected::Injected;
use super::ledger::pending::{Ended, Gone, Holder};
use super::ledger::plain::Letter;
use super::memory::{Grow, Vec, vec};
use crate::tool::{Handle, Tool, ToolDomain, ToolHeap, ToolRegion};
use crate::Answer;

/// What is sent next.
enum Step {
    /// The tool is asked for a domain.
    Domain(u16),
    /// The regions in the outbox are unregistered.
    Unregister(u16),
    /// A heap is unregistered.
    EndHeap(Ended),
    /// A heap is registered.
    Heap(HeapId, Ended),
    /// The regions in the outbox are registered, in this heap or in none.
    Register(u16, Option<Ended>),
}

/// What one call to the tool is about; kept, so that its memory is used again.
pub(crate) struct Outbox {
    regions: Vec<ToolRegion>,
    handles: Vec<Handle>,
    /// For each region: the heap in whose books it is. That may be an inner one of the heap that it is sent in.
    owners: Vec<HeapId>,
}

impl Outbox {
    pub(crate) const fn new() -> Self {
        Self { regions: vec(), handles: vec(), owners: vec() }
    }

    fn clear(&mut self) {
        self.regions.clear();
        self.handles.clear();
        self.owners.clear();
    }

    fn add(&mut self, owner: HeapId, region: ToolRegion) -> bool {
        self.owners.add(owner).is_ok() && self.handles.add(Handle::NONE).is_ok() && self.regions.add(region).is_ok()
    }
}

/// Sends everything that is pending. The caller holds the tool's lock.
pub(crate) fn drain(tool: &dyn Tool, outbox: &mut Outbox) {
    while let Some(step) = next(outbox) {
        match step {
            Step::Domain(wire) => create(tool, wire),
            Step::Unregister(wire) => {
                let Some(domain) = LEDGER.lock().map(|ledger| ledger.wire_domain(wire)) else { return };
                tool.regions_unregister(domain, None, &outbox.regions);
            }
            Step::EndHeap(ended) => with_heap(&ended, |heap| tool.heap_unregister(heap)),
            Step::Heap(id, told) => {
                let handle = with_heap(&told, |heap| tool.heap_register(heap));
                let Some(mut ledger) = LEDGER.lock() else { return };
                ledger.heap_answered(id, Ended { handle, ..told });
            }
            Step::Register(wire, heap) => {
                let Some(domain) = LEDGER.lock().map(|ledger| ledger.wire_domain(wire)) else { return };
                match &heap {
                    None => tool.regions_register(domain, None, &outbox.regions, &mut outbox.handles),
                    Some(heap) => with_heap(heap, |heap| {
                        tool.regions_register(domain, Some(heap), &outbox.regions, &mut outbox.handles);
                    }),
                }
                let Some(mut ledger) = LEDGER.lock() else { return };
                for ((region, &handle), &owner) in outbox.regions.iter().zip(&outbox.handles).zip(&outbox.owners) {
                    ledger.region_answered(owner, wire, ToolRegion { handle, ..*region });
                }
            }
        }
    }
}

/// Tells the tool of the one region that the letter is about. The caller holds the tool's lock. Returns whether nothing is pending.
pub(crate) fn send_letter(letter: &Letter) -> bool {
    let Letter { live, heap, spot, wire, domain_handle, heap_handle, region } = *letter;
    if !live {
        Injected::region_unregister(domain_handle, &region);
        return true;
    }
    let handle = Injected::region_register(domain_handle, heap_handle, &region);
    let Some(mut ledger) = LEDGER.lock() else { return true };
    // Mostly it is still where it was.
    let regions = ledger.regions_mut(heap).filter(|regions| regions.pieces.is_empty());
    let known = regions.and_then(|regions| regions.tree.at(&spot, region.start));
    match known.filter(|known| known.sent() == Sent::InFlight) {
        Some(known) => known.set_sent(Sent::Yes, handle),
        None => ledger.region_answered(heap, wire, ToolRegion { handle, ..region }),
    }
    ledger.pending.is_settled()
}

/// Asks the tool for a domain; once in the life of the process for each.
fn create(tool: &dyn Tool, wire: u16) {
    let Some(name) = LEDGER.lock().map(|ledger| ledger.wire_domain(wire).name) else { return };
    let handle = tool.domain_create(name);
    let Some(mut ledger) = LEDGER.lock() else { return };
    let domain = &mut ledger.domains.wire[usize::from(wire)];
    domain.handle = handle;
    domain.answer = if handle.is_none() { Answer::Refused } else { Answer::Accepted };
}

/// A domain as the tool knows it; it is asked for it, if it was not yet. The caller holds the tool's lock.
pub(crate) fn known_domain(tool: &dyn Tool, id: DomainId) -> Option<ToolDomain<'static>> {
    let (wire, new) = LEDGER.lock().map(|ledger| {
        let wire = ledger.domains.wire(id);
        (wire, ledger.asks(wire).is_some())
    })?;
    if new {
        create(tool, wire);
    }
    LEDGER.lock().map(|ledger| ledger.wire_domain(wire))
}

/// Shows a heap to the tool.
fn with_heap<R>(heap: &Ended, show: impl FnOnce(&ToolHeap<'_>) -> R) -> R {
    let domain = LEDGER.lock().map(|ledger| ledger.wire_domain(heap.wire));
    let domain = domain.unwrap_or(ToolDomain { name: c"", handle: Handle::NONE });
    show(&ToolHeap {
        domain,
        name: heap.name.as_str(),
        start: heap.start,
        size: heap.size,
        device: heap.device,
        place: heap.place,
        origin: heap.origin,
        handle: heap.handle,
    })
}

/// What comes next, with the regions that it is about in the outbox.
fn next(outbox: &mut Outbox) -> Option<Step> {
    let mut ledger = LEDGER.lock()?;
    outbox.clear();
    if ledger.pending.is_settled() {
        return None;
    }
    // Ends go before beginnings, so that nothing overlaps at the tool; regions leave before their heap, and come after it.
    ledger.make_room();
    if let Some(step) = ledger.next_gone(outbox) {
        return Some(step);
    }
    if !ledger.pending.ended.is_empty() {
        return Some(Step::EndHeap(ledger.pending.ended.remove(0)));
    }
    ledger.next_heap().or_else(|| ledger.next_regions(outbox))
}

impl Ledger {
    /// Whether the tool must be asked for a domain first.
    fn asks(&self, wire: u16) -> Option<Step> {
        (self.domains.wire[usize::from(wire)].answer == Answer::NotAsked).then_some(Step::Domain(wire))
    }

    /// What the tool still knows where something is about to be registered goes first, whoever holds it back.
    fn make_room(&mut self) {
        for at in self.pending.cleared..self.pending.regions.len() {
            let (owner, start) = self.pending.regions[at];
            if let Some((_, _, region)) = self.unsent(owner, start) {
                self.hurry(region.start, region.start + region.size, Holder::Nobody);
            }
        }
        self.pending.cleared = self.pending.regions.len();
    }

    /// All regions of one domain that are to be unregistered: one call.
    fn next_gone(&mut self, outbox: &mut Outbox) -> Option<Step> {
        let wire = self.pending.gone.first()?.wire;
        // Those for which there is no room are lost, rather than tried for ever.
        self.pending.gone.retain(|gone| gone.wire != wire || !outbox.add(NO_HEAP, gone.region) && !outbox.regions.is_empty());
        if outbox.regions.is_empty() {
            self.pending.gone.clear();
            return None;
        }
        Some(Step::Unregister(wire))
    }

    /// The next heap that is to be registered.
    fn next_heap(&mut self) -> Option<Step> {
        while let Some(&id) = self.pending.heaps.first() {
            let told = self.tellable(id).filter(|_| self.heap_is(id, Sent::No));
            if let Some(step) = told.and_then(|told| self.asks(told.wire)) {
                return Some(step);
            }
            self.pending.heaps.remove(0);
            // One that was sent or has ended since is passed over.
            if let Some(told) = told {
                self.set_heap(id, Sent::InFlight);
                return Some(Step::Heap(id, told));
            }
        }
        None
    }

    /// All regions that are to be registered in the heap of the first one: one call.
    fn next_regions(&mut self, outbox: &mut Outbox) -> Option<Step> {
        let mut target = None;
        let mut kept = 0;
        let mut at = 0;
        while at < self.pending.regions.len() {
            let (owner, start) = self.pending.regions[at];
            at += 1;
            let Some((carrier, wire, region)) = self.unsent(owner, start) else { continue };
            if target.is_none() {
                if let Some(step) = self.asks(wire) {
                    // Nothing was taken yet; what was passed over so far is of no use any more.
                    self.pending.regions.drain(..at - 1);
                    self.pending.cleared = self.pending.regions.len();
                    return Some(step);
                }
                target = Some((carrier, wire));
            }
            if target == Some((carrier, wire)) && outbox.add(owner, region) {
                self.set_region(owner, start, Sent::InFlight, Handle::NONE);
            } else {
                self.pending.regions[kept] = (owner, start);
                kept += 1;
            }
        }
        self.pending.regions.truncate(kept);
        self.pending.cleared = kept;
        let (carrier, wire) = target?;
        if outbox.regions.is_empty() {
            // Not even room for one: they are lost, rather than tried for ever.
            self.pending.regions.clear();
            self.pending.cleared = 0;
            return None;
        }
        Some(Step::Register(wire, self.tellable(carrier)))
    }

    /// A live region or piece that the tool does not know yet: the heap in which it is sent, and what is sent.
    pub(crate) fn unsent(&self, owner: HeapId, start: usize) -> Option<(HeapId, u16, ToolRegion)> {
        let carrier = self.carrier(owner)?;
        let (whole, size) = match self.piece(owner, start) {
            Some(piece) if piece.sent == Sent::No => (piece.whole, Some(piece.size)),
            Some(_) => return None,
            None => (start, None),
        };
        let region = self.region(owner, whole)?;
        if size.is_none() && (region.is_covered() || region.sent() != Sent::No) {
            return None;
        }
        let shown = self.tool_region(owner, start, region);
        Some((carrier, self.region_wire(owner, region), ToolRegion { size: size.unwrap_or(region.size), ..shown }))
    }

    fn piece(&self, owner: HeapId, start: usize) -> Option<&Piece> {
        self.regions(owner)?.pieces.iter().find(|piece| piece.start == start)
    }

    fn set_region(&mut self, owner: HeapId, start: usize, sent: Sent, handle: Handle) {
        let Some(regions) = self.regions_mut(owner) else { return };
        if let Some(piece) = regions.pieces.iter_mut().find(|piece| piece.start == start) {
            (piece.sent, piece.handle) = (sent, handle);
        } else if let Some(region) = regions.tree.get_mut(start) {
            region.set_sent(sent, handle);
        }
    }

    /// The tool has taken a region: its handle is written down; or, if it died during the call, it is to be taken back.
    fn region_answered(&mut self, owner: HeapId, wire: u16, told: ToolRegion) {
        let state = self.piece(owner, told.start).map(|piece| piece.sent);
        let state = state.or_else(|| self.region(owner, told.start).map(Region::sent));
        if state == Some(Sent::InFlight) {
            self.set_region(owner, told.start, Sent::Yes, told.handle);
        } else {
            let carrier = self.carrier(owner).unwrap_or(NO_HEAP);
            let gone = Gone { wire, carrier, region: told, holder: Holder::Nobody };
            self.hold_gone(gone);
        }
    }

    fn heap_is(&self, id: HeapId, state: Sent) -> bool {
        self.heap(id).is_some_and(|heap| heap.wire == Wire::Own(state))
    }

    fn set_heap(&mut self, id: HeapId, state: Sent) {
        if let Some(heap) = self.heap_mut(id) {
            heap.wire = Wire::Own(state);
        }
    }

    /// The tool has taken a heap: its handle is written down; or, if it ended during the call, it is to be taken back.
    fn heap_answered(&mut self, id: HeapId, told: Ended) {
        if self.heap_is(id, Sent::InFlight) {
            self.set_heap(id, Sent::Yes);
            if let Some(heap) = self.heap_mut(id) {
                heap.handle = told.handle;
            }
        } else if self.pending.ended.add(told).is_err() {
            self.out_of_memory(told.start);
        }
    }
}
