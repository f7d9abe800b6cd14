//! A global allocator (the crate `talc`) that reports: the attributes go on the methods of `GlobalAlloc`.
//!
//! The reporter allocates nothing from the allocator that it reports, so the very first allocation of the process, before
//! `main`, may be what loads a tool.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use talc::lock_api::{GuardSend, RawMutex};
use talc::{TalcLock, base::Talc, base::binning::Binning, source::Source};

#[path = "support/mod.rs"]
mod support;

mstx::domain!(static RUST_HEAP = "rust_heap");

#[global_allocator]
static ALLOCATOR: Reporting = Reporting(TalcLock::new(Claimed(false)));

struct Reporting(TalcLock<Spin, Claimed>);

// SAFETY: as `TalcLock`, which does the work.
unsafe impl GlobalAlloc for Reporting {
    #[mstx::region(heap = ARENA.start(), domain = RUST_HEAP, size = layout.size())]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises it.
        BOOK.add(unsafe { self.0.alloc(layout) }, layout.size())
    }

    // The provided method calls `alloc`, and would report as well; with a body of its own, a tool sees who was called.
    #[mstx::region(heap = ARENA.start(), domain = RUST_HEAP, size = layout.size())]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises it.
        BOOK.add(unsafe { self.0.alloc_zeroed(layout) }, layout.size())
    }

    #[mstx::region_unregister(heap = ARENA.start(), domain = RUST_HEAP, ptr = pointer)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BOOK.remove(pointer);
        // SAFETY: the caller promises it.
        unsafe { self.0.dealloc(pointer, layout) };
    }

    // In place or not, that is one event. A null pointer is a refusal: the old region stays.
    #[mstx::region_resize(heap = ARENA.start(), domain = RUST_HEAP, ptr = pointer, size = bytes)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        BOOK.remove(pointer);
        // SAFETY: the caller promises it.
        let new = unsafe { self.0.realloc(pointer, layout, bytes) };
        let (live, size) = if new.is_null() { (pointer, layout.size()) } else { (new, bytes) };
        BOOK.add(live, size);
        new
    }
}

/// The memory that everything comes from.
struct Arena(UnsafeCell<[u8; ARENA_BYTES]>);

const ARENA_BYTES: usize = 64 << 20;
static ARENA: Arena = Arena(UnsafeCell::new([0; ARENA_BYTES]));

// SAFETY: the allocator sees to it that nobody shares a part of it.
unsafe impl Sync for Arena {}

impl Arena {
    fn start(&self) -> *mut u8 {
        self.0.get().cast()
    }
}

/// Gives the arena to the allocator when it first needs memory: whether it has.
#[derive(Debug)]
struct Claimed(bool);

// SAFETY: nothing here allocates; neither does the reporter.
unsafe impl Source for Claimed {
    // This runs inside the first `alloc`: the heap is reported before the region that is handed out from it. The second time
    // there is nothing more to give, and for an `Err` nothing is reported.
    #[mstx::heap(ptr = ARENA.start(), size = ARENA_BYTES, domain = RUST_HEAP)]
    fn acquire<B: Binning>(talc: &mut Talc<Self, B>, _: Layout) -> Result<(), ()> {
        if std::mem::replace(&mut talc.source.0, true) {
            return Err(());
        }
        // SAFETY: nobody else has the arena, and it is never taken back.
        unsafe { talc.claim(ARENA.start(), ARENA_BYTES) }.map(drop).ok_or(())
    }
}

/// A lock that does not allocate.
struct Spin(AtomicBool);

// SAFETY: only one `compare_exchange` succeeds until the next `unlock`.
unsafe impl RawMutex for Spin {
    #[allow(clippy::declare_interior_mutable_const, reason = "the trait asks for it")]
    const INIT: Self = Self(AtomicBool::new(false));
    type GuardMarker = GuardSend;

    fn lock(&self) {
        while !self.try_lock() {
            std::thread::yield_now();
        }
    }

    fn try_lock(&self) -> bool {
        self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    unsafe fn unlock(&self) {
        self.0.store(false, Ordering::Release);
    }
}

/// For the checks only: the allocator's own list of what is live, which may not allocate. For each granule of the arena, the
/// size of the block that begins in it, and where in it.
struct Book([AtomicU64; ARENA_BYTES / GRANULE]);

const GRANULE: usize = 32; // of Talc: no two blocks begin in one
static BOOK: Book = Book([const { AtomicU64::new(0) }; ARENA_BYTES / GRANULE]);

impl Book {
    fn add(&self, pointer: *mut u8, bytes: usize) -> *mut u8 {
        if !pointer.is_null() {
            let offset = pointer.addr() - ARENA.start().addr();
            self.0[offset / GRANULE].store((bytes * GRANULE + offset % GRANULE) as u64, Ordering::Relaxed);
        }
        pointer
    }

    fn remove(&self, pointer: *mut u8) {
        self.0[(pointer.addr() - ARENA.start().addr()) / GRANULE].store(0, Ordering::Relaxed);
    }

    fn live(&self) -> impl Iterator<Item = (usize, usize)> + Clone {
        let entries = self.0.iter().map(|entry| entry.load(Ordering::Relaxed) as usize).enumerate();
        let live = entries.filter(|(_, entry)| *entry != 0);
        live.map(|(slot, entry)| (ARENA.start().addr() + slot * GRANULE + entry % GRANULE, entry / GRANULE))
    }
}

/// Makes, extends, sorts and drops strings; some of them end in another thread.
fn churn(thread: usize, others: &std::sync::mpsc::Sender<String>) -> usize {
    let mut kept: Vec<String> = Vec::new();
    let mut length = 0;
    for number in 0..200_usize {
        let mut text = format!("thread {thread}, string {number}");
        for _ in 0..number % 5 {
            text.push_str(" and so on, until it has to be moved to another place");
        }
        length += text.len();
        match number % 4 {
            0 => others.send(text).expect("somebody takes them"),
            1 => length -= kept.pop().map_or(0, |old| old.len()),
            _ => kept.push(text),
        }
    }
    kept.sort();
    kept.iter().for_each(|text| assert!(text.starts_with(&format!("thread {thread}, "))));
    length
}

fn main() {
    support::checkpoint_sorted(BOOK.live()); // what there is before `main`

    let (sender, receiver) = std::sync::mpsc::channel();
    let threads = [0, 1, 2, 3].map(|thread| {
        let sender = sender.clone();
        std::thread::spawn(move || churn(thread, &sender))
    });
    drop(sender);
    let moved: usize = receiver.iter().map(|text| text.len()).sum();
    let lengths = threads.map(|thread| thread.join().expect("it does not panic"));
    assert!(lengths.iter().sum::<usize>() > moved);
    support::checkpoint_sorted(BOOK.live());

    let zeroed = vec![0_u64; 10_000];
    assert!(zeroed.iter().all(|word| *word == 0));
    support::checkpoint_sorted(BOOK.live());
    drop(zeroed);

    // What is live at the end of `main` stays so: the process has no moment at which its global allocator is empty.
    support::checkpoint_sorted(BOOK.live());
    support::no_faults();
    let (count, bytes) = BOOK.live().fold((0, 0), |(count, sum), (_, bytes)| (count + 1, sum + bytes));
    println!("ok ({}), {count} regions of {bytes} bytes stay", mstx::status());
}
