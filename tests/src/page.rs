//! What a page of the documentation shows.

/// The first block of this kind that begins so.
///
/// # Panics
///
/// If the page has none.
#[must_use]
pub fn block<'a>(page: &'a str, kind: &str, start: &str) -> &'a str {
    let fence = format!("```{kind}\n{start}");
    let begin = page.find(&fence).expect("the page has the block") + fence.len() - start.len();
    let length = page[begin..].find("```").expect("the block ends");
    &page[begin..begin + length]
}

/// The lines of a text, without what differs from run to run and from machine to machine: addresses, which have at least five digits,
/// the numbers of process and threads, and the folder of the workspace.
#[must_use]
pub fn lines(text: &str) -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace");
    let text = text.replace(&format!("{}/", root.display()), "");
    text.lines()
        .map(|line| {
            let line = replace(line, "0x", 5, |c| c.is_ascii_hexdigit());
            let line = replace(&line, "==", 1, |c| c.is_ascii_digit());
            // A thread's number.
            replace(&line, "` (", 1, |c| c.is_ascii_digit())
        })
        .collect()
}

/// A line with `#` for each number that follows `prefix` and has this many digits.
fn replace(line: &str, prefix: &str, digits: usize, is_digit: fn(char) -> bool) -> String {
    let mut parts = line.trim_end().split(prefix);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(is_digit);
        replaced += prefix;
        if part.len() - rest.len() < digits {
            replaced += part;
        } else {
            replaced += "#";
            replaced += rest;
        }
    }
    replaced
}

#[test]
fn numbers_are_replaced() {
    let text = "==12==    at 0x1BE8E6: main (main.rs:72)\n== 3\n at buffers+0x64 (0x7f0012345678)  \n0x12345,0x1234\n thread `main` (123)";
    let replaced = ["==#==    at 0x#: main (main.rs:72)", "== 3", " at buffers+0x64 (0x#)", "0x#,0x1234", " thread `main` (#)"];
    assert_eq!(lines(text), replaced);
}
