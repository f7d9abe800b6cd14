//! The heap map, a picture in SVG: each heap's memory over time.
//!
//! Time goes to the right, and is the same in all panels. In a panel, addresses go upwards; below it are the live bytes and the
//! fragmentation. What the mouse is on says what it is.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places in a picture, of which nobody sees the last digit"
)]

mod addresses;
mod frame;
mod gaps;
mod legend;
mod panel;
mod regions;
mod scale;
mod sites;
mod strip;
mod style;
mod timeline;

use core::fmt::Write as _;

use self::legend::Legend;
use self::panel::{Panel, Panels};
use self::scale::{Count, Duration, Time};
use self::sites::Sites;
use self::timeline::Timeline;
use super::escape::Xml;
use super::out::Out;
use super::process::Command;
use crate::recording::memory::Full;
use crate::recording::story::Story;

/// Where everything stands, in pixels.
mod layout {
    pub(super) const WIDTH: f64 = 1320.0;
    /// The plots.
    pub(super) const LEFT: f64 = 92.0;
    pub(super) const PLOT: f64 = 900.0;
    pub(super) const RIGHT: f64 = LEFT + PLOT;
    /// The legend.
    pub(super) const LEGEND: f64 = 1056.0;
    pub(super) const HEADER: f64 = 84.0;
    /// A panel: its title, its map, the live bytes below, and the time axis.
    pub(super) const TITLE: f64 = 40.0;
    pub(super) const MAP: f64 = 240.0;
    pub(super) const BETWEEN: f64 = 10.0;
    pub(super) const STRIP: f64 = 64.0;
    pub(super) const AXIS: f64 = 48.0;
    pub(super) const PANEL: f64 = TITLE + MAP + BETWEEN + STRIP + AXIS;
    pub(super) const FOOTER: f64 = 20.0;
}

/// How many regions are drawn one by one. A browser takes some seconds for more.
const RECTANGLES: usize = 20_000;

/// Writes the story. Writing to `out` does not fail; what goes wrong there is kept there.
pub(crate) fn write(story: &Story<'_>, out: &mut Out<'_>) -> Result<(), Full> {
    let time = Time::new(story.begin, story.end);
    let sites = Sites::of(story)?;
    let panels = Panels::of(story)?;
    let timeline = Timeline::of(story, time)?;
    let plots = layout::HEADER + timeline.height() + panels.list.len() as f64 * layout::PANEL;
    let legend = Legend { story, sites: &sites, panels: &panels };
    let height = plots.max(layout::HEADER + legend.height()) + layout::FOOTER;
    head(out, height);
    header(story, &panels, out);
    timeline.draw(story, layout::HEADER, out);
    let drawn: usize = panels.list.iter().map(|panel| panel.regions.len()).sum();
    let mut top = layout::HEADER + timeline.height();
    for (number, panel) in panels.list.iter().enumerate() {
        out.begin_part(number, panels.list.len());
        let share = panel.regions.len().saturating_mul(RECTANGLES) / drawn.max(RECTANGLES);
        draw(story, panel, time, &sites, top, share.max(200), out)?;
        top += layout::PANEL;
    }
    legend.draw(out);
    let _ = writeln!(out, "</svg>");
    Ok(())
}

fn head(out: &mut Out<'_>, height: f64) {
    let width = layout::WIDTH;
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height:.0}\" viewBox=\"0 0 {width} {height:.0}\" \
         font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif\" font-size=\"12\">"
    );
    let _ = writeln!(out, "<title>Heap map: {}</title>", Xml(Command::read()));
    out.bytes(style::HEAD.as_bytes());
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
}

fn header(story: &Story<'_>, panels: &Panels, out: &mut Out<'_>) {
    let left = 24;
    let _ = writeln!(out, "<text class=\"h1\" x=\"{left}\" y=\"34\">Heap map</text>");
    let _ = writeln!(
        out,
        "<text class=\"sub\" x=\"{left}\" y=\"54\">{} \u{b7} process {}</text>",
        Xml(style::Shortened(Command::read(), 120)),
        std::process::id()
    );
    let _ = write!(
        out,
        "<text class=\"sub\" x=\"{left}\" y=\"71\">{} \u{b7} {} \u{b7} {}",
        Duration(story.end.saturating_sub(story.begin)),
        Count(story.heaps.len() as u64, "heap"),
        Count(story.regions.len() as u64, "region")
    );
    if story.dropped > 0 {
        let dropped = Count(story.dropped, "older event");
        let _ =
            write!(out, " <tspan class=\"warn\">\u{b7} {dropped} dropped: what is before {} is not known", Duration(story.begin));
        let _ = write!(out, "</tspan>");
    }
    let _ = writeln!(out, "</text>");
    if panels.list.is_empty() {
        let (x, y) = (layout::LEFT, layout::HEADER + 60.0);
        let _ = writeln!(out, "<text class=\"sub\" x=\"{x}\" y=\"{y}\">No heap and no region was registered.</text>");
    }
}

/// Draws a panel.
fn draw(
    story: &Story<'_>,
    panel: &Panel,
    time: Time,
    sites: &Sites,
    top: f64,
    rectangles: usize,
    out: &mut Out<'_>,
) -> Result<(), Full> {
    let map = top + layout::TITLE;
    let strip_top = map + layout::MAP + layout::BETWEEN;
    let strip = strip::Strip::of(story, panel, time, out)?;
    panel.title(story, strip.peak, top, out);
    panel.background(story, time, map, out);
    let shaded = regions::draw(story, panel, time, sites, map, rectangles, out)?;
    panel.axis(map, out);
    strip.draw(panel, strip_top, out);
    time.axis(strip_top + layout::STRIP, map, out);
    strip.draw_peak(time, map, strip_top + layout::STRIP, out);
    panel.notes(shaded, strip_top + layout::STRIP, out);
    Ok(())
}
