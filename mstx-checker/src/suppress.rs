//! What is known, and not to be reported.
//!
//! Rules are only ever added, and live as long as the process.

use core::fmt::{self, Write};
use std::io::Read as _;

use mstx_runtime::{Fault, Origin};

use crate::files;
use crate::foreign;
use crate::lock::Lock;
use crate::position::Position;
use crate::recording::memory::{Vec, add as append, vec};
use crate::text::Text;

/// The longest file of rules, in bytes.
const LONGEST: u64 = 1 << 20;
/// What stands in the place of a code for what is live at exit.
const LEAK: &[u8] = b"leak";

/// A code, or `*`, or `leak`; and a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rule {
    code: &'static [u8],
    site: &'static [u8],
}

static RULES: Lock<Vec<Rule>> = Lock::new(vec());

/// Adds the rules in these lines.
pub(crate) fn add(lines: &'static [u8]) {
    for line in lines.split(|&byte| byte == b'\n') {
        match parse(line) {
            Ok(Some(rule)) => {
                RULES.with(|rules| append(rules, rule));
            }
            Ok(None) => {}
            Err(()) => Text::complain(|text| {
                let line = line.trim_ascii().escape_ascii();
                writeln!(
                    text,
                    "mstx: suppression `{line}` is ignored; it is a code, `leak` or `*`, and a call site: `MSTX05 src/pool.rs:12`"
                )
            }),
        }
    }
}

/// Adds the rules in a file. Returns whether the name is one.
pub(crate) fn read_file(name: &[u8]) -> bool {
    if name.is_empty() {
        return false;
    }
    match contents(name) {
        Ok(lines) => add(lines),
        Err(error) => {
            let name = name.escape_ascii();
            Text::complain(|text| writeln!(text, "mstx: suppressions are not read from {name}: {error}"));
        }
    }
    true
}

fn contents(name: &[u8]) -> std::io::Result<&'static [u8]> {
    let mut file = files::open_to_read(name)?.take(LONGEST);
    let mut lines = vec();
    let mut buffer = [0; 512];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(Vec::leak(lines));
        }
        lines.try_reserve(read).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
        lines.extend_from_slice(&buffer[..read]);
    }
}

/// The rule in a line, if there is one.
fn parse(line: &'static [u8]) -> Result<Option<Rule>, ()> {
    let line = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next()) {
        (None, ..) => Ok(None),
        (Some(code), Some(site), None) if is_code(code) => Ok(Some(Rule { code, site })),
        _ => Err(()),
    }
}

fn is_code(word: &[u8]) -> bool {
    word == b"*" || word == LEAK || mstx_runtime::FaultKind::ALL.iter().any(|kind| kind.code().as_bytes() == word)
}

/// Whether a fault is not to be reported.
pub(crate) fn fault(fault: &Fault) -> bool {
    let code = fault.kind().code().as_bytes();
    any(code, fault.origin()) || fault.other().is_some_and(|other| any(code, other))
}

/// Whether what a call registered, and is live at exit, is not to be reported.
pub(crate) fn leak(origin: Origin) -> bool {
    any(LEAK, origin)
}

fn any(code: &[u8], origin: Origin) -> bool {
    let fits = |rules: &mut Vec<Rule>| {
        let mut about = rules.iter().filter(|rule| rule.code == code || (rule.code == b"*" && code != LEAK)).peekable();
        // Mostly there is no rule, and nothing to lay out.
        if about.peek().is_none() {
            return false;
        }
        let (site, symbol) = (origin.site(), foreign::symbol(origin));
        let places = [
            Place::of(format_args!("{}", Position::of(origin))),
            Place::of(format_args!("{}", site.location())),
            match symbol {
                Some(symbol) => Place::of(format_args!("{}", symbol.function)),
                None => Place::of(format_args!("{}::{}", site.module(), site.function())),
            },
        ];
        about.any(|rule| places.iter().any(|place| is_in(rule.site, place.as_bytes())))
    };
    RULES.with(fits).unwrap_or(false)
}

/// Whether a place is the one that a rule names, or in it.
fn is_in(site: &[u8], place: &[u8]) -> bool {
    let mut ends = (0..place.len()).filter(|&at| place[at] == b':').chain([place.len()]);
    ends.any(|end| fits(site, &place[..end]))
}

/// Whether a text fits a pattern, in which `*` stands for any number of bytes.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // Where to go on where it does not fit: behind the last `*`, one byte later than before.
    let mut again = None;
    while place < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                again = Some((at + 1, place));
                at += 1;
            }
            Some(byte) if *byte == text[place] => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((behind, before)) = again else { return false };
                again = Some((behind, before + 1));
                (at, place) = (behind, before + 1);
            }
        }
    }
    pattern[at.min(pattern.len())..].iter().all(|&byte| byte == b'*')
}

/// A call site as a text; a very long one is cut.
struct Place {
    bytes: [u8; 512],
    length: usize,
}

impl Place {
    fn of(text: fmt::Arguments<'_>) -> Self {
        let mut place = Self { bytes: [0; 512], length: 0 };
        let _ = place.write_fmt(text);
        place
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Write for Place {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let length = text.len().min(self.bytes.len() - self.length);
        self.bytes[self.length..self.length + length].copy_from_slice(&text.as_bytes()[..length]);
        self.length += length;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Rule, fits, is_in, parse};

    #[test]
    fn lines_are_rules_or_comments_or_wrong() {
        let rule = |code: &'static str, site: &'static str| Ok(Some(Rule { code: code.as_bytes(), site: site.as_bytes() }));
        assert_eq!(parse(b"MSTX05 src/pool.rs:12"), rule("MSTX05", "src/pool.rs:12"));
        assert_eq!(parse(b"  leak\tcache::* # known"), rule("leak", "cache::*"));
        assert_eq!(parse(b"* vendored\r"), rule("*", "vendored"));
        assert_eq!(parse(b""), Ok(None));
        assert_eq!(parse(b"  # nothing"), Ok(None));
        for line in ["MSTX05", "MSTX99 a", "mstx05 a", "src/pool.rs", "leak a b"] {
            assert_eq!(parse(line.as_bytes()), Err(()), "{line}");
        }
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text) in
            [("*", ""), ("a*", "a"), ("*b*", "abc"), ("a*c", "abbc"), ("a*b*c", "aXbYbZc"), ("*ab", "aab"), ("", "")]
        {
            assert!(fits(pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
        for (pattern, text) in [("", "a"), ("a", ""), ("a*c", "ab"), ("*b", "abc"), ("a**b", "ac")] {
            assert!(!fits(pattern.as_bytes(), text.as_bytes()), "{pattern} {text}");
        }
    }

    #[test]
    fn a_place_is_in_its_line_file_function_and_module() {
        for site in ["src/pool.rs:12:9", "src/pool.rs:12", "src/pool.rs", "*/pool.rs", "src/*:12"] {
            assert!(is_in(site.as_bytes(), b"src/pool.rs:12:9"), "{site}");
        }
        for site in ["src/pool.rs:1", "src/pool", "pool.rs", "src/pool.rs:12:"] {
            assert!(!is_in(site.as_bytes(), b"src/pool.rs:12:9"), "{site}");
        }
        assert!(is_in(b"cache", b"cache::pool::alloc"));
        assert!(is_in(b"cache::pool", b"cache::pool::alloc"));
        assert!(!is_in(b"cache::po", b"cache::pool::alloc"));
    }
}
