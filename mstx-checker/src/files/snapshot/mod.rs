//! `PyTorch`'s memory snapshot, pickled.
//!
//! A heap is a segment, as large as it ever was: the format has no other size for it. A region is a block. What the devices of the
//! file stand for, `planes` says. Times are in microseconds since the recording began.

mod layers;
mod pickle;
mod planes;
mod segments;

use mstx_runtime::Origin;

use self::pickle::{Memo, Pickle};
use self::planes::Planes;
use super::label::{Call, Function, HomeName, definition};
use super::out::{Out, Scratch};
use crate::recording::memory::{Full, Vec, filled, index, vec};
use crate::recording::story::{Change, Home, Step, Story};

/// With more calls than that, the viewer's list of categories would hide its picture.
const CATEGORIES: usize = 24;

/// Writes the story. Writing to `out` does not fail; what goes wrong there is kept there.
pub(crate) fn write(story: &Story<'_>, out: &mut Out<'_>) -> Result<(), Full> {
    let mut snapshot = Snapshot {
        story,
        planes: Planes::of(story)?,
        pickle: Pickle::new(out),
        // And one that stands for all that are not known.
        frames: filled(None, story.names.origins() + 1)?,
        categories: story.names.origins() <= CATEGORIES,
        scratch: Scratch::new(),
    };
    snapshot.pickle.begin_dict();
    snapshot.pickle.text("segments");
    snapshot.segments()?;
    snapshot.pickle.text("device_traces");
    snapshot.traces()?;
    snapshot.recording();
    snapshot.pickle.end_dict();
    snapshot.pickle.end();
    Ok(())
}

/// What an event says besides where and when.
#[derive(Clone, Copy)]
enum Said {
    /// Nothing.
    Nothing,
    /// Who registered it, and in which heap.
    Registered(u32, Home),
    /// That a heap is registered.
    Heap(Home),
}

struct Snapshot<'a, 'b, 'c> {
    story: &'a Story<'a>,
    planes: Planes,
    pickle: Pickle<'b, 'c>,
    /// The frames of each origin, once they are written.
    frames: Vec<Option<Memo>>,
    categories: bool,
    scratch: Scratch,
}

impl Snapshot<'_, '_, '_> {
    /// What was recorded. Viewers leave it alone.
    fn recording(&mut self) {
        let (kept, dropped, begin) = (self.story.kept as u64, self.story.dropped, self.story.begin);
        self.pickle.text("mstx_recording");
        self.pickle.begin_dict();
        self.pickle.entry("events_kept", kept);
        self.pickle.entry("events_dropped", dropped);
        self.pickle.entry("complete_from_us", begin / 1000);
        self.pickle.end_dict();
    }

    /// What happened, for each device.
    fn traces(&mut self) -> Result<(), Full> {
        let story = self.story;
        // What is shown, by device, and on each in the order in which it happened.
        let mut order = vec();
        order.try_reserve_exact(story.steps.len()).map_err(|_| Full)?;
        for (number, step) in (0_u32..).zip(&story.steps) {
            let home = match step.change {
                Change::HeapBegins(heap) | Change::HeapEnds(heap) => Some(Home::Heap(heap)),
                Change::RegionBegins(region) | Change::RegionEnds(region) => story.region(region).map(|region| region.home),
                _ => None,
            };
            order.extend(home.map(|home| (self.planes.device(story, home), number)));
        }
        order.sort_unstable();
        let last = order.last().map_or(0, |&(device, _)| device);
        let mut shown = order.iter().enumerate().peekable();
        self.pickle.begin_list();
        for device in 0..=last {
            self.pickle.begin_list();
            while let Some((done, &(_, number))) = shown.next_if(|(_, (of, _))| *of == device) {
                self.pickle.reached(done, order.len());
                if let Some(step) = story.steps.get(index(number)) {
                    self.step(step);
                }
            }
            self.pickle.item();
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) {
        let story = self.story;
        match step.change {
            Change::HeapBegins(number) => {
                let Some(heap) = story.heap(number) else { return };
                self.event("segment_alloc", step, heap.start, heap.largest, Said::Heap(Home::Heap(number)));
            }
            Change::HeapEnds(number) => {
                let Some(heap) = story.heap(number) else { return };
                self.event("segment_free", step, heap.start, heap.largest, Said::Nothing);
            }
            Change::RegionBegins(number) => {
                let Some(region) = story.region(number) else { return };
                let (start, size, home) = (region.start, region.size, region.home);
                if let Home::Ground(_) = home {
                    self.event("segment_alloc", step, start, size, Said::Heap(home));
                }
                self.event("alloc", step, start, size, Said::Registered(region.origin, home));
            }
            Change::RegionEnds(number) => {
                let Some(region) = story.region(number) else { return };
                let (start, size) = (region.start, region.size);
                self.event("free_requested", step, start, size, Said::Nothing);
                self.event("free_completed", step, start, size, Said::Nothing);
                if let Home::Ground(_) = region.home {
                    self.event("segment_free", step, start, size, Said::Nothing);
                }
            }
            _ => {}
        }
    }

    fn event(&mut self, action: &str, step: &Step, address: u64, size: u64, said: Said) {
        self.pickle.begin_dict();
        self.pickle.text_entry("action", action);
        self.pickle.entry("addr", address);
        self.pickle.entry("size", size);
        self.pickle.entry("stream", 0);
        self.pickle.entry("time_us", step.at.time / 1000);
        self.pickle.text("frames");
        let home = match said {
            Said::Registered(origin, home) => {
                self.frames(origin);
                if self.categories {
                    let call = self.scratch.lay_out(format_args!("{}", Call(self.story.names.get_origin(origin))));
                    self.pickle.text_entry("category", call);
                }
                Some(home)
            }
            Said::Heap(home) => {
                match self.heap_origin(home) {
                    Some(origin) => self.frames(origin),
                    None => self.pickle.begin_list(),
                }
                if self.categories {
                    // Where anything has a category, the viewer wants this one too.
                    self.pickle.text_entry("category", "unknown");
                }
                Some(home)
            }
            Said::Nothing => {
                self.pickle.begin_list();
                None
            }
        };
        if let Some(home) = home {
            let name = self.scratch.lay_out(format_args!("heap: {}", HomeName(self.story, home)));
            self.pickle.text_entry("user_metadata", name);
        }
        self.pickle.end_dict();
        self.pickle.item();
    }

    fn heap_origin(&self, home: Home) -> Option<u32> {
        let Home::Heap(heap) = home else { return None };
        Some(self.story.names.get_class(self.story.heap(heap)?.class)?.origin)
    }

    /// The frames of a call, the innermost first.
    fn frames(&mut self, origin: u32) {
        let last = self.frames.len().saturating_sub(1);
        let at = index(origin).min(last);
        if let Some(&Some(memo)) = self.frames.get(at) {
            return self.pickle.get(memo);
        }
        let origin = self.story.names.get_origin(origin);
        self.pickle.begin_list();
        match origin.and_then(definition) {
            Some(defined) => {
                self.frame(origin, Some(defined), false);
                self.frame(origin, origin.map(|origin| origin.caller()), true);
            }
            None => self.frame(origin, origin.map(|origin| origin.caller()), false),
        }
        let memo = self.pickle.memoize();
        if let Some(place) = self.frames.get_mut(at) {
            *place = Some(memo);
        }
    }

    fn frame(&mut self, origin: Option<Origin>, at: Option<&core::panic::Location<'_>>, caller: bool) {
        self.pickle.begin_dict();
        self.pickle.text_entry("filename", at.map_or("(unknown)", |at| at.file()));
        self.pickle.entry("line", at.map_or(0, core::panic::Location::line).into());
        self.pickle.text("name");
        let name = if caller { "(caller)" } else { self.scratch.lay_out(format_args!("{}", Function(origin))) };
        self.pickle.text(name);
        self.pickle.end_dict();
        self.pickle.item();
    }
}
