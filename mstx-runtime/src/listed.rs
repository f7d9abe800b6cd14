//! The system allocator, for hash tables: whoever looks for leaks finds them.
//!
//! A hash table points into the middle of its memory. Of memory to whose start nothing points Valgrind says that it is "possibly
//! lost", and takes that for an error. So all such memory is in a list, whose links point to starts.
#![allow(unsafe_code, reason = "is an allocator")]

use core::alloc::Layout;
use core::cell::UnsafeCell;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicBool, Ordering};
use std::alloc::{GlobalAlloc as _, System};

use allocator_api2::alloc::{AllocError, Allocator};

/// What lies at the start of each piece of memory.
struct Link {
    next: *mut Link,
    before: *mut Link,
}

struct List {
    taken: AtomicBool,
    first: UnsafeCell<*mut Link>,
}

// SAFETY: what is in it is only reached in `with`, by one thread at a time.
unsafe impl Sync for List {}

static LIST: List = List { taken: AtomicBool::new(false), first: UnsafeCell::new(ptr::null_mut()) };

impl List {
    fn with(&self, change: impl FnOnce(&mut *mut Link)) {
        while self.taken.swap(true, Ordering::Acquire) {
            std::thread::yield_now();
        }
        // SAFETY: whoever takes it is alone with it until it is given back below.
        change(unsafe { &mut *self.first.get() });
        self.taken.store(false, Ordering::Release);
    }
}

/// The system allocator, which keeps a list of what it has handed out. Not public API: for the tables of this library and its tools.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Listed;

/// The layout with a link before it, and how far behind the link it begins.
fn with_link(layout: Layout) -> Option<(Layout, usize)> {
    Layout::new::<Link>().extend(layout).ok().map(|(whole, offset)| (whole.pad_to_align(), offset))
}

// SAFETY: memory is the system allocator's, and stays where it is until it is given back. All copies are the same.
unsafe impl Allocator for Listed {
    fn allocate(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
        let (whole, offset) = with_link(layout).ok_or(AllocError)?;
        // SAFETY: a link is in it, so its size is not zero.
        let start = unsafe { System.alloc(whole) };
        #[expect(clippy::cast_ptr_alignment, reason = "the layout is that of a link and more")]
        let link = NonNull::new(start.cast::<Link>()).ok_or(AllocError)?;
        LIST.with(|first| {
            // SAFETY: it was just allocated, for a link at its start.
            unsafe { link.write(Link { next: *first, before: ptr::null_mut() }) };
            // SAFETY: everything in the list is live.
            if let Some(next) = unsafe { first.as_mut() } {
                next.before = link.as_ptr();
            }
            *first = link.as_ptr();
        });
        // SAFETY: the layout is so long.
        let memory = unsafe { link.cast::<u8>().add(offset) };
        Ok(NonNull::slice_from_raw_parts(memory, layout.size()))
    }

    unsafe fn deallocate(&self, memory: NonNull<u8>, layout: Layout) {
        // The same as when it was allocated, so there is one.
        let Some((whole, offset)) = with_link(layout) else { return };
        // SAFETY: that far before it lies its link.
        let link = unsafe { memory.sub(offset).cast::<Link>() };
        LIST.with(|first| {
            // SAFETY: it was written when the memory was allocated.
            let Link { next, before } = unsafe { link.read() };
            // SAFETY: everything in the list is live.
            if let Some(next) = unsafe { next.as_mut() } {
                next.before = before;
            }
            // SAFETY: as above.
            match unsafe { before.as_mut() } {
                Some(before) => before.next = next,
                None => *first = next,
            }
        });
        // SAFETY: the system allocator handed it out, with this layout.
        unsafe { System.dealloc(link.as_ptr().cast(), whole) };
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, Listed};
    use allocator_api2::alloc::Allocator as _;
    use allocator_api2::vec::Vec;

    #[test]
    fn it_hands_out_what_is_asked_for() {
        let mut kept: Vec<Vec<u64, Listed>, Listed> = Vec::new_in(Listed);
        for length in 0..50 {
            let mut numbers = Vec::new_in(Listed);
            numbers.extend(0..length);
            kept.push(numbers);
            if length % 3 == 0 {
                kept.remove(kept.len() / 2);
            }
        }
        for numbers in &kept {
            assert!(numbers.iter().copied().eq(0..numbers.len() as u64));
        }
        for align in [1, 16, 64, 4096] {
            let layout = Layout::from_size_align(100, align).expect("a layout");
            let memory = Listed.allocate(layout).expect("there is memory").cast::<u8>();
            assert_eq!(memory.addr().get() % align, 0);
            // SAFETY: it was just allocated, with this layout.
            unsafe { Listed.deallocate(memory, layout) };
        }
    }
}
