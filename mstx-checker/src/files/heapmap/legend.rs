//! What the colours mean.

use core::fmt::Write as _;

use super::layout::{HEADER, LEGEND};
use super::panel::Panels;
use super::scale::{Bytes, Count};
use super::sites::{Site, Sites};
use super::style::{COLOURS, Shortened};
use crate::files::escape::Xml;
use crate::files::label::{At, Function};
use crate::files::out::Out;
use crate::recording::story::Story;

/// How high the entry of a call is.
const ENTRY: f64 = 46.0;
/// How many characters of a call there is room for.
const CHARACTERS: usize = 34;

/// The column at the right.
pub(super) struct Legend<'a> {
    pub(super) story: &'a Story<'a>,
    pub(super) sites: &'a Sites,
    pub(super) panels: &'a Panels,
}

impl Legend<'_> {
    pub(super) fn height(&self) -> f64 {
        let entries = self.sites.coloured.iter().flatten().count() + usize::from(self.sites.other_calls > 0);
        if self.panels.list.is_empty() { 60.0 } else { 200.0 + entries as f64 * ENTRY }
    }

    pub(super) fn draw(&self, out: &mut Out<'_>) {
        if self.panels.list.is_empty() {
            return;
        }
        let mut y = HEADER + 18.0;
        let _ = writeln!(out, "<text class=\"h2\" x=\"{LEGEND}\" y=\"{y}\">Calls that registered regions</text>");
        y += 14.0;
        for (colour, origin) in self.sites.coloured.iter().enumerate().filter_map(|(colour, origin)| Some((colour, (*origin)?))) {
            let known = self.story.names.get_origin(origin);
            Self::entry(y, colour, self.sites.get(origin), out);
            let x = LEGEND + 22.0;
            let name = Xml(Shortened(Function(known), CHARACTERS));
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{:.1}\">{name}<title>{}</title></text>", y + 11.0, Xml(Function(known)));
            let at = At::of(known);
            let place = Xml(Shortened(at, CHARACTERS + 2));
            let _ = writeln!(out, "<text class=\"mono\" x=\"{x}\" y=\"{:.1}\">{place}</text>", y + 24.0);
            y += ENTRY;
        }
        if self.sites.other_calls > 0 {
            Self::entry(y, COLOURS, self.sites.others, out);
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{:.1}\">{}</text>",
                LEGEND + 22.0,
                y + 11.0,
                Count(self.sites.other_calls, "other call")
            );
            y += ENTRY;
        }
        self.signs(y + 6.0, out);
    }

    fn entry(y: f64, colour: usize, site: Site, out: &mut Out<'_>) {
        let _ = writeln!(out, "<rect class=\"c{colour}\" x=\"{LEGEND}\" y=\"{y}\" width=\"14\" height=\"14\" rx=\"2\"/>");
        let (x, base) = (LEGEND + 22.0, y + 37.0);
        let (regions, bytes) = (Count(site.regions, "region"), Bytes(site.bytes));
        let _ = write!(out, "<text class=\"tick\" x=\"{x}\" y=\"{base:.1}\">{regions}, {bytes} in all");
        if site.live > 0 {
            let _ = write!(out, ", <tspan class=\"warn\">{} still live</tspan>", site.live);
        }
        let _ = writeln!(out, "</text>");
    }

    /// What else there is to see.
    fn signs(&self, mut y: f64, out: &mut Out<'_>) {
        let mut sign = |class: &str, text: &str, line: bool| {
            let _ = if line {
                write!(out, "<path class=\"{class}\" d=\"M{LEGEND} {:.1}h14\"/>", y + 7.0)
            } else {
                write!(out, "<rect class=\"{class}\" x=\"{LEGEND}\" y=\"{y:.1}\" width=\"14\" height=\"14\"/>")
            };
            let _ = writeln!(out, "<text class=\"sub\" x=\"{}\" y=\"{:.1}\">{text}</text>", LEGEND + 22.0, y + 11.0);
            y += 21.0;
        };
        sign("free", "free", false);
        sign("none", "no heap", false);
        sign("l c10", "still live at the end", false);
        sign("peak", "the most live bytes", true);
        sign("frag", "1 \u{2212} largest free piece / all free space", true);
        let (heaps, regions) = self.panels.left_out;
        if regions + heaps > 0 {
            let (heaps, regions) = (Count(heaps, "more heap"), Count(regions, "region"));
            let _ = writeln!(
                out,
                "<text class=\"note\" x=\"{LEGEND}\" y=\"{:.1}\">not drawn: {heaps} with {regions}</text>",
                y + 11.0
            );
        }
    }
}
