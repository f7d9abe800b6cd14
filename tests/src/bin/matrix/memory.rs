//! Where the pools' memory comes from.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::{NonNull, null_mut};

/// Memory from the system, in whole pages or as a block of `malloc`'s.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    Malloc,
    Mmap,
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, 16).expect("pools are small")
}

impl Source {
    pub(crate) fn get(self, bytes: usize) -> *mut u8 {
        let start = match self {
            Source::Malloc => unsafe { alloc(layout(bytes)) },
            Source::Mmap => {
                let protection = libc::PROT_READ | libc::PROT_WRITE;
                let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
                unsafe { libc::mmap(null_mut(), bytes, protection, kind, -1, 0) }.cast()
            }
        };
        NonNull::new(start).expect("there is memory").as_ptr()
    }

    pub(crate) fn give_back(self, start: *mut u8, bytes: usize) {
        match self {
            Source::Malloc => unsafe { dealloc(start, layout(bytes)) },
            Source::Mmap => {
                unsafe { libc::munmap(start.cast(), bytes) };
            }
        }
    }
}
