//! What a program left behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::process::{self, ExitStatus};

/// One line of the tool's log.
#[derive(Clone, Debug)]
pub struct Line {
    /// The process that called.
    pub process: u32,
    /// The thread that called.
    pub thread: u32,
    /// What was called.
    pub event: String,
}

impl Line {
    fn parse(line: &str) -> Option<Line> {
        let mut fields = line.splitn(4, ' ').skip(1);
        let mut number = || fields.next()?.parse().ok();
        let (process, thread) = (number()?, number()?);
        Some(Line { process, thread, event: fields.next()?.to_owned() })
    }
}

/// What a program printed, how it ended, and what the tool was told.
pub struct Output {
    command: String,
    /// The program's process.
    pub process: u32,
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: String,
    /// What it complained of.
    pub stderr: String,
    /// The tool's log.
    pub lines: Vec<Line>,
}

impl Output {
    pub(crate) fn new(command: String, process: u32, log: &str, output: process::Output) -> Output {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Output {
            command,
            process,
            status: output.status,
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            lines: log.lines().filter_map(Line::parse).collect(),
        }
    }

    /// The log without sequence numbers, processes and threads.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.event.as_str())
    }

    /// The events that start so.
    #[must_use]
    pub fn starting(&self, start: &str) -> Vec<&str> {
        self.events().filter(|event| event.starts_with(start)).collect()
    }

    /// The lines that the program printed.
    #[must_use]
    pub fn printed(&self) -> Vec<&str> {
        self.stdout.lines().collect()
    }

    /// The lines that the program printed, which are so many.
    #[must_use]
    pub fn printed_lines<const N: usize>(&self) -> [&str; N] {
        self.exactly(self.printed())
    }

    /// The lines that it complained in, which are so many.
    #[must_use]
    pub fn complaints<const N: usize>(&self) -> [&str; N] {
        self.exactly(self.stderr.lines().collect())
    }

    fn exactly<'a, const N: usize>(&self, lines: Vec<&'a str>) -> [&'a str; N] {
        lines.try_into().unwrap_or_else(|lines| fail(&format!("{N} lines were expected: {lines:#?}\n{self:?}")))
    }

    /// A number from the line that the tool writes at exit: `open`, `violations`, `calls`, or a kind of call.
    #[must_use]
    pub fn count(&self, name: &str) -> i64 {
        let exit = self.starting("exit ");
        let exit = exit.last().unwrap_or_else(|| fail(&format!("no tool was there at exit\n{self:?}")));
        let value = exit.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        value.map_or(0, |value| value.parse().expect("counts are numbers"))
    }

    /// The regions in the tool's books at exit, `0x10000+16`.
    #[must_use]
    pub fn open(&self) -> Vec<&str> {
        self.starting("open ").into_iter().filter_map(|event| event.split(' ').nth(1)).collect()
    }

    /// The memory calls in short; see the crate's documentation.
    #[must_use]
    pub fn memory(&self) -> Vec<String> {
        let mut shortener = Shortener::default();
        self.events().filter_map(|event| shortener.short(event)).collect()
    }

    /// Asserts that the program ended well and that no call broke a rule, or made the imitated tool complain.
    #[track_caller]
    pub fn assert_keeps_rules(&self) {
        assert!(self.status.success(), "the program failed\n{self:?}");
        let wrong = |event: &&str| ["VIOLATION", "tool-error", "crash"].iter().any(|start| event.starts_with(start));
        let wrong: Vec<&str> = self.events().filter(wrong).collect();
        assert!(wrong.is_empty(), "{wrong:#?}\n{self:?}");
        assert_eq!(self.count("violations"), 0, "{self:?}");
    }

    /// The same, and that nobody complained of anything: the program is right.
    #[track_caller]
    pub fn assert_clean(&self) {
        self.assert_keeps_rules();
        assert_eq!(self.stderr, "", "{self:?}");
    }

    /// Asserts the memory calls; see [`Output::memory`].
    #[track_caller]
    pub fn assert_memory(&self, expected: &[&str]) {
        assert_eq!(self.memory(), expected, "{self:?}");
    }

    /// Asserts the lines that were printed.
    #[track_caller]
    pub fn assert_printed(&self, expected: &[&str]) {
        assert_eq!(self.printed(), expected, "{self:?}");
    }

    /// Asserts the regions in the tool's books at exit, in the order of their addresses.
    #[track_caller]
    pub fn assert_open(&self, expected: &[&str]) {
        assert_eq!(self.open(), expected, "{self:?}");
    }

    /// Asserts that for every address the tool was told register, unregister, register, and so on.
    #[track_caller]
    pub fn assert_alternates(&self) {
        let mut live = BTreeSet::new();
        for call in self.memory() {
            let words = call.split(" in ").next().unwrap_or_default();
            let mut words = words.split(' ');
            let kind = words.next().unwrap_or_default();
            for region in words.filter(|word| word.contains('+')) {
                let start = region.split('+').next().unwrap_or_default().to_owned();
                let right = match kind {
                    "register" => live.insert(start),
                    "unregister" => live.remove(&start),
                    _ => true,
                };
                assert!(right, "{call} comes at the wrong time\n{self:?}");
            }
        }
    }
}

/// For messages of assertions.
impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.command, self.status)?;
        writeln!(f, "---- stdout\n{}---- stderr\n{}---- log", self.stdout, self.stderr)?;
        const MOST: usize = 300;
        for Line { process, thread, event } in self.lines.iter().take(MOST) {
            writeln!(f, "{process} {thread} {event}")?;
        }
        let more = self.lines.len().saturating_sub(MOST);
        if more > 0 { writeln!(f, "... and {more} more") } else { Ok(()) }
    }
}

/// Makes memory calls short.
#[derive(Default)]
struct Shortener {
    /// Where each heap starts, by its handle.
    heaps: BTreeMap<String, String>,
    /// How long each region is, by its start.
    sizes: BTreeMap<String, String>,
}

impl Shortener {
    fn short(&mut self, event: &str) -> Option<String> {
        let (call, rest) = event.split_once(' ')?;
        let value = |name: &str| rest.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        match call {
            "heap_register" => {
                let (start, size, device) = (value("ptr")?, value("size")?, value("device")?);
                let handle = rest.rsplit(' ').next()?;
                self.heaps.insert(handle.to_owned(), start.to_owned());
                let device = if device == "0" { String::new() } else { format!(" on {device}") };
                Some(format!("heap {start}+{size}{device}"))
            }
            "heap_unregister" => match value("size") {
                Some(size) => Some(format!("end {}+{size}", value("ptr")?)),
                None => Some(format!("end {}", value("heap")?)),
            },
            "regions_register" => {
                let mut text = String::from("register");
                for region in list(rest)? {
                    let mut words = region.split(' ');
                    let (extent, device) = (words.next()?, words.next()?);
                    let (start, size) = extent.split_once('+')?;
                    self.sizes.insert(start.to_owned(), size.to_owned());
                    text += &format!(" {extent}");
                    if device != "dev=0" {
                        text += &format!(" on {}", device.trim_start_matches("dev="));
                    }
                }
                if let Some(heap) = self.heaps.get(value("heap")?).filter(|_| value("heap") != Some("null")) {
                    text += &format!(" in {heap}");
                }
                Some(text)
            }
            "regions_unregister" => {
                let mut text = String::from("unregister");
                for reference in list(rest)? {
                    let start = match reference.strip_prefix("pointer ") {
                        Some(start) => start,
                        None => reference.rsplit(' ').next()?.split('+').next()?,
                    };
                    let size = self.sizes.get(start).map_or("?", String::as_str);
                    text += &format!(" {start}+{size}");
                }
                Some(text)
            }
            _ => None,
        }
    }
}

/// What stands between the brackets of `count=2 [.., ..]`.
fn list(text: &str) -> Option<impl Iterator<Item = &str>> {
    let (_, list) = text.split_once('[')?;
    Some(list.strip_suffix(']')?.split(", "))
}

#[expect(clippy::panic, reason = "this is how a test fails")]
fn fail(why: &str) -> ! {
    panic!("{why}");
}

#[cfg(test)]
mod tests {
    use super::Shortener;

    #[test]
    fn memory_calls_are_made_short() {
        let mut shortener = Shortener::default();
        for (event, short) in [
            ("mark message=\"a\" stream=0x0", None),
            ("heap_register domain=d1 device=1 ptr=0x1000 size=4096 -> h1", Some("heap 0x1000+4096 on 1")),
            (
                "regions_register domain=d1 heap=h1 count=2 [0x1000+16 dev=1 -> r1, 0x1010+8 dev=0 -> null]",
                Some("register 0x1000+16 on 1 0x1010+8 in 0x1000"),
            ),
            ("regions_register domain=d1 heap=null count=1 [0x9000+16 dev=0 -> r2]", Some("register 0x9000+16")),
            ("regions_unregister domain=d1 count=1 [handle r1 = 0x1000+16]", Some("unregister 0x1000+16")),
            ("regions_unregister domain=d1 count=2 [pointer 0x1010, handle r9 = ?]", Some("unregister 0x1010+8 ?+?")),
            ("heap_unregister domain=d1 heap=h1 ptr=0x1000 size=4096", Some("end 0x1000+4096")),
            ("heap_unregister domain=d1 heap=h7 ptr=?", Some("end h7")),
        ] {
            assert_eq!(shortener.short(event).as_deref(), short, "{event}");
        }
    }
}
