//! Whether memory of which nobody said where it is, is the host's.
//!
//! `/proc/self/maps` is read for it: that touches no memory, and says more than `mincore` or `msync`. The runtimes of devices reserve
//! their devices' addresses in the process, as memory that may not be accessed or as mappings of a device; both are mapped, and are
//! not for checks on the host to touch.
#![cfg_attr(all(any(target_os = "linux", target_os = "android"), not(miri)), allow(unsafe_code, reason = "calls the C library"))]

use core::ops::Range;

/// One mapping.
#[derive(Debug, PartialEq, Eq)]
struct Mapping {
    range: Range<usize>,
    /// It may be read and written, and is no device's.
    is_memory: bool,
}

/// Reads a line of the file.
#[cfg_attr(not(any(target_os = "linux", target_os = "android", test)), allow(dead_code, reason = "there is no such file"))]
fn parse(line: &[u8]) -> Option<Mapping> {
    let line = core::str::from_utf8(line).ok()?;
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let address = |digits| usize::from_str_radix(digits, 16).ok();
    let permissions = fields.next()?;
    let path = fields.nth(3).unwrap_or_default();
    let shared_memory = ["/dev/shm/", "/dev/zero", "/dev/hugepages/"].iter().any(|folder| path.starts_with(folder));
    let is_memory = permissions.starts_with("rw") && (!path.starts_with("/dev/") || shared_memory);
    Some(Mapping { range: address(start)?..address(end)?, is_memory })
}

/// Whether all of `range` is memory of this process that may be read and written.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
pub(super) fn is_mapped(range: &Range<usize>) -> bool {
    // SAFETY: the path is a C string.
    let file = unsafe { libc::open(c"/proc/self/maps".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if file < 0 {
        return false;
    }
    let mapped = search(file, range);
    // SAFETY: it was opened above and is closed once.
    unsafe { libc::close(file) };
    mapped
}

/// Elsewhere nobody says, and only what is said to be the host's is checked.
#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
pub(super) fn is_mapped(_: &Range<usize>) -> bool {
    false
}

/// Reads the file line by line; the mappings are in order. Lines that are longer than the buffer belong to files.
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn search(file: libc::c_int, wanted: &Range<usize>) -> bool {
    let mut buffer = [0_u8; 2048];
    let (mut kept, mut at) = (0, wanted.start);
    loop {
        let room = &mut buffer[kept..];
        // SAFETY: the buffer is as long as it is said to be.
        let read = unsafe { libc::read(file, room.as_mut_ptr().cast(), room.len()) };
        let Some(read) = usize::try_from(read).ok().filter(|&read| read > 0) else { return false };
        let filled = kept + read;
        let mut start = 0;
        while let Some(length) = buffer[start..filled].iter().position(|&byte| byte == b'\n') {
            let mapping = parse(&buffer[start..start + length]);
            start += length + 1;
            let Some(Mapping { range, is_memory }) = mapping.filter(|mapping| mapping.range.end > at) else { continue };
            if range.start > at || !is_memory {
                return false;
            }
            at = range.end;
            if at >= wanted.end {
                return true;
            }
        }
        if start == 0 && filled == buffer.len() {
            start = filled;
        }
        buffer.copy_within(start..filled, 0);
        kept = filled - start;
    }
}

#[cfg(test)]
mod tests {
    use super::{Mapping, is_mapped, parse};

    #[test]
    fn lines_are_read() {
        let memory = |start, end, is_memory| Some(Mapping { range: start..end, is_memory });
        assert_eq!(parse(b"1000-3000 rw-p 00000000 00:00 0 "), memory(0x1000, 0x3000, true));
        assert_eq!(parse(b"7f0-7ff rw-p 00000000 00:00 0    [heap]"), memory(0x7f0, 0x7ff, true));
        assert_eq!(parse(b"1000-3000 ---p 00000000 00:00 0 "), memory(0x1000, 0x3000, false));
        assert_eq!(parse(b"1000-3000 r--p 00000000 08:01 12 /usr/lib/libc.so.6"), memory(0x1000, 0x3000, false));
        assert_eq!(parse(b"1000-3000 rw-s 00000000 00:05 7 /dev/davinci0"), memory(0x1000, 0x3000, false));
        assert_eq!(parse(b"1000-3000 rw-s 00000000 00:05 7 /dev/shm/slab (deleted)"), memory(0x1000, 0x3000, true));
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
        assert!(!is_mapped(&(0x12c0_0000_0000..0x12c0_4000_0000)));
        // It begins in memory, and goes beyond it.
        assert!(!is_mapped(&(range.start.addr()..usize::MAX / 2)));
        // Code may not be written.
        let code = is_mapped as fn(&_) -> bool as usize;
        assert!(!is_mapped(&(code..code + 1)));
    }
}
