//! Names of files.

use std::io;

use crate::recording::memory::{Vec, add, vec};

/// The name that a file really has: `%p` is the process's number, and `%%` is `%`.
pub(crate) fn expand(name: &[u8], process: u32) -> io::Result<Vec<u8>> {
    let mut expanded = vec();
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        let put = match (byte, bytes.as_slice().first()) {
            (b'%', Some(b'p')) => {
                bytes.next();
                number(&mut expanded, process)
            }
            (b'%', Some(b'%')) => {
                bytes.next();
                add(&mut expanded, b'%')
            }
            _ => add(&mut expanded, byte),
        };
        put.map_err(|_| io::ErrorKind::OutOfMemory)?;
    }
    Ok(expanded)
}

fn number(bytes: &mut Vec<u8>, number: u32) -> Result<(), crate::recording::memory::Full> {
    if number >= 10 {
        self::number(bytes, number / 10)?;
    }
    // A digit fits.
    add(bytes, b'0' + u8::try_from(number % 10).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn the_process_and_the_sign_itself() {
        let expanded = |name: &str| expand(name.as_bytes(), 40_321).map(|name| String::from_utf8_lossy(&name).into_owned()).ok();
        assert_eq!(expanded("map.%p.svg").as_deref(), Some("map.40321.svg"));
        assert_eq!(expanded("%%p %p%").as_deref(), Some("%p 40321%"));
        assert_eq!(expanded("100%.svg").as_deref(), Some("100%.svg"));
    }
}
