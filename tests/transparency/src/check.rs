//! What is asked of a shape and its twin.

use crate::assembly::Functions;
use crate::compiler::Toolchain;
use crate::diff::diff;
use crate::facade::{Facade, Facades, Folders};
use crate::lints::Lints;
use crate::subject::Subject;
use crate::{Expected, Shape, twin};
use mstx_tests::Output;
use std::path::{Path, PathBuf};

/// One line of the table: a shape, with the macro crate in one edition.
#[derive(Debug)]
pub struct Row {
    /// The shape.
    pub shape: String,
    /// The edition of the shape.
    pub edition: String,
    /// The edition of the macro crate.
    pub macro_edition: String,
    /// One for each of [`Question::ALL`].
    pub answers: [Answer; Question::ALL.len()],
    /// What the reader should know.
    pub notes: Vec<String>,
    /// What has changed.
    pub failures: Vec<String>,
}

/// The columns of the table.
#[expect(missing_docs, reason = "the documentation of the crate tells")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Compiles,
    Output,
    Reports,
    Lints,
    Off,
    ReleaseOff,
}

/// What is in a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// It was not asked.
    #[default]
    Unasked,
    /// All is well.
    Same,
    /// All is well, and this is how.
    Is(String),
    /// Something has changed, and the shape says that it may.
    Excepted,
    /// Something has changed.
    Changed,
}

impl Question {
    /// All, in the order of the columns.
    pub const ALL: [Question; 6] =
        [Question::Compiles, Question::Output, Question::Reports, Question::Lints, Question::Off, Question::ReleaseOff];

    /// The head of the column.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Question::Compiles => "compiles",
            Question::Output => "output",
            Question::Reports => "reports",
            Question::Lints => "lints",
            Question::Off => "off",
            Question::ReleaseOff => "release_off",
        }
    }
}

/// All that the checks need.
#[derive(Debug)]
pub struct Suite {
    folders: Folders,
    toolchain: Toolchain,
    facades: Vec<Facades>,
}

/// What is known of a twin.
struct Plain {
    output: Output,
    lints: Lints,
    code: Functions,
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
        let text = twin::without_attributes(&shape.text);
        let subject = self.subject(shape, &text, "plain", &self.facades[0].plain);
        let optimised = self.subject(shape, &text, "plain_release", &self.facades[0].plain_release);
        let plain = match shape.expected {
            Expected::Refusal(_) => subject.compiles().map(|()| None),
            Expected::Counts(_) => plain(&subject, &optimised).map(Some),
        };
        self.facades.iter().map(|facades| self.row(shape, &plain, facades)).collect()
    }

    fn subject<'a>(&'a self, shape: &'a Shape, text: &str, kind: &str, facade: &Facade) -> Subject<'a> {
        let folder = self.folders.target.join("shapes").join(&shape.name).join(kind);
        Subject::new(&self.toolchain, shape, text, &folder, facade)
    }

    fn row(&self, shape: &Shape, plain: &Result<Option<Plain>, String>, facades: &Facades) -> Row {
        let subject = |kind: &str, facade| self.subject(shape, &shape.text, &format!("{kind}-{}", facades.edition), facade);
        let mut row = Row {
            shape: shape.name.clone(),
            edition: shape.edition.clone(),
            macro_edition: facades.edition.clone(),
            answers: Default::default(),
            notes: shape.limit.iter().map(|limit| format!("documented limit: {limit}")).collect(),
            failures: Vec::new(),
        };
        let on = subject("on", &facades.on);
        match (&shape.expected, plain) {
            (_, Err(said)) => row.changed(Question::Compiles, &format!("not even without attributes:\n{said}")),
            (Expected::Refusal(message), _) => row.refusal(message, on.compiles()),
            (_, Ok(None)) => {}
            (Expected::Counts(counts), Ok(Some(plain))) => match on.run_under_tool() {
                Err(said) => row.changed(Question::Compiles, &said),
                Ok(output) => {
                    row.answer(Question::Compiles, Answer::Same);
                    row.counts(counts, subject("counting", &facades.counting).counts());
                    row.output(&plain.output, &output);
                    row.lints(&plain.lints, &on.lints());
                    row.code(Question::Off, shape, &plain.code, subject("off", &facades.off).code());
                    row.code(Question::ReleaseOff, shape, &plain.code, subject("release_off", &facades.release_off).code());
                }
            },
        }
        row
    }
}

fn plain(subject: &Subject<'_>, optimised: &Subject<'_>) -> Result<Plain, String> {
    Ok(Plain { output: subject.run()?, lints: subject.lints(), code: optimised.code()? })
}

impl Row {
    fn answer(&mut self, question: Question, answer: Answer) {
        self.answers[question as usize] = answer;
    }

    fn changed(&mut self, question: Question, what: &str) {
        self.answer(question, Answer::Changed);
        let Row { shape, macro_edition, .. } = self;
        self.failures.push(format!("{shape}, macros in {macro_edition}: {}: {what}", question.name()));
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// It must be refused, with this message and without many others.
    fn refusal(&mut self, message: &str, compiled: Result<(), String>) {
        const MOST: usize = 4;
        match compiled {
            Ok(()) => self.changed(Question::Compiles, &format!("it should be refused: {message}")),
            Err(said) if said.contains(message) && said.lines().filter(|line| line.starts_with("error")).count() <= MOST => {
                self.answer(Question::Compiles, Answer::Is("refused".to_owned()));
            }
            Err(said) => self.changed(Question::Compiles, &format!("it should be refused: {message}\n{said}")),
        }
    }

    fn output(&mut self, plain: &Output, output: &Output) {
        self.answer(Question::Output, Answer::Same);
        let (expected, printed) = (printed(plain), printed(output));
        if expected != printed {
            self.changed(Question::Output, &format!("\n{}", diff(&expected, &printed)));
        }
        if output.lines.is_empty() && self.reports() {
            self.changed(Question::Output, "the tool was not told anything");
        }
        let complains = |event: &&str| ["VIOLATION", "tool-error", "crash"].iter().any(|start| event.starts_with(start));
        let complaints: Vec<&str> = output.events().filter(complains).collect();
        if !complaints.is_empty() {
            self.changed(Question::Output, &format!("the tool complains:\n{}", complaints.join("\n")));
        }
    }

    fn reports(&self) -> bool {
        matches!(&self.answers[Question::Reports as usize], Answer::Is(counts) if counts != "0 0")
    }

    fn counts(&mut self, expected: &[String], counts: Result<String, String>) {
        match counts {
            Ok(counts) if expected.contains(&counts) => self.answer(Question::Reports, Answer::Is(counts)),
            Ok(counts) => self.changed(Question::Reports, &format!("{counts} instead of {}", expected.join(" or "))),
            Err(said) => self.changed(Question::Reports, &said),
        }
    }

    fn lints(&mut self, plain: &Lints, lints: &Lints) {
        self.answer(Question::Lints, Answer::Same);
        let (added, lost) = (lints.minus(plain), plain.minus(lints));
        if !added.is_empty() {
            self.changed(Question::Lints, &format!("added: {added}"));
        }
        if !lost.is_empty() {
            self.note(format!("lints lost: {lost}"));
        }
    }

    fn code(&mut self, question: Question, shape: &Shape, plain: &Functions, code: Result<Functions, String>) {
        let code = match code {
            Ok(code) => code,
            Err(said) => return self.changed(question, &said),
        };
        self.answer(question, Answer::Same);
        let names = plain.keys().chain(code.keys().filter(|name| !plain.contains_key(*name)));
        let differing: Vec<&String> = names.filter(|name| plain.get(*name) != code.get(*name)).collect();
        for exception in &shape.exceptions {
            let covered = differing.iter().filter(|name| exception.covers(name)).map(|name| name.as_str());
            let covered: Vec<&str> = covered.collect();
            if covered.is_empty() {
                self.note(format!("an exception that is not needed: {}", exception.reason));
            } else {
                self.answer(question, Answer::Excepted);
                self.note(format!("machine code of {}: {}", covered.join(", "), exception.reason));
            }
        }
        for name in differing.into_iter().filter(|name| !shape.exceptions.iter().any(|exception| exception.covers(name))) {
            let of = |functions: &Functions| functions.get(name).cloned().unwrap_or_default();
            self.changed(question, &format!("{name}\n{}", diff(&of(plain), &of(&code))));
        }
    }
}

/// What the user sees: all that a program prints but for our own messages and the numbers of threads.
fn printed(output: &Output) -> String {
    let mut ours = false;
    let stderr = output.stderr.lines().filter(|line| {
        ours = line.starts_with("mstx: ") || (ours && line.starts_with("    "));
        !ours
    });
    let stderr: Vec<String> = stderr.map(without_thread_number).collect();
    format!("{}\n---- stdout\n{}---- stderr\n{}\n", output.status, output.stdout, stderr.join("\n"))
}

/// `thread 'main' (1234) panicked`
fn without_thread_number(line: &str) -> String {
    match line.split_once("' (").and_then(|(start, rest)| Some((start, rest.split_once(')')?.1))) {
        Some((start, rest)) if line.starts_with("thread '") => format!("{start}'{rest}"),
        _ => line.to_owned(),
    }
}
