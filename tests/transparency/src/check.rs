//! What is asked of a shape and its twin.

use crate::assembly::{Functions, functions};
use crate::compiler::{Crate, Toolchain};
use crate::diff::diff;
use crate::facade::{Facade, Facades, Folders};
use crate::lints::Lints;
use crate::staging::write;
use crate::{Expected, Shape, twin};
use mstx_tests::{Output, Run};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// The questions, in the order of the table's columns.
pub const QUESTIONS: [&str; 6] = ["compiles", "output", "reports", "lints", "off", "release_off"];

/// The answer to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Not asked.
    #[default]
    Unasked,
    /// Nothing has changed.
    Same,
    /// As it should be; this is how.
    Is(String),
    /// Something has changed where the shape says so.
    Excepted,
    /// Something has changed.
    Changed,
}

/// One line of the table: a shape, with the macro crate in one edition.
#[derive(Debug, Default)]
pub struct Row {
    /// The shape.
    pub shape: String,
    /// The edition of the shape.
    pub edition: String,
    /// The edition of the macro crate.
    pub macro_edition: String,
    /// One for each of [`QUESTIONS`].
    pub answers: [Answer; QUESTIONS.len()],
    /// What the reader should know.
    pub notes: Vec<String>,
    /// What has changed.
    pub failures: Vec<String>,
}

/// All that checks need.
#[derive(Debug)]
pub struct Suite {
    folders: Folders,
    toolchain: Toolchain,
    facades: Vec<Facades>,
}

impl Suite {
    /// Builds the facades. `target` is the folder for whatever is built.
    #[must_use]
    pub fn build(package: &Path, target: PathBuf) -> Suite {
        let root = package.ancestors().nth(2).expect("the package is in the workspace").to_owned();
        let folders = Folders { root, crates: package.join("crates"), target };
        let toolchain = Toolchain::find();
        let facades = ["2024", "2021"].map(|edition| Facades::build(&folders, &toolchain, edition)).into();
        Suite { folders, toolchain, facades }
    }

    /// One row for each edition of the macro crate.
    #[must_use]
    pub fn check(&self, shape: &Shape) -> Vec<Row> {
        let twin = Shape { text: twin::without_attributes(&shape.text), ..shape.clone() };
        let plain = self.subject(&twin, "plain", &self.facades[0].plain);
        let plain = match &shape.expected {
            Expected::Refusal(_) => Measured { compiled: plain.metadata(&self.toolchain.rustc).map(|_| ()), ..Measured::default() },
            Expected::Counts(_) => plain.measured(),
        };
        self.facades.iter().map(|facades| self.compare(shape, &plain, facades)).collect()
    }

    fn compare(&self, shape: &Shape, plain: &Measured, facades: &Facades) -> Row {
        let subject = |kind: &str, facade| self.subject(shape, &format!("{kind}-{}", facades.edition), facade);
        let mut row = Row {
            shape: shape.name.clone(),
            edition: shape.edition.clone(),
            macro_edition: facades.edition.clone(),
            notes: shape.limit.iter().map(|limit| format!("documented limit: {limit}")).collect(),
            ..Row::default()
        };
        if let Err(said) = &plain.compiled {
            row.changed(0, format!("it does not compile without attributes:\n{said}"));
            return row;
        }
        let on = subject("on", &facades.on);
        match &shape.expected {
            Expected::Refusal(message) => row.compare_refusal(message, on.metadata(&self.toolchain.rustc)),
            Expected::Counts(counts) => {
                row.compare_output(plain, on.run(Some("full")));
                if row.answers[0] == Answer::Changed {
                    return row;
                }
                row.compare_counts(counts, subject("counting", &facades.counting).counts());
                row.compare_lints(&plain.lints, &on.lints());
                row.compare_code(4, shape, &plain.code, subject("off", &facades.off).code());
                row.compare_code(5, shape, &plain.code, subject("release_off", &facades.release_off).code());
            }
        }
        row
    }

    fn subject<'a>(&'a self, shape: &'a Shape, kind: &str, facade: &Facade) -> Subject<'a> {
        let folder = self.folders.target.join("shapes").join(&shape.name).join(kind);
        let source = folder.join("shape.rs");
        write(&source, shape.text.as_bytes());
        Subject { suite: self, edition: &shape.edition, source, folder, dependencies: facade.arguments(shape) }
    }
}

/// One of the two texts, with one facade.
struct Subject<'a> {
    suite: &'a Suite,
    edition: &'a str,
    source: PathBuf,
    folder: PathBuf,
    dependencies: Vec<String>,
}

/// What is known of a text without attributes.
#[derive(Default)]
struct Measured {
    compiled: Result<(), String>,
    printed: Printed,
    lints: Lints,
    code: Functions,
}
