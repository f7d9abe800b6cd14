//! What is around the regions of a panel, and behind them.

use core::fmt::Write as _;

use super::layout::{LEFT, MAP, PLOT, RIGHT};
use super::panel::Panel;
use super::scale::{Bytes, Count, Time, power_of_two};
use super::strip::Peak;
use super::style::Shortened;
use crate::files::escape::Xml;
use crate::files::label::{self, HeapName};
use crate::files::out::Out;
use crate::recording::memory::index;
use crate::recording::story::{Home, Story};

/// What is narrower than that, in pixels, is not seen.
const VISIBLE: f64 = 0.25;

impl Panel {
    /// What it is, above it.
    pub(super) fn title(&self, story: &Story<'_>, peak: Peak, top: f64, out: &mut Out<'_>) {
        let y = top + 18.0;
        let _ = write!(out, "<text x=\"{LEFT}\" y=\"{y}\"><tspan class=\"h2\">");
        let heap = self.heaps.last().and_then(|&number| story.heap(number));
        if let Some(heap) = heap {
            let class = story.names.get_class(heap.class);
            let domain = label::domain(story.names, class.map_or(u32::MAX, |class| class.domain));
            let name = HeapName(story.names, heap.class);
            let _ = write!(out, "{}</tspan><tspan class=\"sub\" dx=\"8\">domain {}", Xml(name), Xml(Shortened(domain, 40)));
            if let Some(class) = class.filter(|class| class.place == mstx_runtime::Place::Device || class.device > 0) {
                let _ = write!(out, " \u{b7} device {}", class.device);
            }
            let _ = write!(out, " \u{b7} {} at {:#x}", Bytes(heap.size), heap.start);
            if self.heaps.len() > 1 {
                let _ = write!(out, " \u{b7} {} one after the other", Count(self.heaps.len() as u64, "heap"));
            }
        } else {
            let _ = write!(out, "Regions of no heap</tspan><tspan class=\"sub\" dx=\"8\">");
            let home = self.regions.first().and_then(|&number| story.region(number)).map(|region| region.home);
            let same = |&number: &u32| story.region(number).map(|region| region.home) == home;
            let ground = match home {
                Some(Home::Ground(ground)) if self.regions.iter().all(same) => story.names.get_ground(ground),
                _ => None,
            };
            let _ = match ground {
                Some(ground) => write!(out, "domain {}", Xml(Shortened(label::domain(story.names, ground.domain), 40))),
                None => write!(out, "several domains"),
            };
            let _ = write!(out, " \u{b7} unused addresses between them are left out");
        }
        let regions = Count(self.regions.len() as u64, "region");
        let _ = writeln!(out, " \u{b7} {regions} \u{b7} at most {} live</tspan></text>", Bytes(peak.bytes));
    }

    /// Free space, while there is a heap, and what is cropped.
    pub(super) fn background(&self, story: &Story<'_>, time: Time, top: f64, out: &mut Out<'_>) {
        let _ = writeln!(out, "<rect class=\"none\" x=\"{LEFT}\" y=\"{top}\" width=\"{PLOT}\" height=\"{MAP}\"/>");
        let mut drawn = 0.0;
        for &number in &self.heaps {
            let Some(heap) = story.heap(number).filter(|heap| heap.end >= story.begin) else { continue };
            // Of very many heaps one after the other one sees no more than that.
            if time.x(heap.end.min(story.end)) < drawn {
                continue;
            }
            drawn = time.x(heap.begin.time) + VISIBLE;
            let mut free = |from: u64, to: u64, size: u64| {
                let (left, right) = (time.x(from), time.x(to));
                let y = self.addresses.y(heap.start.saturating_add(size), top);
                let (width, height) = ((right - left).max(0.5), top + MAP - y);
                let _ = writeln!(
                    out,
                    "<rect class=\"free\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
                );
            };
            let first = self.resizes.partition_point(|&(heap, _)| heap < number);
            let (mut from, mut size) = (heap.begin.time, heap.first_size);
            for &(_, resize) in self.resizes.iter().skip(first).take_while(|&&(heap, _)| heap == number) {
                let Some(resize) = story.resizes.get(index(resize)) else { continue };
                // Of very many sizes one after the other, one sees the last.
                if time.x(resize.time) - time.x(from) >= VISIBLE {
                    free(from, resize.time, size);
                    from = resize.time;
                }
                size = resize.size;
            }
            free(from, heap.end.min(story.end), size);
        }
    }

    /// The frame, and the addresses at its left.
    pub(super) fn axis(&self, top: f64, out: &mut Out<'_>) {
        let bottom = top + MAP;
        let _ = writeln!(out, "<rect class=\"frame\" x=\"{LEFT}\" y=\"{top}\" width=\"{PLOT}\" height=\"{MAP}\"/>");
        if self.heaps.is_empty() {
            return self.several(top, out);
        }
        let length = self.addresses.length;
        let step = power_of_two(length.div_ceil(6));
        let mut offset = 0_u64;
        while offset <= length {
            let y = bottom - MAP * (offset as f64 / length as f64);
            let label = if offset == 0 { Bytes(0) } else { Bytes(offset) };
            tick(y, format_args!("{label}"), out);
            let _ = writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
            offset = offset.saturating_add(step);
        }
    }

    /// What the map does not show, below the panel.
    pub(super) fn notes(&self, shaded: usize, bottom: f64, out: &mut Out<'_>) {
        let y = bottom + 34.0;
        let note = |x: f64, anchor: &str, text: core::fmt::Arguments<'_>, out: &mut Out<'_>| {
            let _ = writeln!(out, "<text class=\"note\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>");
        };
        if shaded > 0 {
            let small = Count(shaded as u64, "small region");
            note(LEFT, "start", format_args!("{small} in grey: too many to be drawn one by one"), out);
        }
        if self.addresses.length < self.size {
            let above = Bytes(self.size - self.addresses.length);
            note(RIGHT, "end", format_args!("not shown: {above} at the end of the heap, never used"), out);
        }
    }

    /// The addresses of the parts, and lines where something is left out.
    fn several(&self, top: f64, out: &mut Out<'_>) {
        let mut free = f64::INFINITY;
        for part in &self.addresses.parts {
            let y = self.addresses.y(part.start, top);
            if part.below > 0 {
                let _ = writeln!(out, "<path class=\"cut\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>");
            }
            if free - y >= 14.0 {
                tick(y, format_args!("{:#x}", part.start), out);
                free = y;
            }
        }
    }
}

/// A label at the left of a plot.
pub(super) fn tick(y: f64, label: core::fmt::Arguments<'_>, out: &mut Out<'_>) {
    let _ = writeln!(out, "<path class=\"axis\" d=\"M{LEFT} {y:.1}h-4\"/>");
    let (x, y) = (LEFT - 7.0, y + 4.0);
    let _ = writeln!(out, "<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>");
}
