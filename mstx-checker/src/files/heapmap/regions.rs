//! The regions in a map.

use core::fmt::Write as _;

use super::layout::{LEFT, MAP, PLOT};
use super::panel::Panel;
use super::scale::{Bytes, Duration, Grouped, Time};
use super::sites::Sites;
use crate::files::escape::Xml;
use crate::files::label::{Address, At, Function, definition};
use crate::files::out::Out;
use crate::recording::memory::{Full, Vec, filled, vec};
use crate::recording::story::{Region, Story};

/// How small a rectangle gets; it is to be found even if it is smaller.
const LEAST: f64 = 0.8;
/// Smaller ones have no white edge: it would cover them.
const EDGED: f64 = 4.0;
/// The size of the cells in which what is too small, or too much, is counted.
const CELL: f64 = 2.0;
const COLUMNS: usize = (PLOT / CELL) as usize;
const ROWS: usize = (MAP / CELL) as usize;
/// How many shades there are.
const SHADES: f32 = 4.0;

/// Where a region is in the picture.
#[derive(Clone, Copy)]
struct Place {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Place {
    fn of(story: &Story<'_>, panel: &Panel, time: Time, map: f64, region: &Region) -> Self {
        let end = region.start.saturating_add(region.size);
        Self {
            left: time.x(region.begin.time),
            right: time.x(region.end.min(story.end)),
            top: panel.addresses.y(end, map),
            bottom: panel.addresses.y(region.start, map),
        }
    }

    fn area(&self) -> f64 {
        (self.right - self.left).max(0.01) * (self.bottom - self.top).max(0.01)
    }
}

/// Draws the largest ones as rectangles, as many as that; of the others only how much of the map they take. Returns how many these
/// are.
pub(super) fn draw(
    story: &Story<'_>,
    panel: &Panel,
    time: Time,
    sites: &Sites,
    map: f64,
    rectangles: usize,
    out: &mut Out<'_>,
) -> Result<usize, Full> {
    let place = |region: &Region| Place::of(story, panel, time, map, region);
    let mut order = vec();
    order.try_reserve_exact(panel.regions.len()).map_err(|_| Full)?;
    order.extend(panel.regions.iter().filter_map(|&number| story.region(number)).filter(|region| region.end >= story.begin));
    let drawn = order.len().min(rectangles);
    if drawn < order.len() {
        // What is still live is always of interest.
        let rank = |region: &&Region| (region.is_live(), place(region).area().to_bits());
        order.select_nth_unstable_by_key(drawn, |region| core::cmp::Reverse(rank(region)));
    }
    let (drawn, shaded) = order.split_at_mut(drawn);
    if !shaded.is_empty() {
        let mut map_of_small = Shades { cells: filled(0.0, ROWS * (COLUMNS + 1))? };
        for region in &*shaded {
            map_of_small.add(place(region), map);
        }
        map_of_small.draw(map, out);
    }
    // Those with red outlines come last, so that these are not covered.
    drawn.sort_unstable_by_key(|region| (region.is_live(), region.begin.time));
    for region in &*drawn {
        rectangle(story, sites, region, place(region), out);
    }
    Ok(shaded.len())
}

fn rectangle(story: &Story<'_>, sites: &Sites, region: &Region, place: Place, out: &mut Out<'_>) {
    let (width, height) = ((place.right - place.left).max(LEAST), (place.bottom - place.top).max(LEAST));
    let class = if region.is_live() {
        "l"
    } else if width.min(height) >= EDGED {
        "r"
    } else {
        "s"
    };
    let colour = sites.colour_of(region.origin);
    let Place { left, top, .. } = place;
    let _ = write!(
        out,
        "<rect class=\"{class} c{colour}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>"
    );
    let origin = story.names.get_origin(region.origin);
    let _ = writeln!(out, "{}", Xml(Function(origin)));
    if let Some(defined) = origin.and_then(definition) {
        let _ = write!(out, "{}, called at ", Xml(At(Some(defined))));
    }
    let (size, bytes) = (Bytes(region.size), Grouped(region.size));
    let _ = write!(out, "{}\n{size}", Xml(At::of(origin)));
    if region.size >= 1024 {
        let _ = write!(out, " ({bytes} bytes)");
    }
    let _ =
        write!(out, " at {}\nthread {}, from {}", Xml(Address(story, region)), region.begin.thread, Duration(region.begin.time));
    let _ = if region.is_live() {
        write!(out, ", still live")
    } else {
        write!(out, " to {}: {}", Duration(region.end), Duration(region.end.saturating_sub(region.begin.time)))
    };
    let _ = writeln!(out, "</title></rect>");
}

/// How much of each cell of the map is taken: in each row the differences from one cell to the next, so that a region costs the
/// same however long it lives.
struct Shades {
    cells: Vec<f32>,
}

impl Shades {
    fn add(&mut self, place: Place, map: f64) {
        let (top, bottom) = ((place.top - map) / CELL, (place.bottom - map) / CELL);
        let (left, right) = ((place.left - LEFT) / CELL, (place.right - LEFT) / CELL);
        let mut row = top.floor();
        while row < bottom && row < ROWS as f64 {
            let part = (bottom.min(row + 1.0) - top.max(row)) as f32;
            self.add_to_row(row as usize, left, right, part);
            row += 1.0;
        }
    }

    fn add_to_row(&mut self, row: usize, left: f64, right: f64, part: f32) {
        let row = row * (COLUMNS + 1);
        let Some(cells) = self.cells.get_mut(row..=row + COLUMNS) else { return };
        // At its beginning and its end, cells are taken for a part of the time.
        let mut step = |at: f64, amount: f32| {
            let column = (at.floor() as usize).min(COLUMNS - 1);
            let rest = (at - column as f64) as f32;
            cells[column] += amount * (1.0 - rest);
            cells[column + 1] += amount * rest;
        };
        step(left, part);
        step(right, -part);
    }

    fn draw(&self, map: f64, out: &mut Out<'_>) {
        for shade in 1..=SHADES as usize {
            let _ = write!(out, "<path class=\"d{shade}\" d=\"");
            for (row, cells) in self.cells.chunks_exact(COLUMNS + 1).enumerate() {
                let y = map + row as f64 * CELL;
                let (mut taken, mut run) = (0.0_f32, None);
                for (column, cell) in cells.iter().enumerate() {
                    taken += cell;
                    let is = column < COLUMNS && taken > 0.01 && (taken * SHADES).ceil().min(SHADES) as usize == shade;
                    match (run, is) {
                        (None, true) => run = Some(column),
                        (Some(from), false) => {
                            let (x, width) = (LEFT + from as f64 * CELL, (column - from) as f64 * CELL);
                            let _ = write!(out, "M{x} {y}h{width}v{CELL}h-{width}z");
                            run = None;
                        }
                        _ => {}
                    }
                }
            }
            let _ = writeln!(out, "\"/>");
        }
    }
}
