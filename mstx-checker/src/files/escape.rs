//! Text inside of other formats.

use core::fmt::{self, Display, Write};

/// What is inside of a JSON string.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Display> Display for Json<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f, json), "{}", self.0)
    }
}

fn json(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'"' => "\\\"",
        b'\\' => "\\\\",
        b'\n' => "\\n",
        b'\r' => "\\r",
        b'\t' => "\\t",
        // The other control characters say nothing.
        0..0x20 => "\\ufffd",
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

fn xml(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'&' => "&amp;",
        b'"' => "&quot;",
        b'\'' => "&#39;",
        b'\t' | b'\n' | b'\r' => return None,
        // XML has no way to write these.
        0..0x20 => "\u{fffd}",
        _ => return None,
    })
}

/// Replaces some of the bytes below 128.
struct Escaping<'a, 'b>(&'a mut fmt::Formatter<'b>, fn(u8) -> Option<&'static str>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some((at, instead)) = rest.bytes().enumerate().find_map(|(at, byte)| Some((at, (self.1)(byte)?))) {
            self.0.write_str(&rest[..at])?;
            self.0.write_str(instead)?;
            rest = &rest[at + 1..];
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, Xml};

    #[test]
    fn json_reads_back() {
        let text = "a \"quoted\" \\ path\n\t\r \u{e4}\u{1f600} end";
        let read: Result<String, _> = serde_json::from_str(&format!("\"{}\"", Json(text)));
        assert_eq!(read.ok().as_deref(), Some(text));
        assert_eq!(Json("\0\u{1b}").to_string(), "\\ufffd\\ufffd");
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
    }
}
