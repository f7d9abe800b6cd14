//! The strip below a map: live bytes and fragmentation over time.

use core::fmt::Write as _;

use super::frame::tick;
use super::gaps::Gaps;
use super::layout::{LEFT, PLOT, RIGHT, STRIP};
use super::panel::Panel;
use super::scale::{Bytes, Time};
use crate::files::out::Out;
use crate::recording::memory::{Full, Vec, filled, index, vec};
use crate::recording::story::{Change, Heap, Story};

/// How many columns there are: one for each pixel.
const COLUMNS: usize = PLOT as usize;

/// When the most bytes were live.
#[derive(Clone, Copy, Default)]
pub(super) struct Peak {
    pub(super) bytes: u64,
    time: u64,
}

/// What was the case in the time of one pixel.
#[derive(Clone, Copy, Default)]
struct Column {
    /// The most live bytes.
    live: u64,
    /// The highest fragmentation, if anything was free.
    fragmentation: Option<f64>,
    /// Whether anything happened, or went on.
    seen: bool,
}

/// The strip.
pub(super) struct Strip {
    columns: Vec<Column>,
    pub(super) peak: Peak,
}

impl Strip {
    pub(super) fn of(story: &Story<'_>, panel: &Panel, time: Time, out: &mut Out<'_>) -> Result<Self, Full> {
        let mut strip = Self { columns: filled(Column::default(), COLUMNS)?, peak: Peak { bytes: 0, time: story.begin } };
        let mut state = State::of(story, panel)?;
        let mut last = 0;
        for (done, step) in story.steps.iter().enumerate() {
            out.reached(done, story.steps.len());
            if !panel.has(story, step.change) {
                continue;
            }
            let column = ((time.fraction(step.at.time) * COLUMNS as f64) as usize).min(COLUMNS - 1);
            strip.go_on(last, column, &state);
            state.change(story, step.change);
            strip.go_on(column, column, &state);
            if state.live > strip.peak.bytes {
                strip.peak = Peak { bytes: state.live, time: step.at.time };
            }
            last = column;
        }
        strip.go_on(last, COLUMNS - 1, &state);
        Ok(strip)
    }

    /// From one column to another, both included, things were like this.
    fn go_on(&mut self, from: usize, to: usize, state: &State) {
        let fragmentation = state.fragmentation();
        for column in self.columns.get_mut(from..=to).into_iter().flatten() {
            column.seen = true;
            column.live = column.live.max(state.live);
            let known = column.fragmentation.unwrap_or(0.0);
            column.fragmentation = fragmentation.map(|now| now.max(known)).or(column.fragmentation);
        }
    }

    /// Draws it, from `top` downwards.
    pub(super) fn draw(&self, panel: &Panel, top: f64, out: &mut Out<'_>) {
        let bottom = top + STRIP;
        let full = self.peak.bytes.max(1) as f64;
        let _ = write!(out, "<path class=\"live\" d=\"M{LEFT} {bottom}");
        let mut last = 0.0;
        for (column, Column { live, .. }) in self.columns.iter().enumerate() {
            let y = bottom - (STRIP - 4.0) * (*live as f64 / full);
            if (y - last).abs() > 0.05 {
                let _ = write!(out, "H{:.0}V{y:.1}", LEFT + column as f64);
                last = y;
            }
        }
        let _ = writeln!(out, "H{RIGHT}V{bottom}\"/>");
        if !panel.heaps.is_empty() {
            self.draw_fragmentation(top, out);
        }
        let _ = writeln!(out, "<rect class=\"frame\" x=\"{LEFT}\" y=\"{top}\" width=\"{PLOT}\" height=\"{STRIP}\"/>");
        tick(bottom, format_args!("0 B"), out);
        if self.peak.bytes > 0 {
            tick(top + 4.0, format_args!("{}", Bytes(self.peak.bytes)), out);
        }
        let (x, y) = (LEFT - 7.0, top + STRIP / 2.0 + 5.0);
        let _ = writeln!(out, "<text class=\"tick livetext\" x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">live bytes</text>");
    }

    fn draw_fragmentation(&self, top: f64, out: &mut Out<'_>) {
        let bottom = top + STRIP;
        let _ = write!(out, "<path class=\"frag\" d=\"");
        let mut last = None;
        for (number, column) in self.columns.iter().enumerate() {
            let y = column.fragmentation.map(|fragmentation| bottom - (STRIP - 4.0) * fragmentation);
            let x = LEFT + number as f64;
            let _ = match (last, y) {
                (None, Some(y)) => write!(out, "M{x:.0} {y:.1}"),
                (Some(last), Some(y)) if f64::abs(y - last) > 0.05 => write!(out, "H{x:.0}V{y:.1}"),
                (Some(_), None) => write!(out, "H{x:.0}"),
                _ => {
                    continue;
                }
            };
            last = y;
        }
        if last.is_some() {
            let _ = write!(out, "H{RIGHT}");
        }
        let _ = writeln!(out, "\"/>");
        for (y, label) in [(bottom, "0%"), (top + 4.0, "100%")] {
            let (x, below) = (RIGHT + 7.0, y + 4.0);
            let _ = writeln!(
                out,
                "<path class=\"axis\" d=\"M{RIGHT} {y}h4\"/><text class=\"tick\" x=\"{x}\" y=\"{below}\">{label}</text>"
            );
        }
        let (x, y) = (RIGHT + 7.0, top + STRIP / 2.0 + 2.0);
        let _ = writeln!(
            out,
            "<text class=\"tick fragtext\" x=\"{x}\" y=\"{y:.1}\">fragmen-<tspan x=\"{x}\" dy=\"12\">tation</tspan></text>"
        );
    }

    /// The dashed line at the peak, over the map and the strip.
    pub(super) fn draw_peak(&self, time: Time, top: f64, bottom: f64, out: &mut Out<'_>) {
        if self.peak.bytes == 0 {
            return;
        }
        let x = time.x(self.peak.time);
        let (side, anchor) = if x > LEFT + PLOT * 0.8 { (-5.0, "end") } else { (5.0, "start") };
        let _ = writeln!(out, "<path class=\"peak\" d=\"M{x:.1} {top}V{bottom}\"/>");
        let (x, y) = (x + side, top - 5.0);
        let _ = writeln!(
            out,
            "<text class=\"tick halo\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">peak: {} live</text>",
            Bytes(self.peak.bytes)
        );
    }
}

/// What is the case at a point of the story.
struct State {
    live: u64,
    gaps: Option<Gaps>,
    /// How many heaps are live: one or none, if all goes well.
    heaps: u32,
    /// Where the largest of them ends.
    end: u64,
    /// The size of the one that is live.
    size: u64,
}

impl State {
    fn of(story: &Story<'_>, panel: &Panel) -> Result<Self, Full> {
        let Some(start) = panel.heaps.first().and_then(|&number| story.heap(number)).map(|heap| heap.start) else {
            return Ok(Self { live: 0, gaps: None, heaps: 0, end: 0, size: 0 });
        };
        let heaps = || panel.heaps.iter().filter_map(|&number| story.heap(number));
        let resizes = panel.resizes.iter().filter_map(|&(_, number)| story.resizes.get(index(number)));
        let regions = || panel.regions.iter().filter_map(|&number| story.region(number));
        let mut addresses = vec();
        let ends = panel.resizes.len() + panel.heaps.len() + 2;
        addresses.try_reserve_exact(panel.regions.len() * 2 + ends).map_err(|_| Full)?;
        let end = start.saturating_add(panel.size);
        addresses.extend([start, end]);
        addresses.extend(heaps().map(|heap| start.saturating_add(heap.first_size)));
        addresses.extend(resizes.map(|resize| start.saturating_add(resize.size)));
        addresses.extend(regions().map(|region| region.start));
        addresses.extend(regions().map(|region| region.start.saturating_add(region.size)));
        addresses.retain(|address| (start..=end).contains(address));
        // Without memory for it, the picture goes without this line.
        let gaps = Gaps::new(addresses).ok();
        Ok(Self { live: 0, gaps, heaps: 0, end, size: panel.size })
    }

    fn change(&mut self, story: &Story<'_>, change: Change) {
        match change {
            Change::HeapBegins(number) => {
                if let Some(heap) = story.heap(number) {
                    self.heaps += 1;
                    self.resize(heap, heap.first_size);
                }
            }
            Change::HeapResized(resize) => {
                let Some(resize) = story.resizes.get(index(resize)) else { return };
                if let Some(heap) = story.heap(resize.heap) {
                    self.resize(heap, resize.size);
                }
            }
            Change::HeapEnds(_) => self.heaps = self.heaps.saturating_sub(1),
            Change::RegionBegins(region) | Change::RegionEnds(region) => {
                let Some(region) = story.region(region) else { return };
                let (start, end) = (region.start, region.start.saturating_add(region.size));
                let begins = matches!(change, Change::RegionBegins(_));
                if begins {
                    self.live = self.live.saturating_add(region.size);
                } else {
                    self.live = self.live.saturating_sub(region.size);
                }
                match &mut self.gaps {
                    Some(gaps) if begins => gaps.cover(start, end),
                    Some(gaps) => gaps.uncover(start, end),
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// The heap has another size: what is behind its end is not free.
    fn resize(&mut self, heap: &Heap, size: u64) {
        if let Some(gaps) = &mut self.gaps {
            gaps.uncover(heap.start.saturating_add(self.size), self.end);
            gaps.cover(heap.start.saturating_add(size), self.end);
        }
        self.size = size;
    }

    fn fragmentation(&self) -> Option<f64> {
        (self.heaps > 0).then(|| self.gaps.as_ref()?.fragmentation()).flatten()
    }
}
