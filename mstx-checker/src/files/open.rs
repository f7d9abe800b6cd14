//! Opens files.
#![allow(unsafe_code, reason = "calls the C library: the standard one may allocate for a name")]

use std::fs::File;
use std::io;

/// A file to write: a new one, or an old one without its content.
#[cfg(all(unix, not(miri)))]
pub(crate) fn create(name: &[u8]) -> io::Result<File> {
    open(name, libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC)
}

/// A file to read.
#[cfg(all(unix, not(miri)))]
pub(crate) fn read(name: &[u8]) -> io::Result<File> {
    open(name, libc::O_RDONLY)
}

/// A file to write to the end of: a new one, or an old one with its content. It is never closed.
#[cfg(all(unix, not(miri)))]
pub(super) fn append(name: &[u8]) -> io::Result<i32> {
    use std::os::fd::IntoRawFd as _;

    open(name, libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND).map(File::into_raw_fd)
}

#[cfg(all(unix, not(miri)))]
fn open(name: &[u8], flags: libc::c_int) -> io::Result<File> {
    use std::os::fd::FromRawFd as _;

    use crate::recording::memory::{add, vec};

    let mut terminated = vec();
    terminated.try_reserve_exact(name.len() + 1).map_err(|_| io::ErrorKind::OutOfMemory)?;
    terminated.extend_from_slice(name);
    add(&mut terminated, 0).map_err(|_| io::ErrorKind::OutOfMemory)?;
    // Whoever may write files of this user may read them, as with any other file.
    let mode: libc::c_uint = 0o666;
    // SAFETY: the name is terminated. If there is a NUL inside of it, it ends there.
    let descriptor = unsafe { libc::open(terminated.as_ptr().cast(), flags | libc::O_CLOEXEC, mode) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it was opened just now, and nobody else has it.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}

/// A file to write. Where the C library is not asked, the standard one is, and may allocate.
#[cfg(not(all(unix, not(miri))))]
pub(crate) fn create(name: &[u8]) -> io::Result<File> {
    let name = core::str::from_utf8(name).map_err(|_| io::ErrorKind::InvalidInput)?;
    File::create(name)
}

/// Nothing is read there.
#[cfg(not(all(unix, not(miri))))]
pub(crate) fn read(_: &[u8]) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There are no numbers of files there.
#[cfg(not(all(unix, not(miri))))]
pub(super) fn append(_: &[u8]) -> io::Result<i32> {
    Err(io::ErrorKind::Unsupported.into())
}
