//! The files that are loaded in the process.
#![allow(unsafe_code, reason = "asks the loader")]

use core::ffi::{CStr, c_int, c_void};
use std::env;

/// A file that is loaded, and an address in it.
pub(crate) struct Place {
    /// Without its folder.
    pub(crate) file: String,
    /// As tools that read the file count.
    pub(crate) offset: usize,
}

struct Search {
    address: usize,
    found: Option<Place>,
}

/// Which file an address lies in.
///
/// `dladdr` says that, too, but waits for other threads that are just loading a library, and for its constructors. These may make
/// calls, and wait for us.
pub(crate) fn place(address: usize) -> Option<Place> {
    let mut search = Search { address, found: None };
    // SAFETY: `look` expects the pointer that it is given here.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
    search.found
}

unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, search: *mut c_void) -> c_int {
    // SAFETY: `place` has passed it, and does not touch it meanwhile.
    let search = unsafe { &mut *search.cast::<Search>() };
    // SAFETY: the loader gives a valid one.
    let info = unsafe { &*info };
    let offset = search.address.wrapping_sub(usize::try_from(info.dlpi_addr).unwrap_or_default());
    // SAFETY: the file has so many parts.
    let parts = unsafe { core::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let is_there = parts.iter().filter(|part| part.p_type == libc::PT_LOAD).any(|part| {
        let (start, size) = (usize::try_from(part.p_vaddr), usize::try_from(part.p_memsz));
        start.is_ok_and(|start| size.is_ok_and(|size| offset.wrapping_sub(start) < size))
    });
    if !is_there {
        return 0;
    }
    // SAFETY: a C string of the loader's; the program itself has an empty one.
    let path = unsafe { CStr::from_ptr(info.dlpi_name) }.to_string_lossy();
    let own = env::current_exe().unwrap_or_default();
    let path = if path.is_empty() { own.to_string_lossy() } else { path };
    let file = path.rsplit('/').next().unwrap_or_default().to_owned();
    search.found = Some(Place { file, offset });
    1
}
