//! Two texts, shown line by line.

/// How many lines are shown around those that differ.
const CONTEXT: usize = 3;

/// The lines that differ and those around them, each with ` `, `-` (only in the first) or `+` (only in the second) before it.
pub(crate) fn diff(first: &str, second: &str) -> String {
    let lines = compared(first, second);
    let mut text = String::new();
    let mut hidden = false;
    for (at, line) in lines.iter().enumerate() {
        let around = &lines[at.saturating_sub(CONTEXT)..lines.len().min(at + CONTEXT + 1)];
        let shown = around.iter().any(|line| !line.starts_with(' '));
        if shown {
            text.push_str(line);
            text.push('\n');
        } else if !hidden {
            text.push_str("  ...\n");
        }
        hidden = !shown;
    }
    text
}

fn compared(first: &str, second: &str) -> Vec<String> {
    let (a, b): (Vec<&str>, Vec<&str>) = (first.lines().collect(), second.lines().collect());
    // common[i][j]: how many lines `a[i..]` and `b[j..]` have in common.
    let mut common = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = if a[i] == b[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < a.len() || j < b.len() {
        let (sign, line) = if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
            (' ', a[i - 1])
        } else if j == b.len() || (i < a.len() && common[i + 1][j] >= common[i][j + 1]) {
            i += 1;
            ('-', a[i - 1])
        } else {
            j += 1;
            ('+', b[j - 1])
        };
        lines.push(format!("{sign} {line}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn lines_of_both() {
        assert_eq!(diff("a\nb\nc", "a\nc\nd"), "  a\n- b\n  c\n+ d\n");
        assert_eq!(diff("", "x"), "+ x\n");
        assert_eq!(diff("a\nb\nc\nd\ne\nf", "a\nb\nc\nd\ne\ng"), "  ...\n  c\n  d\n  e\n- f\n+ g\n");
        assert_eq!(diff("a\nb", "a\nb"), "  ...\n");
    }
}
