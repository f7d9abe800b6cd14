//! Whether memory of which nobody said where it is, is the host's.
//!
//! `/proc/self/maps` is read for it: that touches no memory, and says more than `mincore` or `msync`. The runtimes of devices reserve
//! their devices' addresses in the process, as memory that may not be accessed or as mappings of a device; both are mapped, and are
//! not for checks on the host to touch.
#![cfg_attr(all(any(target_os = "linux", target_os = "android"), not(miri)), allow(unsafe_code, reason = "calls the C library"))]

use core::ops::Range;

/// What a mapping is for checks on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(any(miri, not(any(target_os = "linux", target_os = "android"))), allow(dead_code, reason = "there is no such file"))]
enum Kind {
    /// Memory that may be read and written, and nothing else.
    Plain,
    /// Memory with code in it that may be written.
    Code,
    /// Memory that may not be accessed.
    Closed,
    /// A device's, or not to be written.
    Other,
}

/// One mapping.
#[derive(Debug, PartialEq, Eq)]
struct Mapping {
    range: Range<usize>,
    kind: Kind,
}

/// Reads a line of the file.
#[cfg_attr(any(miri, not(any(target_os = "linux", target_os = "android"))), allow(dead_code, reason = "there is no such file"))]
fn parse(line: &[u8]) -> Option<Mapping> {
    // A path may be any bytes.
    let end = line.iter().enumerate().filter(|(_, byte)| **byte == b' ').nth(4).map_or(line.len(), |(at, _)| at);
    let (line, path) = line.split_at(end);
    let line = core::str::from_utf8(line).ok()?;
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let address = |digits| usize::from_str_radix(digits, 16).ok();
    let permissions = fields.next()?;
    let path = path.trim_ascii_start();
    let shared_memory = ["/dev/shm/", "/dev/zero", "/dev/hugepages/"].iter().any(|folder| path.starts_with(folder.as_bytes()));
    let is_device = path.starts_with(b"/dev/") && !shared_memory;
    let kind = match permissions.get(..3)? {
        _ if is_device => Kind::Other,
        "rw-" => Kind::Plain,
        "rwx" => Kind::Code,
        "---" => Kind::Closed,
        _ => Kind::Other,
    };
    Some(Mapping { range: address(start)?..address(end)?, kind })
}

/// Whether all of `range` is memory of this process that may be read and written.
pub(super) fn is_mapped(range: &Range<usize>) -> bool {
    is_all(range, |kind| matches!(kind, Kind::Plain | Kind::Code))
}

/// Whether its pages may be closed, and opened again, without a change.
pub(super) fn is_plain(range: &Range<usize>) -> bool {
    is_all(range, |kind| kind == Kind::Plain)
}

fn is_all(range: &Range<usize>, wanted: impl Fn(Kind) -> bool) -> bool {
    let mut at = range.start;
    each(|Mapping { range: mapping, kind }| {
        if mapping.end <= at {
            return true;
        }
        if mapping.start > at || !wanted(kind) {
            return false;
        }
        at = mapping.end;
        at < range.end
    });
    at >= range.end
}

/// Calls `closed` with what of `range` may not be accessed.
pub(super) fn each_closed(range: &Range<usize>, mut closed: impl FnMut(Range<usize>)) {
    each(|Mapping { range: mapping, kind }| {
        let common = mapping.start.max(range.start)..mapping.end.min(range.end);
        if kind == Kind::Closed && !common.is_empty() {
            closed(common);
        }
        mapping.end < range.end
    });
}

/// Calls `mapping` with one after the other, in order, until it has seen enough.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn each(mapping: impl FnMut(Mapping) -> bool) {
    // SAFETY: the path is a C string.
    let file = unsafe { libc::open(c"/proc/self/maps".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if file >= 0 {
        read(file, mapping);
        // SAFETY: it was opened above and is closed once.
        unsafe { libc::close(file) };
    }
}

/// Elsewhere nobody says, and only what is said to be the host's is checked.
#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
fn each(_: impl FnMut(Mapping) -> bool) {}

/// Reads the file line by line. Of a line that is longer than the buffer, the beginning is read; the rest is the name of a file.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn read(file: libc::c_int, mut mapping: impl FnMut(Mapping) -> bool) {
    let mut buffer = [0_u8; 2048];
    let (mut kept, mut is_rest) = (0, false);
    loop {
        let room = &mut buffer[kept..];
        // SAFETY: the buffer is as long as it is said to be.
        let count = unsafe { libc::read(file, room.as_mut_ptr().cast(), room.len()) };
        let Some(count) = usize::try_from(count).ok().filter(|&count| count > 0) else { return };
        let filled = kept + count;
        let mut start = 0;
        while start < filled {
            let end = buffer[start..filled].iter().position(|&byte| byte == b'\n').map(|length| start + length);
            if end.is_none() && (start > 0 || filled < buffer.len()) {
                break;
            }
            let line = &buffer[start..end.unwrap_or(filled)];
            if !is_rest && parse(line).is_some_and(|found| !mapping(found)) {
                return;
            }
            is_rest = end.is_none();
            start = end.map_or(filled, |end| end + 1);
        }
        buffer.copy_within(start..filled, 0);
        kept = filled - start;
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Mapping, each_closed, is_mapped, is_plain, parse};

    #[test]
    fn lines_are_read() {
        let memory = |start, end, kind| Some(Mapping { range: start..end, kind });
        assert_eq!(parse(b"1000-3000 rw-p 00000000 00:00 0 "), memory(0x1000, 0x3000, Kind::Plain));
        assert_eq!(parse(b"7f0-7ff rw-p 00000000 00:00 0    [heap]"), memory(0x7f0, 0x7ff, Kind::Plain));
        assert_eq!(parse(b"1000-3000 ---p 00000000 00:00 0 "), memory(0x1000, 0x3000, Kind::Closed));
        assert_eq!(parse(b"1000-3000 r--p 00000000 08:01 12 /usr/lib/libc.so.6"), memory(0x1000, 0x3000, Kind::Other));
        assert_eq!(parse(b"1000-3000 rw-s 00000000 00:05 7 /dev/davinci0"), memory(0x1000, 0x3000, Kind::Other));
        assert_eq!(parse(b"1000-3000 rw-s 00000000 00:05 7 /dev/shm/slab (deleted)"), memory(0x1000, 0x3000, Kind::Plain));
        assert_eq!(parse(b"1000-3000 rwxp 00000000 00:00 0 "), memory(0x1000, 0x3000, Kind::Code));
        assert_eq!(parse(b"1000-3000 rw-s 00000000 00:05 7 /tmp/\xff name"), memory(0x1000, 0x3000, Kind::Plain));
        assert_eq!(parse(b"rest of a long line"), None);
    }

    #[test]
    fn memory_of_this_process_is_known_and_other_is_not() {
        if !cfg!(all(any(target_os = "linux", target_os = "android"), not(miri))) {
            return;
        }
        let slab = vec![0_u8; 1 << 20];
        let range = slab.as_ptr_range();
        assert!(is_mapped(&(range.start.addr()..range.end.addr())));
        assert!(is_plain(&(range.start.addr()..range.end.addr())));
        each_closed(&(range.start.addr()..range.end.addr()), |closed| assert_eq!(closed, 0..0, "all of it is open"));
        assert!(!is_mapped(&(0x12c0_0000_0000..0x12c0_4000_0000)));
        // It begins in memory, and goes beyond it.
        assert!(!is_mapped(&(range.start.addr()..usize::MAX / 2)));
        // Code may not be written.
        let code = is_mapped as fn(&_) -> bool as usize;
        assert!(!is_mapped(&(code..code + 1)));
    }
}
