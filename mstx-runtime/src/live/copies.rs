//! Several copies of this library in one process: a host and a plug-in that both use it.
//!
//! Each copy has statics of its own. If each kept books of its own, a region that one registers and the other releases would be
//! a fault in both. So the first copy that finds somebody listening publishes its operations, and every later one uses
//! them. They find each other by a page that is mapped from a file of a known name, which `/proc/self/maps` shows. Where
//! that does not exist, or where the copies were not built alike, each keeps its own books, and a release that a copy does
//! not know is passed on to the tool instead of being a fault. A copy inside of an injected tool keeps to itself: what it books is
//! what that tool is told.
#![allow(unsafe_code, reason = "shares memory with another copy of this library")]

use core::any::TypeId;
use core::hash::{Hash, Hasher};
use core::panic::Location;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use once_cell::race::OnceRef;

use super::ledger::names::Mix;
use super::operations::{OWN, Operations};
use super::process::system;
use crate::live::call::Call;
use crate::{Domain, Fault, Site};

/// What the page says.
#[repr(C)]
struct Page {
    magic: u64,
    /// Copies that were built alike have the same.
    fingerprint: u64,
    process: u32,
    /// How many copies found this page and could not use it.
    strangers: AtomicU32,
    operations: *const Operations,
}

const MAGIC: u64 = u64::from_le_bytes(*b"mstxbook");

static JOINED: OnceRef<'static, Operations> = OnceRef::new();
static STRANGER: AtomicBool = AtomicBool::new(false);
/// Whether these books are nobody else's: they are those of an injected tool.
static KEPT: AtomicBool = AtomicBool::new(false);
static PUBLISHED: OnceRef<'static, AtomicU32> = OnceRef::new();

/// The operations to use: those of another copy, or our own.
pub(crate) fn operations() -> &'static Operations {
    JOINED.get().unwrap_or(&OWN)
}

/// Whether the books are another copy's.
pub(crate) fn joined() -> bool {
    JOINED.get().is_some()
}

/// This copy is part of an injected tool: it neither looks for another one, nor for a tool. To be said before anything else.
pub(crate) fn keep_to_itself() {
    KEPT.store(true, Ordering::Relaxed);
    // Handlers of this library are registered with the system.
    rendezvous::stay();
}

/// Whether this copy is part of an injected tool.
pub(crate) fn is_kept() -> bool {
    KEPT.load(Ordering::Relaxed)
}

/// Whether there is another copy with books of its own.
pub(crate) fn strangers() -> bool {
    STRANGER.load(Ordering::Relaxed) || PUBLISHED.get().is_some_and(|count| count.load(Ordering::Relaxed) > 0)
}

/// Tells copies that were built alike from others: version, compiler, and the sizes of what is shared.
fn fingerprint() -> u64 {
    let mut hasher = Mix::default();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    // Differs between compilers.
    TypeId::of::<Location<'static>>().hash(&mut hasher);
    for size in [size_of::<Operations>(), size_of::<Call>(), size_of::<Site>(), size_of::<Domain>(), size_of::<Fault>()] {
        size.hash(&mut hasher);
    }
    hasher.finish()
}

/// Looks for another copy's books. `true`: they are used from now on.
pub(crate) fn join() -> bool {
    if is_kept() {
        return false;
    }
    let Some(page) = rendezvous::find() else { return false };
    // SAFETY: a page of that name was made by a copy of this library, and is never unmapped; the first fields have been the
    // same in all versions.
    let page = unsafe { &*page };
    if page.magic != MAGIC || page.process != system::process() {
        return false;
    }
    if page.fingerprint != fingerprint() {
        page.strangers.fetch_add(1, Ordering::Relaxed);
        STRANGER.store(true, Ordering::Relaxed);
        return false;
    }
    // The other copy's books will name our call sites for as long as the process lives.
    rendezvous::stay();
    // SAFETY: the other copy was built alike, and stays in the process.
    JOINED.set(unsafe { &*page.operations }).is_ok()
}

/// Offers our books to later copies. Where it fails, they keep their own.
pub(crate) fn publish() {
    if is_kept() || PUBLISHED.get().is_some() {
        return;
    }
    let Some(place) = rendezvous::map() else { return };
    rendezvous::stay();
    let page = Page {
        magic: MAGIC,
        fingerprint: fingerprint(),
        process: system::process(),
        strangers: AtomicU32::new(0),
        operations: &raw const OWN,
    };
    // SAFETY: the page was just mapped, is large enough, and is aligned to its size.
    unsafe { place.write(page) };
    // SAFETY: it was just written, and is never unmapped.
    let strangers = unsafe { &(*place).strangers };
    // Only the thread that initialises or attaches the first tool comes here.
    let _ = PUBLISHED.set(strangers);
}

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
mod rendezvous {
    use core::ffi::CStr;
    use core::ptr::null_mut;

    use super::Page;

    /// Under this name the page stands in `/proc/self/maps`.
    const NAME: &CStr = c"mstx-books";
    const SHOWN: &[u8] = b"/memfd:mstx-books";

    /// The address of the first page of that name.
    pub(super) fn find() -> Option<*const Page> {
        // SAFETY: the path is a C string.
        let file = unsafe { libc::open(c"/proc/self/maps".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        if file < 0 {
            return None;
        }
        let found = search(file);
        // SAFETY: it was opened above and is closed once.
        unsafe { libc::close(file) };
        found.map(core::ptr::with_exposed_provenance)
    }

    /// Reads the file line by line. Lines that are longer than the buffer belong to other files.
    fn search(file: libc::c_int) -> Option<usize> {
        let mut buffer = [0_u8; 4096];
        let mut kept = 0;
        loop {
            let room = &mut buffer[kept..];
            // SAFETY: the buffer is as long as it is said to be.
            let read = unsafe { libc::read(file, room.as_mut_ptr().cast(), room.len()) };
            let read = usize::try_from(read).ok().filter(|&read| read > 0)?;
            let filled = kept + read;
            let mut start = 0;
            while let Some(length) = buffer[start..filled].iter().position(|&byte| byte == b'\n') {
                let line = &buffer[start..start + length];
                if line.windows(SHOWN.len()).any(|window| window == SHOWN) {
                    return address(line);
                }
                start += length + 1;
            }
            if start == 0 && filled == buffer.len() {
                start = filled;
            }
            buffer.copy_within(start..filled, 0);
            kept = filled - start;
        }
    }

    fn address(line: &[u8]) -> Option<usize> {
        let digits = line.split(|&byte| byte == b'-').next()?;
        usize::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()
    }

    /// Maps a new page of that name.
    pub(super) fn map() -> Option<*mut Page> {
        // SAFETY: the name is a C string.
        let file = unsafe { libc::syscall(libc::SYS_memfd_create, NAME.as_ptr(), libc::MFD_CLOEXEC) };
        let file = libc::c_int::try_from(file).ok().filter(|&file| file >= 0)?;
        let length = size_of::<Page>();
        // SAFETY: the file is open.
        let grown = unsafe { libc::ftruncate(file, libc::off_t::try_from(length).unwrap_or(4096)) } == 0;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping, which touches nothing that exists.
        let place = unsafe { libc::mmap(null_mut(), length, protection, libc::MAP_PRIVATE, file, 0) };
        // SAFETY: it was opened above and is closed once; the mapping stays.
        unsafe { libc::close(file) };
        if !grown || place == libc::MAP_FAILED {
            return None;
        }
        // Another copy will find the address as a number.
        let _ = place.expose_provenance();
        Some(place.cast())
    }

    /// Keeps this copy in the process, even where it is part of a plug-in that is closed.
    pub(super) fn stay() {
        let mut info = core::mem::MaybeUninit::<libc::Dl_info>::uninit();
        let here = (&raw const super::STRANGER).cast();
        // SAFETY: the address is one of ours, and `info` is valid for the write.
        if unsafe { libc::dladdr(here, info.as_mut_ptr()) } == 0 {
            return;
        }
        // SAFETY: `dladdr` succeeded, so it has filled it.
        let name = unsafe { info.assume_init() }.dli_fname;
        // SAFETY: the name is a C string of the loader's. Nothing is loaded that is not there already.
        unsafe { libc::dlopen(name, libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE) };
    }
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
mod rendezvous {
    use super::Page;

    pub(super) fn find() -> Option<*const Page> {
        None
    }

    pub(super) fn map() -> Option<*mut Page> {
        None
    }

    pub(super) fn stay() {}
}
