//! Marks and ranges, above the panels.

use core::fmt::Write as _;

use super::layout::{LEFT, RIGHT};
use super::scale::{Count, Duration, Time};
use crate::files::escape::Xml;
use crate::files::label::text;
use crate::files::out::Out;
use crate::recording::memory::{Full, Vec, add, place, vec};
use crate::recording::story::Story;

/// How high a row of ranges is.
const ROW: f64 = 17.0;
/// How many rows there are at most.
const ROWS: usize = 6;
const MARKS: f64 = 26.0;
/// How many ranges and marks are drawn.
const MOST: usize = 2000;
/// How wide a character is, more or less: text that has no room is not written.
const CHARACTER: f64 = 6.0;

/// The marks and ranges of the program.
pub(super) struct Timeline {
    time: Time,
    /// For each range that is drawn its number and its row.
    ranges: Vec<(u32, usize)>,
    rows: usize,
    marks: usize,
    left_out: usize,
}

impl Timeline {
    pub(super) fn of(story: &Story<'_>, time: Time) -> Result<Self, Full> {
        let marks = story.marks.len().min(MOST);
        let mut timeline = Self { time, ranges: vec(), rows: 0, marks, left_out: story.marks.len() - marks };
        let mut free = [0_u64; ROWS];
        for (number, range) in story.ranges.iter().enumerate() {
            let end = range.end.min(story.end);
            // One that is inside of another stands below it.
            let row = free.iter().position(|&free| free <= range.begin.time).filter(|_| timeline.ranges.len() < MOST);
            let Some(row) = row else {
                timeline.left_out += 1;
                continue;
            };
            if let Some(free) = free.get_mut(row) {
                *free = end.max(range.begin.time + 1);
            }
            timeline.rows = timeline.rows.max(row + 1);
            add(&mut timeline.ranges, (place(number), row))?;
        }
        Ok(timeline)
    }

    pub(super) fn height(&self) -> f64 {
        let marks = if self.marks > 0 { MARKS } else { 0.0 };
        let rows = self.rows as f64 * ROW;
        if marks + rows > 0.0 { marks + rows + 16.0 } else { 0.0 }
    }

    pub(super) fn draw(&self, story: &Story<'_>, top: f64, out: &mut Out<'_>) {
        let mut y = top;
        if self.marks > 0 {
            self.draw_marks(story, y, out);
            y += MARKS;
        }
        if self.rows > 0 {
            let (x, base) = (LEFT - 7.0, y + 12.0);
            let _ = writeln!(out, "<text class=\"tick\" x=\"{x}\" y=\"{base}\" text-anchor=\"end\">ranges</text>");
        }
        for &(number, row) in &self.ranges {
            let Some(range) = story.ranges.get(number as usize) else { continue };
            let (left, right) = (self.time.x(range.begin.time), self.time.x(range.end.min(story.end)));
            let (y, width) = (y + row as f64 * ROW, (right - left).max(1.0));
            let message = text(story.names, range.message);
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
                let _ = writeln!(out, "<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\" pointer-events=\"none\">{}</text>", Xml(message));
            }
        }
        if self.left_out > 0 {
            let y = top + self.height() - 2.0;
            let more = Count(self.left_out as u64, "more mark or range");
            let _ = writeln!(out, "<text class=\"note\" x=\"{RIGHT}\" y=\"{y}\" text-anchor=\"end\">not drawn: {more}</text>");
        }
    }

    fn draw_marks(&self, story: &Story<'_>, top: f64, out: &mut Out<'_>) {
        let (x, base) = (LEFT - 7.0, top + 12.0);
        let _ = writeln!(out, "<text class=\"tick\" x=\"{x}\" y=\"{base}\" text-anchor=\"end\">marks</text>");
        let mut free = LEFT;
        for mark in story.marks.iter().take(self.marks) {
            if mark.at.time < story.begin {
                continue;
            }
            let (x, message) = (self.time.x(mark.at.time), text(story.names, mark.message));
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
                let _ = writeln!(out, "<text class=\"tick\" x=\"{middle:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", Xml(message));
                free = middle + half + 10.0;
            }
        }
    }
}
