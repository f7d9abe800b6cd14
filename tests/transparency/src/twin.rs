//! The twin of a shape: the same text without the attributes.

const WORDS: [&str; 10] = [
    "allocator_internal",
    "flush",
    "heap",
    "heap_reset",
    "heap_resize",
    "heap_unregister",
    "range",
    "region",
    "region_resize",
    "region_unregister",
];

/// Makes each of our attributes a comment of the same length, so that lines and columns stay.
///
/// Ours are those whose path ends in a word (`#[region]`, `#[$crate::mstx::region(..)]`), in another name under which the text imports
/// one (`use mstx::region as track`), and those that `cfg_attr` writes; and our derives, with what they read on fields.
pub(crate) fn without_attributes(text: &str) -> String {
    let renamed = renamed(text);
    let is_word = |name: &str| WORDS.contains(&name) || renamed.contains(&name);
    let mut twin = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("#[") {
        let (before, attribute) = rest.split_at(start);
        twin.push_str(before);
        let line = twin.rsplit('\n').next().unwrap_or_default();
        let length = length(attribute);
        if !line.trim_start().starts_with("//") && is_ours(attribute[2..length].trim_end_matches(']'), is_word) {
            twin.push_str(&comment(&attribute[..length]));
            rest = &attribute[length..];
        } else {
            twin.push_str("#[");
            rest = &attribute[2..];
        }
    }
    twin + rest
}

/// `region as track`
fn renamed(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let renamed = |words: &[&'_ str]| WORDS.contains(&words[0]) && words[1] == "as";
    words.windows(3).filter(|words| renamed(words)).map(|words| words[2]).collect()
}

/// Up to the bracket that closes the attribute.
fn length(attribute: &str) -> usize {
    let mut depth = 0;
    for (at, char) in attribute.char_indices() {
        match char {
            '[' => depth += 1,
            ']' if depth == 1 => return at + 1,
            ']' => depth -= 1,
            _ => {}
        }
    }
    attribute.len()
}

fn is_ours(content: &str, is_word: impl Fn(&str) -> bool) -> bool {
    let end = |text: &str| text.find(|c: char| !c.is_alphanumeric() && !"_:$".contains(c)).unwrap_or(text.len());
    let path = &content[..end(content)];
    let last = |path: &'_ str| path.rsplit("::").next().is_some_and(&is_word);
    match path {
        "cfg_attr" => content.split(',').skip(1).any(|attribute| {
            let attribute = attribute.trim_start();
            last(&attribute[..end(attribute)])
        }),
        "derive" => content[path.len()..].split(['(', ',', ')']).map(str::trim).filter(|path| !path.is_empty()).all(is_derive),
        "mstx" => true,
        _ => last(path),
    }
}

fn is_derive(path: &str) -> bool {
    path.trim_start_matches("::").starts_with("mstx::")
}

fn comment(attribute: &str) -> String {
    let inside = &attribute[2..attribute.len() - 2];
    let blank: String = inside.chars().map(|char| if char == '\n' { '\n' } else { ' ' }).collect();
    format!("/*{blank}*/")
}

#[cfg(test)]
mod tests {
    use super::without_attributes;

    #[test]
    fn attributes_become_blank_comments() {
        let text = "#[mstx::region(size = a[0],\n heap = b)] #[inline] fn f() {}";
        let twin = without_attributes(text);
        assert_eq!(twin.len(), text.len());
        let lines: Vec<String> = twin.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(lines, ["/*", "*/ #[inline] fn f() {}"]);
    }

    #[test]
    fn whatever_the_path() {
        for ours in
            ["#[region]", "#[::mstx::flush]", "#[$crate::f::heap(size = 1)]", "#[cfg_attr(all(), mstx::region(size = 1))]"]
        {
            assert!(without_attributes(ours).starts_with("/* "), "{ours}");
        }
        for ours in ["#[derive(mstx::AsHeap, mstx::Regions)]", "#[mstx(heap)]"] {
            assert!(without_attributes(ours).starts_with("/* "), "{ours}");
        }
        let renamed = without_attributes("use mstx::region as track; #[track] fn f() {}");
        assert_eq!(renamed, "use mstx::region as track; /*    */ fn f() {}");
    }

    #[test]
    fn others_stay() {
        for other in [
            "#[regional]",
            "// #[region]",
            "/// #[mstx::region]",
            "#[cfg_attr(test, inline)]",
            "#[doc = \"x\"]",
            "#![",
            "#[derive(Clone, mstx::Regions)]",
        ] {
            assert_eq!(without_attributes(other), other);
        }
    }
}
