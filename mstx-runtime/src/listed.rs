//! The system allocator, for hash tables: whoever looks for leaks finds them.
//!
//! A hash table points into the middle of its memory. Of memory to whose start nothing points Valgrind says that it is "possibly
//! lost", and takes that for an error. So all such memory is in a list, whose links point to starts.
#![allow(unsafe_code, reason = "is an allocator")]

use core::alloc::Layout;
use core::cell::UnsafeCell;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::alloc::{GlobalAlloc as _, System};

use allocator_api2::alloc::{AllocError, Allocator};

/// How often a thread looks whether another has left the list. That takes so long only in a forked child, which does not have the other.
const TRIES: u32 = 1_000_000;

/// What lies at the start of each piece of memory. All of it is changed by whoever holds the list; `before` is also looked at by others.
struct Link {
    next: AtomicPtr<Link>,
    /// Itself, where it is in no list.
    before: AtomicPtr<Link>,
}

struct List {
    /// The thread that changes it; 0 for none.
    holder: AtomicUsize,
    first: UnsafeCell<*mut Link>,
}

// SAFETY: what is in it is only reached in `with`, by one thread at a time.
unsafe impl Sync for List {}

static LIST: List = List { holder: AtomicUsize::new(0), first: UnsafeCell::new(ptr::null_mut()) };

/// This thread, told from all others that are alive; never 0. Needs no allocation, and works while other locals are being destroyed.
fn me() -> usize {
    std::thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| ptr::from_ref(here).addr())
}

impl List {
    /// Returns whether it could be changed: not in a signal handler that interrupts this thread while it does so.
    fn with(&self, change: impl FnOnce(&mut *mut Link)) -> bool {
        let me = me();
        let mut tries = 0;
        while let Err(holder) = self.holder.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed) {
            if holder == me || tries == TRIES {
                return false;
            }
            tries += 1;
            std::thread::yield_now();
        }
        // SAFETY: whoever takes it is alone with it until it is given back below.
        change(unsafe { &mut *self.first.get() });
        self.holder.store(0, Ordering::Release);
        true
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
        let unlisted = Link { next: AtomicPtr::new(ptr::null_mut()), before: AtomicPtr::new(link.as_ptr()) };
        // SAFETY: it was just allocated, for a link at its start.
        unsafe { link.write(unlisted) };
        // Where it cannot be listed, at worst somebody takes it for a leak.
        LIST.with(|first| {
            // SAFETY: it was just written.
            let Link { next, before } = unsafe { link.as_ref() };
            next.store(*first, Ordering::Relaxed);
            before.store(ptr::null_mut(), Ordering::Relaxed);
            // SAFETY: everything in the list is live.
            if let Some(next) = unsafe { first.as_ref() } {
                next.before.store(link.as_ptr(), Ordering::Relaxed);
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
        // SAFETY: it was written when the memory was allocated.
        let Link { next, before } = unsafe { link.as_ref() };
        // While it is listed, `before` changes, but never to the link itself.
        let is_listed = before.load(Ordering::Relaxed) != link.as_ptr();
        let unlist = |first: &mut *mut Link| {
            let (next, before) = (next.load(Ordering::Relaxed), before.load(Ordering::Relaxed));
            // SAFETY: everything in the list is live.
            if let Some(next) = unsafe { next.as_ref() } {
                next.before.store(before, Ordering::Relaxed);
            }
            // SAFETY: as above.
            match unsafe { before.as_ref() } {
                Some(before) => before.next.store(next, Ordering::Relaxed),
                None => *first = next,
            }
        };
        if is_listed && !LIST.with(unlist) {
            // It stays in the list, and is never given back.
            return;
        }
        // SAFETY: the system allocator handed it out, with this layout.
        unsafe { System.dealloc(link.as_ptr().cast(), whole) };
    }
}

#[cfg(test)]
mod tests {
    use super::{LIST, Layout, Listed};
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
    /// What a signal handler does that interrupts a thread which is changing the list.
    #[test]
    fn a_thread_does_not_wait_for_itself() {
        let layout = Layout::new::<[u64; 4]>();
        let new = || Listed.allocate(layout).expect("there is memory").cast::<u8>();
        let listed = new();
        let mut unlisted = None;
        assert!(LIST.with(|_| {
            let memory = new();
            // SAFETY: it was just allocated, with this layout.
            unsafe { Listed.deallocate(memory, layout) };
            unlisted = Some(new());
            // It stays where it is, or the list would be broken.
            // SAFETY: as above.
            unsafe { Listed.deallocate(listed, layout) };
        }));
        // SAFETY: as above.
        unsafe { Listed.deallocate(unlisted.expect("it was allocated"), layout) };
        let (first, second) = (new(), new());
        // SAFETY: as above.
        unsafe { Listed.deallocate(first, layout) };
        // SAFETY: as above.
        unsafe { Listed.deallocate(second, layout) };
    }
}
