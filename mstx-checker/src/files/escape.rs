//! Text inside of other formats.

use core::fmt::{self, Display, Write};

/// What is inside of a JSON string.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Display> Display for Json<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f, json), "{}", self.0)
    }
}

fn json(character: char) -> Option<Instead> {
    Some(match character {
        '"' => Instead::Text("\\\""),
        '\\' => Instead::Text("\\\\"),
        '\n' => Instead::Text("\\n"),
        '\r' => Instead::Text("\\r"),
        '\t' => Instead::Text("\\t"),
        '\0'..' ' => Instead::Number(character),
        _ => return None,
    })
}

/// What is inside of an XML element or attribute.
pub(crate) struct Xml<T>(pub(crate) T);

impl<T: Display> Display for Xml<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f, xml), "{}", self.0)
    }
}

fn xml(character: char) -> Option<Instead> {
    Some(Instead::Text(match character {
        '<' => "&lt;",
        '>' => "&gt;",
        '&' => "&amp;",
        '"' => "&quot;",
        '\'' => "&#39;",
        '\t' | '\n' | '\r' => return None,
        // XML has no way to write these.
        '\0'..' ' | '\u{fffe}' | '\u{ffff}' => "\u{fffd}",
        _ => return None,
    }))
}

/// What stands in the place of a character.
enum Instead {
    Text(&'static str),
    /// The character's number, as JSON writes it.
    Number(char),
}

/// Replaces some of the characters.
struct Escaping<'a, 'b>(&'a mut fmt::Formatter<'b>, fn(char) -> Option<Instead>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut plain = 0;
        for (at, character) in text.char_indices() {
            let Some(instead) = (self.1)(character) else { continue };
            self.0.write_str(&text[plain..at])?;
            plain = at + character.len_utf8();
            match instead {
                Instead::Text(text) => self.0.write_str(text)?,
                Instead::Number(character) => write!(self.0, "\\u{:04x}", u32::from(character))?,
            }
        }
        self.0.write_str(&text[plain..])
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, Xml};

    #[test]
    fn json_reads_back() {
        let text = "a \"quoted\" \\ path\n\t\r \u{e4}\u{1f600} \0\u{1b}\u{7f}\u{2028}\u{ffff} end";
        let read: Result<String, _> = serde_json::from_str(&format!("\"{}\"", Json(text)));
        assert_eq!(read.ok().as_deref(), Some(text));
    }

    #[test]
    fn xml_reads_back() {
        let text = "Vec<&'a T> \"\u{e4}\u{1f600}\"";
        let element = format!("<a b=\"{0}\">{0}</a>", Xml(text));
        let document = roxmltree::Document::parse(&element);
        let root = document.as_ref().ok().map(roxmltree::Document::root_element);
        assert_eq!(root.and_then(|root| root.text()), Some(text));
        assert_eq!(root.and_then(|root| root.attribute("b")), Some(text));
        assert_eq!(Xml("\0<").to_string(), "\u{fffd}&lt;");
        assert_eq!(Xml("\u{fffe}\u{ffff}\u{e000}").to_string(), "\u{fffd}\u{fffd}\u{e000}");
    }
}
