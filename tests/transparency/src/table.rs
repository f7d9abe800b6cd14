//! The table that is printed.

use crate::check::{Answer, Question, Row};
use std::fmt::Write as _;

/// The names of the columns.
#[must_use]
pub fn head() -> String {
    let mut head = format!("{:<6} {:<8} {:<7}", "shape", "edition", "macros");
    for question in Question::ALL {
        let _ = write!(head, " {:<11}", question.name());
    }
    head.trim_end().to_owned()
}

/// One line, and one for each note.
#[must_use]
pub fn line(row: &Row) -> String {
    let mut line = format!("{:<6} {:<8} {:<7}", row.shape, row.edition, row.macro_edition);
    for answer in &row.answers {
        let text = match answer {
            Answer::Unasked => "-",
            Answer::Same => "same",
            Answer::Is(what) => what,
            Answer::Excepted => "excepted",
            Answer::Changed => "CHANGED",
        };
        let _ = write!(line, " {text:<11}");
    }
    let mut line = line.trim_end().to_owned();
    for note in &row.notes {
        let _ = write!(line, "\n       {note}");
    }
    line
}

/// How often which answer was given.
#[must_use]
pub fn sum(rows: &[Row]) -> String {
    let mut sum = String::new();
    for question in Question::ALL {
        let answers = || rows.iter().map(|row| &row.answers[question as usize]);
        let count = |which: fn(&Answer) -> bool| answers().filter(|answer| which(answer)).count();
        let asked = count(|answer| *answer != Answer::Unasked);
        let changed = count(|answer| *answer == Answer::Changed);
        let excepted = count(|answer| *answer == Answer::Excepted);
        let name = question.name();
        let _ = writeln!(sum, "{name:<11} {asked} asked, {changed} changed, {excepted} excepted");
    }
    sum
}
