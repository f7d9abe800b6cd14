//! The short way, for what happens most: one region comes or goes in a heap, and nothing is in the way.
//!
//! Everything else (several regions in one call, an overlap, a race with a reset, a fault, a tool in the process) is left to
//! `register` and `release`, which know all the rules; what is done here they would have done just so. A function here answers
//! `None` where it is not that plain, and has changed nothing then.
//!
//! In a deferred heap, where nothing is sent at once, it is enough to share the books: what changes is the heap's own part, under
//! its own lock. So nothing here may look at the part of a heap but through `Shard::lock` or, alone, `Shard::alone_mut`.

use super::heaps::{Heap, HeapId, Wire};
use super::memo::Released;
use super::names::{OriginId, Origins};
use super::pending::{Gone, Holder, Queue};
use super::region::{Region, Sent};
use super::release::TakenList;
use super::shard::Regions;
use super::ticket::Ticket;
use super::tree::Spot;
use super::{Caller, Ledger};
use crate::Answer;
use crate::live::process::thread::{Open, Stamp};
use crate::tool::{Handle, ToolRegion};

/// What is left to be done by somebody who has the books alone.
pub(crate) enum Rest {
    Nothing,
    /// Too much is held back, or too much that is of no use; see `relieve_holder`.
    Relieve(Holder),
}

/// What the tool is told of one region.
#[derive(Clone, Copy)]
pub(crate) struct Letter {
    /// It is live, or has gone.
    pub(crate) live: bool,
    pub(crate) heap: HeapId,
    /// Where it is in the books, unless they change.
    pub(crate) spot: Spot,
    pub(crate) wire: u16,
    pub(crate) domain_handle: Handle,
    pub(crate) heap_handle: Handle,
    pub(crate) region: ToolRegion,
}

/// What an event in one heap needs to know besides the heap's own part.
#[derive(Clone, Copy)]
struct Setting {
    id: HeapId,
    origin: OriginId,
    /// Whether the tool is told of this heap.
    wired: bool,
    /// Under which of the tool's domains.
    wire: u16,
    device: u32,
    /// What the tool answered to the heap's registration.
    handle: Handle,
    /// At how much the heap lets go of what it holds back, if it does.
    deferral: Option<usize>,
}

/// Whether the tool is to be told at once.
#[derive(Clone, Copy)]
enum Tell {
    Nothing,
    AtOnce(Spot),
}

impl Ledger {
    /// What there is to know of the heap that an event is plainly about.
    fn setting(&self, caller: &Caller, start: usize) -> Option<(Setting, &Heap)> {
        // A region that was refused may start there; that is for others to find out.
        if self.has_tools() || self.refused.total() > 0 {
            return None;
        }
        let (id, heap) = match caller.heap {
            None => self.heaps.innermost(start).and_then(|id| Some((id, self.heaps.get(id)?)))?,
            Some(key) => self.heaps.plainly(key)?,
        };
        let wired = self.wired && heap.wire != Wire::Unwanted;
        let wire = self.domains.wire(heap.domain);
        let known = || heap.wire == Wire::Own(Sent::Yes) && self.domains.wire[usize::from(wire)].answer != Answer::NotAsked;
        if (wired && !known()) || caller.domain.is_some_and(|domain| domain != heap.domain) {
            return None;
        }
        let origin = self.origins.find(&caller.origin)?;
        let deferral = heap.deferral.filter(|_| !self.immediate);
        Some((Setting { id, origin, wired, wire, device: heap.device, handle: heap.handle, deferral }, heap))
    }

    /// The same for a region that comes, if it fits.
    fn setting_for(&self, caller: &Caller, start: usize, size: usize) -> Option<(Setting, &Heap)> {
        let end = start.checked_add(size).filter(|&end| start != 0 && end > start)?;
        // Whole heaps have neither come nor gone since the function was entered, and none is going.
        if Ticket::now() != caller.entry.ticket || self.ending > 0 {
            return None;
        }
        self.setting(caller, start).filter(|(_, heap)| heap.contains(start, end) && heap.resetting == 0)
    }

    /// A region was handed out; whoever calls this has the books alone. `letter`: where to write what the tool is to be told at once,
    /// if the caller can talk to the tool afterwards.
    pub(crate) fn register_alone(&mut self, caller: &Caller, start: usize, size: usize, letter: Option<&mut Option<Letter>>) -> Option<()> {
        let (setting, _) = self.setting_for(caller, start, size)?;
        let holder = self.holder_alone(&setting, letter.is_some())?;
        let queue = if let Holder::Batch(batch) = holder { Some(self.pending.batch(batch).ok()?) } else { None };
        let regions = self.heaps.get_mut(setting.id)?.shard.alone_mut();
        let (tell, rest) = regions.enter(&setting, holder, queue, start, size)?;
        if let (Tell::AtOnce(spot), Some(letter)) = (tell, letter) {
            let region = ToolRegion { start, size, device: setting.device, origin: caller.origin, handle: Handle::NONE };
            *letter = Some(self.letter(&setting, true, spot, region));
        }
        self.relieved(&rest);
        Some(())
    }

    /// A region was handed out; the books are shared.
    pub(crate) fn register_shared(&self, caller: &Caller, start: usize, size: usize) -> Option<Rest> {
        let (setting, heap) = self.setting_for(caller, start, size)?;
        setting.deferral?;
        let mut regions = heap.shard.lock()?;
        regions.enter(&setting, Holder::Heap(setting.id), None, start, size).map(|(_, rest)| rest)
    }

    /// A region is about to be given back; whoever calls this has the books alone.
    pub(crate) fn release_alone(&mut self, caller: &Caller, start: usize, letter: Option<&mut Option<Letter>>, taken: &mut TakenList) -> Option<()> {
        let (setting, _) = self.setting(caller, start)?;
        let holder = self.holder_alone(&setting, letter.is_some())?;
        let queue = if let Holder::Batch(batch) = holder { Some(self.pending.batch(batch).ok()?) } else { None };
        let regions = self.heaps.get_mut(setting.id)?.shard.alone_mut();
        let (region, tell, rest) = regions.leave(&setting, holder, queue, &self.origins, start)?;
        setting.take(start, region, taken);
        if let (Tell::AtOnce(spot), Some(letter)) = (tell, letter) {
            let gone = setting.shown(&self.origins, start, &region);
            *letter = Some(self.letter(&setting, false, spot, gone));
        }
        self.relieved(&rest);
        Some(())
    }

    /// A region is about to be given back; the books are shared.
    pub(crate) fn release_shared(&self, caller: &Caller, start: usize, taken: &mut TakenList) -> Option<Rest> {
        let (setting, heap) = self.setting(caller, start)?;
        setting.deferral?;
        let mut regions = heap.shard.lock()?;
        let (region, _, rest) = regions.leave(&setting, Holder::Heap(setting.id), None, &self.origins, start)?;
        setting.take(start, region, taken);
        Some(rest)
    }

    fn holder_alone(&self, setting: &Setting, may_send: bool) -> Option<Holder> {
        let holder = if setting.deferral.is_some() { Holder::Heap(setting.id) } else { self.batch };
        // What is pending goes first.
        let sends = setting.wired && holder == Holder::Nobody;
        (!sends || (may_send && self.pending.is_settled())).then_some(holder)
    }

    fn letter(&self, setting: &Setting, live: bool, spot: Spot, region: ToolRegion) -> Letter {
        Letter {
            live,
            spot,
            heap: setting.id,
            wire: setting.wire,
            domain_handle: self.domains.wire[usize::from(setting.wire)].handle,
            heap_handle: setting.handle,
            region,
        }
    }

    fn relieved(&mut self, rest: &Rest) {
        if let Rest::Relieve(holder) = rest {
            self.relieve_holder(*holder);
        }
    }
}

impl Setting {
    fn take(&self, start: usize, region: Region, taken: &mut TakenList) {
        let open = Open::push(self.id, start, start + region.size);
        taken.add_one(self.id, start, region, open);
    }

    fn shown(&self, origins: &Origins, start: usize, region: &Region) -> ToolRegion {
        let origin = origins.get(region.origin);
        ToolRegion { start, size: region.size, device: self.device, origin, handle: region.handle }
    }

    fn rest(&self, holder: Holder, queue: Option<&Queue>) -> Rest {
        let most = self.deferral.unwrap_or(usize::MAX);
        let batch = matches!(holder, Holder::Batch(_));
        let much = queue.is_some_and(|queue| queue.held() >= most || (batch && queue.is_untidy()));
        if much { Rest::Relieve(holder) } else { Rest::Nothing }
    }
}

impl Regions {
    /// A region becomes live. `batch`: what the holder holds back, if it is a batch.
    fn enter(
        &mut self,
        setting: &Setting,
        holder: Holder,
        batch: Option<&mut Queue>,
        start: usize,
        size: usize,
    ) -> Option<(Tell, Rest)> {
        let spot = self.tree.spot(start);
        let overlaps = self.tree.before(&spot).is_some_and(|(at, region)| start - at < region.size)
            || self.tree.after(&spot).is_some_and(|(at, _)| at - start < size);
        if overlaps {
            return None;
        }
        let mut region = Region::new(size, setting.origin, Stamp::next());
        let mut queue = if let Holder::Heap(_) = holder { Some(&mut self.held) } else { batch };
        if !setting.wired {
            self.tree.insert_at(&spot, start, region).ok()?;
            return Some((Tell::Nothing, Rest::Nothing));
        }
        let Some(queue) = &mut queue else {
            // What overlaps and is held back goes first.
            if !self.gone.is_empty() && self.gone_in(start, start + size, |_| true).is_some() {
                return None;
            }
            region.set_sent(Sent::InFlight, Handle::NONE);
            self.tree.insert_at(&spot, start, region).ok()?;
            return Some((Tell::AtOnce(spot), Rest::Nothing));
        };
        let same = if self.gone.is_empty() { None } else { self.gone.get(start).copied().flatten() };
        let same = same.filter(|gone| {
            (gone.wire, gone.region.size, gone.region.device) == (setting.wire, size, setting.device)
        });
        queue.reserve().ok()?;
        match same {
            // That of another holder is for others to take over.
            Some(gone) if gone.holder != holder => return None,
            Some(gone) => {
                region.set_sent(Sent::Yes, gone.region.handle);
                self.tree.insert_at(&spot, start, region).ok()?;
                self.gone.remove(start);
                queue.cancel_gone(setting.id, start);
            }
            None => {
                self.tree.insert_at(&spot, start, region).ok()?;
                // There is room.
                let _ = queue.add_region(setting.id, start);
            }
        }
        let rest = setting.rest(holder, Some(queue));
        self.tidy(setting.id, holder);
        Some((Tell::Nothing, rest))
    }

    /// Takes what is of no use any more out of what this heap holds back.
    fn tidy(&mut self, id: HeapId, holder: Holder) {
        if !self.held.is_untidy() {
            return;
        }
        let (tree, gone) = (&self.tree, &self.gone);
        // What concerns other heaps (those that start where this one does are sent in it) is left as it is.
        self.held.tidy(
            |&(heap, start)| heap != id || tree.get(start).is_some_and(|region| region.is_covered() || region.sent() == Sent::No),
            |&(carrier, start)| carrier != id || gone.get(start).is_some_and(|gone| gone.is_some_and(|gone| gone.holder == holder)),
        );
    }

    /// A region is live no longer.
    fn leave(
        &mut self,
        setting: &Setting,
        holder: Holder,
        batch: Option<&mut Queue>,
        origins: &Origins,
        start: usize,
    ) -> Option<(Region, Tell, Rest)> {
        let spot = self.tree.spot(start);
        let region = *self.tree.after(&spot).filter(|&(at, _)| at == start)?.1;
        if region.is_covered() || region.sent() == Sent::InFlight {
            return None;
        }
        // Of what others released there, nothing may be left at the tool.
        if !self.gone.is_empty() && self.gone_in(start, start + region.size, |gone| gone.holder != holder).is_some() {
            return None;
        }
        let mut queue = if let Holder::Heap(_) = holder { Some(&mut self.held) } else { batch };
        let mut tell = Tell::Nothing;
        match (&mut queue, region.sent()) {
            (None, Sent::Yes) => tell = Tell::AtOnce(spot),
            (None, _) => {}
            (Some(queue), Sent::Yes) => {
                queue.reserve().ok()?;
                let shown = setting.shown(origins, start, &region);
                let gone = Gone { wire: setting.wire, carrier: setting.id, region: shown, holder };
                self.gone.insert(start, Some(gone)).ok()?;
                // There is room.
                let _ = queue.add_gone(setting.id, start);
            }
            // What comes and goes while it is held back is never sent.
            (Some(queue), _) => queue.cancel_region(setting.id, start),
        }
        let rest = setting.rest(holder, queue.as_deref());
        self.tree.remove_at(&spot, start);
        // Without memory for it, a second release is one of an unknown region.
        let _ = self.released.push(Released { start, by: setting.origin });
        self.tidy(setting.id, holder);
        Some((region, tell, rest))
    }
}
