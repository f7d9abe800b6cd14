//! DHAT's format, version 2, JSON: bytes, blocks and lifetimes for each call.
//!
//! A block is a region. Regions of different heaps stand apart, by an outermost frame with the heap's name. Of events that were
//! dropped only that is counted which was live afterwards.

use core::fmt::{self, Display, Write as _};
use core::hash::Hash;

use super::escape::Json;
use super::label::{self, At, Function, HomeName, Micros};
use super::out::{Out, Scratch};
use super::process::Command;
use crate::recording::memory::{Full, Vec, add, filled, index, place, vec};
use crate::recording::names::{self, Texts};
use crate::recording::once::{self, Once};
use crate::recording::story::{Change, Home, Region, Story};

/// The frames of a call in a heap, the innermost first.
///
/// The viewer refuses a file in which two program points have the same frames. So they are what tells points apart: heaps of one
/// name are one, whoever registered them, wherever they are.
type Frames = [Option<u32>; 3];

/// A call in a heap: what DHAT calls a program point.
struct Point {
    frames: Frames,
    blocks: u64,
    bytes: u64,
    lifetimes: u64,
    live: Amount,
    /// When its own bytes were most.
    most: Amount,
    /// When all bytes were most.
    peak: Amount,
}

/// Blocks and bytes.
#[derive(Clone, Copy, Default)]
struct Amount {
    blocks: u64,
    bytes: u64,
}

impl Point {
    const fn new(frames: Frames) -> Self {
        let none = Amount { blocks: 0, bytes: 0 };
        Self { frames, blocks: 0, bytes: 0, lifetimes: 0, live: none, most: none, peak: none }
    }

    fn begin(&mut self, size: u64) {
        self.blocks += 1;
        self.bytes = self.bytes.saturating_add(size);
        self.live.blocks += 1;
        self.live.bytes = self.live.bytes.saturating_add(size);
        if self.live.bytes > self.most.bytes {
            self.most = self.live;
        }
    }

    fn end(&mut self, size: u64, lifetime: u64) {
        self.live.blocks = self.live.blocks.saturating_sub(1);
        self.live.bytes = self.live.bytes.saturating_sub(size);
        self.lifetimes = self.lifetimes.saturating_add(lifetime);
    }
}

/// The number of a thing, which is new if it has that of the next one.
fn number<T: Copy + Eq + Hash>(known: &mut Once<T>, new: T) -> Result<usize, Full> {
    match known.number(new, |known| *known == new, once::hash, usize::MAX) {
        once::UNKNOWN => Err(Full),
        number => Ok(index(number)),
    }
}

/// What all regions amount to.
struct Profile {
    points: Vec<Point>,
    /// The point of each region.
    of: Vec<u32>,
    /// When the most bytes were live.
    peak: u64,
    table: Table,
}

impl Profile {
    fn of(story: &Story<'_>, out: &mut Out<'_>) -> Result<Self, Full> {
        let of = filled(0, story.regions.len())?;
        let mut profile = Self { points: vec(), of, peak: story.begin, table: Table::new() };
        profile.find_points(story)?;
        let (mut live, mut most, mut peak) = (0_u64, 0, None);
        for (at, step) in story.steps.iter().enumerate() {
            match step.change {
                Change::RegionBegins(number) => {
                    live = live.saturating_add(story.region(number).map_or(0, |region| region.size));
                    if live > most {
                        (most, peak) = (live, Some(at));
                    }
                }
                Change::RegionEnds(number) => live = live.saturating_sub(story.region(number).map_or(0, |region| region.size)),
                _ => {}
            }
        }
        for (at, step) in story.steps.iter().enumerate() {
            out.reached(at, story.steps.len());
            let (number, begins) = match step.change {
                Change::RegionBegins(number) => (number, true),
                Change::RegionEnds(number) => (number, false),
                _ => continue,
            };
            let Some(region) = story.region(number) else { continue };
            if let Some(point) = profile.point(number) {
                if begins {
                    point.begin(region.size);
                } else {
                    point.end(region.size, region.end.saturating_sub(region.begin.time));
                }
            }
            if peak == Some(at) {
                profile.peak = step.at.time;
                profile.points.iter_mut().for_each(|point| point.peak = point.live);
            }
        }
        // What is live has lived until now.
        for (number, region) in story.regions.iter().enumerate().filter(|(_, region)| region.is_live()) {
            if let Some(point) = profile.point(place(number)) {
                point.lifetimes = point.lifetimes.saturating_add(story.end.saturating_sub(region.begin.time));
            }
        }
        Ok(profile)
    }

    fn find_points(&mut self, story: &Story<'_>) -> Result<(), Full> {
        // What a region knows of itself, and the point of each such thing: frames are laid out once for it.
        let (mut keys, mut of_keys) = (Once::new(), vec());
        let mut frames = Once::new();
        for (region, of) in story.regions.iter().zip(&mut self.of) {
            let class = match region.home {
                Home::Heap(heap) => Home::Heap(story.heap(heap).map_or(u32::MAX, |heap| heap.class)),
                ground @ Home::Ground(_) => ground,
            };
            let key = number(&mut keys, (region.origin, class))?;
            if key == of_keys.len() {
                let these = self.table.frames(story, region);
                let point = number(&mut frames, these)?;
                if point == self.points.len() {
                    add(&mut self.points, Point::new(these))?;
                }
                add(&mut of_keys, place(point))?;
            }
            *of = of_keys.get(key).copied().ok_or(Full)?;
        }
        Ok(())
    }

    fn point(&mut self, region: u32) -> Option<&mut Point> {
        let at = *self.of.get(index(region))?;
        self.points.get_mut(index(at))
    }
}

/// Writes the story. Writing to `out` does not fail; what goes wrong there is kept there.
pub(crate) fn write(story: &Story<'_>, out: &mut Out<'_>) -> Result<(), Full> {
    let profile = Profile::of(story, out)?;
    let process = std::process::id();
    let _ = write!(
        out,
        "{{\"dhatFileVersion\":2,\"mode\":\"mstx-heap\",\"verb\":\"Registered\",\"bklt\":true,\"bkacc\":false,\n\
         \"tu\":\"\u{b5}s\",\"Mtu\":\"s\",\"tuth\":10,\n\
         \"cmd\":\"{}{}\",\"pid\":{process},\"tg\":{},\"te\":{},\n\"pps\":[",
        Json(Command::read()),
        Dropped(story),
        Micros(profile.peak),
        Micros(story.end)
    );
    for (at, point) in profile.points.iter().enumerate() {
        let Point { blocks, bytes, lifetimes, live, most, peak, .. } = point;
        let _ = write!(
            out,
            "{}\n{{\"tb\":{bytes},\"tbk\":{blocks},\"tl\":{},\"mb\":{},\"mbk\":{},\"gb\":{},\"gbk\":{},\"eb\":{},\"ebk\":{},\"fs\":[",
            if at == 0 { "" } else { "," },
            Micros(*lifetimes),
            most.bytes,
            most.blocks,
            peak.bytes,
            peak.blocks,
            live.bytes,
            live.blocks
        );
        for (at, frame) in point.frames.iter().flatten().enumerate() {
            let _ = write!(out, "{}{frame}", if at == 0 { "" } else { "," });
        }
        let _ = write!(out, "]}}");
    }
    let _ = write!(out, "\n],\"ftbl\":[");
    for (at, frame) in profile.table.texts.iter().enumerate() {
        let _ = write!(out, "{}\n\"{}\"", if at == 0 { "" } else { "," }, Json(frame));
    }
    let _ = writeln!(out, "\n]}}");
    Ok(())
}

/// The table of frames, in which each stands once.
struct Table {
    texts: Texts,
    scratch: Scratch,
}

impl Table {
    /// The frame that stands for those that there was no room for.
    const UNKNOWN: u32 = 1;

    fn new() -> Self {
        let mut texts = Texts::new();
        // The viewer wants the root first.
        for text in ["[root]", "(unknown)"] {
            texts.number(text);
        }
        Self { texts, scratch: Scratch::new() }
    }

    fn number(&mut self, frame: fmt::Arguments<'_>) -> u32 {
        match self.texts.number(self.scratch.lay_out(frame)) {
            names::UNKNOWN => Self::UNKNOWN,
            number => number,
        }
    }

    /// The frames of a region's point.
    fn frames(&mut self, story: &Story<'_>, region: &Region) -> Frames {
        let origin = story.names.get_origin(region.origin);
        let caller = At(origin.map(|origin| origin.caller()));
        let (function, caller) = match origin.and_then(label::definition) {
            Some(defined) => {
                let function = self.number(format_args!("{} ({})", Function(origin), At(Some(defined))));
                (function, Some(self.number(format_args!("called at {caller}"))))
            }
            None => (self.number(format_args!("{} ({caller})", Function(origin))), None),
        };
        let heap = self.number(format_args!("in {}", HomeName(story, region.home)));
        [Some(function), caller, Some(heap)]
    }
}

/// What the command is followed by where events were dropped: the viewer shows it at the top.
struct Dropped<'a>(&'a Story<'a>);

impl Display for Dropped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.dropped {
            0 => Ok(()),
            dropped => write!(f, " [the oldest {dropped} events were dropped; the newest {} are here]", self.0.kept),
        }
    }
}
