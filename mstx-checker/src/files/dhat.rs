//! DHAT's format, version 2, JSON: bytes, blocks and lifetimes for each call.
//!
//! A block is a region. Regions of different heaps stand apart, by an outermost frame with the heap's name. Of events that were
//! dropped only that is counted which was live afterwards.

use core::fmt::{self, Display, Write as _};
use core::hash::{Hash, Hasher};
use std::alloc::System;
use std::hash::DefaultHasher;

use hashbrown::HashTable;

use super::escape::Json;
use super::label::{self, At, Function, HomeName, Micros};
use super::out::{Out, Scratch};
use super::process::Command;
use crate::recording::memory::{Full, Vec, add, filled, index, place, vec};
use crate::recording::names::{self, Texts};
use crate::recording::story::{Change, Home, Region, Story};

/// A call in a heap: what DHAT calls a program point.
struct Point {
    origin: u32,
    home: Home,
    /// What tells the heap apart from others: heaps of one class are one.
    class: Home,
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
    const fn new(region: &Region, class: Home) -> Self {
        let none = Amount { blocks: 0, bytes: 0 };
        let (origin, home) = (region.origin, region.home);
        Self { origin, home, class, blocks: 0, bytes: 0, lifetimes: 0, live: none, most: none, peak: none }
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

fn hash(origin: u32, class: Home) -> u64 {
    let mut hasher = DefaultHasher::new();
    let class = match class {
        Home::Heap(class) => (0, class),
        Home::Ground(ground) => (1, ground),
    };
    (origin, class).hash(&mut hasher);
    hasher.finish()
}

/// What all regions amount to.
struct Profile {
    points: Vec<Point>,
    /// The point of each region.
    of: Vec<u32>,
    /// When the most bytes were live.
    peak: u64,
}

impl Profile {
    fn of(story: &Story<'_>) -> Result<Self, Full> {
        let mut profile = Self { points: vec(), of: filled(0, story.regions.len())?, peak: story.begin };
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
        let mut known = HashTable::new_in(System);
        for (region, of) in story.regions.iter().zip(&mut self.of) {
            let class = match region.home {
                Home::Heap(heap) => Home::Heap(story.heap(heap).map_or(u32::MAX, |heap| heap.class)),
                ground @ Home::Ground(_) => ground,
            };
            let hashed = hash(region.origin, class);
            let points = &mut self.points;
            let is = |&at: &u32| points.get(index(at)).is_some_and(|point| (point.origin, point.class) == (region.origin, class));
            if let Some(&at) = known.find(hashed, is) {
                *of = at;
                continue;
            }
            *of = place(points.len());
            add(points, Point::new(region, class))?;
            let rehash = |&at: &u32| points.get(index(at)).map_or(0, |point| hash(point.origin, point.class));
            known.try_reserve(1, rehash).map_err(|_| Full)?;
            known.insert_unique(hashed, *of, rehash);
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
    let profile = Profile::of(story)?;
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
    let mut frames = Frames::new();
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
        for frame in frames.of(story, point) {
            let _ = write!(out, "{frame},");
        }
        let _ = write!(out, "{}]}}", frames.number(format_args!("in {}", HomeName(story, point.home))));
    }
    let _ = write!(out, "\n],\"ftbl\":[");
    for (at, frame) in frames.texts.iter().enumerate() {
        let _ = write!(out, "{}\n\"{}\"", if at == 0 { "" } else { "," }, Json(frame));
    }
    let _ = writeln!(out, "\n]}}");
    Ok(())
}

/// The table of frames. The viewer takes those with one number for the same, so each stands there once.
struct Frames {
    texts: Texts,
    scratch: Scratch,
}

impl Frames {
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

    /// The frames of a point, the innermost first.
    fn of(&mut self, story: &Story<'_>, point: &Point) -> impl Iterator<Item = u32> {
        let origin = story.names.get_origin(point.origin);
        let caller = At(origin.map(|origin| origin.caller()));
        let frames = match origin.and_then(label::definition) {
            Some(defined) => {
                let function = self.number(format_args!("{} ({})", Function(origin), At(Some(defined))));
                [Some(function), Some(self.number(format_args!("called at {caller}")))]
            }
            None => [Some(self.number(format_args!("{} ({caller})", Function(origin)))), None],
        };
        frames.into_iter().flatten()
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
