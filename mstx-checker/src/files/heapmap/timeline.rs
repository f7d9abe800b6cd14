//! Marks and ranges, above the panels.

use core::fmt::Write as _;

use super::layout::{LEFT, RIGHT};
use super::scale::{Duration, Grouped, Time};
use crate::files::escape::Xml;
use crate::files::label;
use crate::files::out::Out;
use crate::recording::memory::{Full, Vec, add, index, vec};
use crate::recording::story::Story;

/// How high a row of ranges is.
const ROW: f64 = 17.0;
/// How many rows there are at most.
const ROWS: usize = 6;
const MARKS: f64 = 26.0;
/// How far apart the ends of two ranges of a row are at least, and two marks: there is one for each pixel at most.
const APART: f64 = 1.0;
/// How wide a character is, more or less: text that has no room is not written.
const CHARACTER: f64 = 6.0;

/// The marks and ranges of the program.
pub(super) struct Timeline {
    time: Time,
    /// For each range that is drawn its number and its row.
    ranges: Vec<(u32, usize)>,
    rows: usize,
    /// The marks that are drawn.
    marks: Vec<u32>,
    left_out: usize,
}

impl Timeline {
    pub(super) fn of(story: &Story<'_>, time: Time) -> Result<Self, Full> {
        let mut timeline = Self { time, ranges: vec(), rows: 0, marks: vec(), left_out: 0 };
        timeline.find_marks(story)?;
        timeline.find_ranges(story)?;
        Ok(timeline)
    }

    fn find_marks(&mut self, story: &Story<'_>) -> Result<(), Full> {
        let mut last = f64::NEG_INFINITY;
        for (number, mark) in (0..).zip(&story.marks) {
            let x = self.time.x(mark.at.time);
            if x < last + APART {
                self.left_out += 1;
                continue;
            }
            last = x;
            add(&mut self.marks, number)?;
        }
        Ok(())
    }

    fn find_ranges(&mut self, story: &Story<'_>) -> Result<(), Full> {
        // Until when each row is taken, and up to where it is drawn.
        let mut rows = [(0_u64, f64::NEG_INFINITY); ROWS];
        for (number, range) in (0..).zip(&story.ranges) {
            let end = range.end.min(story.end).max(range.begin.time + 1);
            // One that is inside of another stands below it.
            let free = rows.iter_mut().enumerate().find(|(_, (taken, _))| *taken <= range.begin.time);
            let Some((row, (taken, drawn))) = free.filter(|(_, (_, drawn))| self.time.x(end) >= *drawn + APART) else {
                self.left_out += 1;
                continue;
            };
            (*taken, *drawn) = (end, self.time.x(end));
            self.rows = self.rows.max(row + 1);
            add(&mut self.ranges, (number, row))?;
        }
        Ok(())
    }

    pub(super) fn height(&self) -> f64 {
        let marks = if self.marks.is_empty() { 0.0 } else { MARKS };
        let rows = self.rows as f64 * ROW;
        if marks + rows > 0.0 { marks + rows + 16.0 } else { 0.0 }
    }

    pub(super) fn draw(&self, story: &Story<'_>, top: f64, out: &mut Out<'_>) {
        let mut y = top;
        if !self.marks.is_empty() {
            self.draw_marks(story, y, out);
            y += MARKS;
        }
        if self.rows > 0 {
            let (x, base) = (LEFT - 7.0, y + 12.0);
            let _ = writeln!(out, "<text class=\"tick\" x=\"{x}\" y=\"{base}\" text-anchor=\"end\">ranges</text>");
        }
        for &(number, row) in &self.ranges {
            let Some(range) = story.ranges.get(index(number)) else { continue };
            let (left, right) = (self.time.x(range.begin.time), self.time.x(range.end.min(story.end)));
            let (y, width) = (y + row as f64 * ROW, (right - left).max(1.0));
            let message = label::message(story.names, range.message);
            let height = ROW - 3.0;
            let _ = write!(
                out,
                "<rect class=\"range m\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height}\"><title>{}\n{} to {}: {}",
                Xml(message),
                Duration(range.begin.time),
                Duration(range.end.min(story.end)),
                Duration(range.end.min(story.end).saturating_sub(range.begin.time))
            );
            let _ = writeln!(out, "\nthread {}</title></rect>", range.begin.thread);
            let characters = message.chars().count() as f64;
            if characters * CHARACTER + 8.0 < width {
                let (x, y) = (left + 4.0, y + 10.5);
                let _ = writeln!(
                    out,
                    "<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\" pointer-events=\"none\">{}</text>",
                    Xml(message)
                );
            }
        }
        if self.left_out > 0 {
            let y = top + self.height() - 2.0;
            let more = Grouped(self.left_out as u64);
            let _ = writeln!(
                out,
                "<text class=\"note\" x=\"{RIGHT}\" y=\"{y}\" text-anchor=\"end\">marks and ranges too close to others to be drawn: {more}</text>"
            );
        }
    }

    fn draw_marks(&self, story: &Story<'_>, top: f64, out: &mut Out<'_>) {
        let (x, base) = (LEFT - 7.0, top + 12.0);
        let _ = writeln!(out, "<text class=\"tick\" x=\"{x}\" y=\"{base}\" text-anchor=\"end\">marks</text>");
        let mut free = LEFT;
        for mark in self.marks.iter().filter_map(|&number| story.marks.get(index(number))) {
            let (x, message) = (self.time.x(mark.at.time), label::message(story.names, mark.message));
            let tip = top + 20.0;
            let _ = writeln!(
                out,
                "<path class=\"mark m\" d=\"M{x:.1} {tip}l-4 -8h8z\"><title>{}\n{}, thread {}</title></path>",
                Xml(message),
                Duration(mark.at.time),
                mark.at.thread
            );
            let half = message.chars().count() as f64 * CHARACTER / 2.0;
            // At the border it is moved inwards.
            let middle = x.clamp(LEFT + half.min(400.0), (RIGHT - half).max(LEFT + half.min(400.0)));
            if middle - half >= free && half < 200.0 {
                let y = top + 8.0;
                let _ = writeln!(
                    out,
                    "<text class=\"tick\" x=\"{middle:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
                    Xml(message)
                );
                free = middle + half + 10.0;
            }
        }
    }
}
