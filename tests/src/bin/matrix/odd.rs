//! Right programs that do with pools what is seldom done: `matrix odd NAME`.

use std::cell::{Cell, RefCell};
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;

use mstx::Heap;

use crate::memory::Source;
use crate::pools::Pool as _;
use crate::pools::free_list::FreeList;
use crate::pools::headers::Headers;

mstx::domain!(static ODD = "odd");

const PAGE: usize = 4096;

fn fill(start: *mut u8, bytes: usize) {
    unsafe { start.write_bytes(7, bytes) }
}

fn sum(start: *mut u8, bytes: usize) -> u32 {
    (0..bytes).map(|at| u32::from(unsafe { start.add(at).read_volatile() })).sum()
}

/// Heaps that are the first, the middle and the last part of a block of `malloc`'s, with regions at both of their ends.
fn part() {
    for (skip, rest) in [(0, 0), (0, 64), (0, 3), (5, 3), (5, 0), (64, 64)] {
        let bytes = 2048 + skip + rest;
        let block = Source::Malloc.get(bytes);
        fill(block, bytes);
        let start = block.wrapping_add(skip);
        let heap = Heap::options().domain(&ODD).register(start, 2048);
        for _ in 0..2 {
            heap.register_region(start, 100);
            heap.register_region(start.wrapping_add(2041), 7);
            fill(start, 100);
            fill(start.wrapping_add(2041), 7);
            fill(block, skip);
            fill(start.wrapping_add(2048), rest);
            heap.unregister_region(start);
            heap.unregister_region(start.wrapping_add(2041));
        }
        heap.register_region(start, 2048);
        fill(start, 2048);
        heap.reset();
        heap.unregister();
        assert!(sum(block, bytes) > 0);
        Source::Malloc.give_back(block, bytes);
    }
}

/// A box is given back right after its heap has ended, and its memory is used by others.
fn boxed() {
    for round in 0..50 {
        let mut slab = vec![1_u8; 3000 + round].into_boxed_slice();
        let heap = Heap::options().domain(&ODD).register(slab.as_mut_ptr(), slab.len());
        let start = slab.as_mut_ptr();
        heap.register_region(start.wrapping_add(8), 100);
        fill(start.wrapping_add(8), 100);
        heap.reset();
        heap.unregister();
        drop(slab);
        let other: Vec<u8> = vec![3; 3000 + round];
        assert_eq!(other.iter().map(|&byte| usize::from(byte)).sum::<usize>(), 3 * (3000 + round));
    }
}

/// The memory of a heap is unmapped, and nobody says so; then it is somebody else's.
fn gone() {
    let start = Source::Mmap.get(16 * PAGE);
    let heap = Heap::options().domain(&ODD).register(start, 16 * PAGE);
    heap.register_region(start.wrapping_add(PAGE), PAGE);
    fill(start.wrapping_add(PAGE), PAGE);
    let pool = FreeList::new();
    Source::Mmap.give_back(start, 16 * PAGE);
    std::mem::forget(heap);
    let (protection, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    let wanted = without_provenance_mut(start.addr());
    let again = unsafe { libc::mmap(wanted, 16 * PAGE, protection, kind | libc::MAP_FIXED_NOREPLACE, -1, 0) }.cast::<u8>();
    assert_eq!(again.addr(), start.addr());
    for _ in 0..4 {
        fill(again, 16 * PAGE);
        pool.free(pool.alloc(100));
        fill(again, 16 * PAGE);
    }
}

/// A pool that grows the last block where it is, and shrinks it.
struct InPlace {
    slab: *mut u8,
    top: Cell<usize>,
}

impl InPlace {
    const BYTES: usize = 8 * PAGE;

    #[mstx::heap(domain = ODD, ptr = ret.slab, size = Self::BYTES)]
    fn new(source: Source) -> Self {
        Self { slab: source.get(Self::BYTES), top: Cell::new(0) }
    }

    #[mstx::region(heap = self.slab, size = bytes)]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        let at = self.top.get();
        self.top.set(at + bytes);
        // The size, behind the block.
        unsafe { self.slab.add(self.top.get()).cast::<usize>().write_unaligned(bytes) };
        self.slab.wrapping_add(at)
    }

    #[mstx::region_resize(heap = self.slab, ptr = block, size = new)]
    fn resize(&self, block: *mut u8, new: usize) -> Option<*mut u8> {
        let old = unsafe { self.slab.add(self.top.get()).cast::<usize>().read_unaligned() };
        let at = block.addr() - self.slab.addr();
        if at + old != self.top.get() || at + new + 8 > Self::BYTES {
            return None;
        }
        self.top.set(at + new);
        unsafe { self.slab.add(self.top.get()).cast::<usize>().write_unaligned(new) };
        Some(block)
    }

    #[mstx::heap_unregister(heap = self.slab)]
    fn close(self, source: Source) {
        source.give_back(self.slab, Self::BYTES);
    }
}

fn in_place() {
    for source in [Source::Malloc, Source::Mmap] {
        let pool = InPlace::new(source);
        let first = pool.alloc(10);
        let last = pool.alloc(33);
        fill(first, 10);
        fill(last, 33);
        for bytes in [34, 40, 41, 5000, 4097, 4096, 33, 12, 1, 9, 20000] {
            let before = sum(last, 1);
            assert_eq!(pool.resize(last, bytes), Some(last));
            assert_eq!(sum(last, 1), before);
            assert_eq!(sum(last.wrapping_add(bytes - 1), 1).min(255), sum(last.wrapping_add(bytes - 1), 1));
            fill(last, bytes);
            fill(first, 10);
            assert_eq!(pool.resize(first, 11), None);
            assert_eq!(pool.resize(last, 10 * PAGE), None);
            assert_eq!(sum(last, bytes), 7 * u32::try_from(bytes).expect("it is small"));
        }
        pool.close(source);
    }
}

/// A pool for several threads, which grows by chunks and keeps links in free blocks.
struct Shared(Mutex<Chunks>);

struct Chunks {
    free: *mut u8,
    chunks: Vec<*mut u8>,
}

unsafe impl Send for Chunks {}

impl Shared {
    const BLOCK: usize = 96;
    const CHUNK: usize = Self::BLOCK * 32;

    #[mstx::heap(domain = ODD, ptr = ret, size = Self::CHUNK)]
    fn grow(chunks: &mut Chunks) -> *mut u8 {
        let chunk = Source::Malloc.get(Self::CHUNK);
        chunks.chunks.push(chunk);
        for index in 0..32 {
            let block = chunk.wrapping_add(index * Self::BLOCK);
            unsafe { block.cast::<*mut u8>().write(chunks.free) };
            chunks.free = block;
        }
        chunk
    }

    #[mstx::region(domain = ODD, size = bytes)]
    fn alloc(&self, bytes: usize) -> *mut u8 {
        let mut chunks = self.0.lock().expect("nobody panics");
        if chunks.free.is_null() {
            Self::grow(&mut chunks);
        }
        let block = chunks.free;
        chunks.free = unsafe { block.cast::<*mut u8>().read() };
        block
    }

    #[mstx::region_unregister(domain = ODD, ptr = block)]
    fn free(&self, block: *mut u8) {
        let mut chunks = self.0.lock().expect("nobody panics");
        unsafe { block.cast::<*mut u8>().write(chunks.free) };
        chunks.free = block;
    }

    fn close(self) {
        let chunks = self.0.into_inner().expect("nobody panics");
        chunks.chunks.into_iter().for_each(Self::end);
    }

    #[mstx::heap_unregister(heap = chunk, domain = ODD)]
    fn end(chunk: *mut u8) {
        Source::Malloc.give_back(chunk, Self::CHUNK);
    }
}

fn shared() {
    let pool = Shared(Mutex::new(Chunks { free: null_mut(), chunks: Vec::new() }));
    thread::scope(|scope| {
        for thread in 0..4_usize {
            let pool = &pool;
            scope.spawn(move || {
                let mut blocks: Vec<(*mut u8, usize)> = Vec::new();
                for step in 0..400_usize {
                    if step % 3 == 2 {
                        let (block, bytes) = blocks.swap_remove((step * 7 + thread) % blocks.len());
                        assert_eq!(sum(block, bytes), 7 * u32::try_from(bytes).expect("it is small"));
                        pool.free(block);
                    } else {
                        let bytes = 1 + (step * 13 + thread) % Shared::BLOCK;
                        let block = pool.alloc(bytes);
                        fill(block, bytes);
                        blocks.push((block, bytes));
                    }
                }
                blocks.into_iter().for_each(|(block, _)| pool.free(block));
            });
        }
    });
    pool.close();
}

/// A release that is refused: the block is somebody else's, too, who uses it all the time.
fn refused() {
    struct Counted(Heap, AtomicUsize);
    impl Counted {
        #[mstx::region(heap = self.0, size = 100)]
        fn alloc(&self, start: *mut u8) -> *mut u8 {
            self.1.store(2, Ordering::Relaxed);
            start
        }

        #[mstx::region_unregister(heap = self.0, ptr = block)]
        fn release(&self, block: *mut u8) -> Result<(), usize> {
            let _ = block;
            match self.1.fetch_sub(1, Ordering::AcqRel) {
                1 => Ok(()),
                more => Err(more),
            }
        }
    }
    let start = Source::Malloc.get(PAGE);
    let pool = Counted(Heap::options().domain(&ODD).register(start, PAGE), AtomicUsize::new(0));
    let block = pool.alloc(start.wrapping_add(200));
    fill(block, 100);
    assert_eq!(pool.release(block), Err(2));
    // What it holds it holds still.
    if sum(block, 100) != 700 {
        println!("the block has changed");
    }
    assert_eq!(pool.release(block), Ok(()));
    pool.0.unregister();
    Source::Malloc.give_back(start, PAGE);
}

/// Memory is handed out before its heap is reported: by another thread, while the function that reports it still runs, and before there
/// was a heap at all.
fn early() {
    static BLOCK: AtomicPtr<u8> = AtomicPtr::new(null_mut());
    static GATE: Barrier = Barrier::new(2);

    #[mstx::region(domain = ODD, size = bytes)]
    fn take(at: *mut u8, bytes: usize) -> *mut u8 {
        let _ = bytes;
        at
    }
    #[mstx::heap(domain = ODD, ptr = ret, size = 8 * PAGE)]
    fn open(source: Source) -> *mut u8 {
        let start = source.get(8 * PAGE);
        BLOCK.store(start, Ordering::Release);
        GATE.wait();
        // The other has taken something of it.
        GATE.wait();
        start
    }
    #[mstx::heap_unregister(heap = start, domain = ODD)]
    fn close(start: *mut u8, source: Source) {
        source.give_back(start, 8 * PAGE);
    }

    for source in [Source::Malloc, Source::Mmap] {
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                GATE.wait();
                let block = take(BLOCK.load(Ordering::Acquire).wrapping_add(PAGE), PAGE);
                fill(block, PAGE);
                GATE.wait();
                while !done.load(Ordering::Relaxed) {
                    if sum(block, 100) != 700 {
                        println!("the block has changed");
                    }
                    fill(block, PAGE);
                }
            });
            let start = open(source);
            thread::sleep(std::time::Duration::from_millis(20));
            done.store(true, Ordering::Relaxed);
            BLOCK.store(start, Ordering::Relaxed);
        });
        let start = BLOCK.load(Ordering::Relaxed);
        put(start.wrapping_add(PAGE));
        close(start, source);
        // Before there is a heap.
        let start = source.get(8 * PAGE);
        let block = take(start.wrapping_add(64), 100);
        fill(block, 100);
        adopt(start);
        if sum(block, 100) != 700 {
            println!("the block has changed");
        }
        put(block);
        close(start, source);
    }

    #[mstx::region_unregister(domain = ODD, ptr = block)]
    fn put(block: *mut u8) {
        let _ = block;
    }
    #[mstx::heap(domain = ODD, ptr = start, size = 8 * PAGE)]
    fn adopt(start: *mut u8) {
        let _ = start;
    }
}

/// Threads that end give blocks back while their locals are destroyed.
fn ends_of_threads() {
    struct Mine(FreeList, RefCell<Vec<*mut u8>>);
    impl Drop for Mine {
        fn drop(&mut self) {
            for block in self.1.take() {
                fill(block, 100);
                self.0.free(block);
            }
            let more = self.0.alloc(50);
            fill(more, 50);
            self.0.free(more);
        }
    }
    thread_local! {
        static MINE: Mine = Mine(FreeList::new(), RefCell::new(Vec::new()));
    }
    for _ in 0..8 {
        let work = || {
            MINE.with(|mine| {
                (0..5).for_each(|_| mine.1.borrow_mut().push(mine.0.alloc(100)));
            });
        };
        thread::spawn(work).join().expect("it does not panic");
    }
}

/// A handler of signals that uses a pool without locks, whatever it interrupts.
fn signals() {
    static TOP: AtomicUsize = AtomicUsize::new(0);
    static SLAB: AtomicPtr<u8> = AtomicPtr::new(null_mut());
    const BYTES: usize = 1 << 22;

    #[mstx::region(heap = SLAB.load(Ordering::Relaxed), size = 64)]
    fn take() -> *mut u8 {
        let at = TOP.fetch_add(64, Ordering::Relaxed);
        SLAB.load(Ordering::Relaxed).wrapping_add(at % BYTES)
    }
    #[mstx::region_unregister(heap = SLAB.load(Ordering::Relaxed), ptr = block)]
    fn put(block: *mut u8) {
        let _ = block;
    }
    extern "C" fn handle(_: libc::c_int) {
        put(take());
    }
    let slab = Source::Mmap.get(BYTES);
    SLAB.store(slab, Ordering::Relaxed);
    let heap = Heap::options().domain(&ODD).register(slab, BYTES);
    unsafe { libc::signal(libc::SIGALRM, handle as extern "C" fn(libc::c_int) as usize) };
    let every = |micros| {
        let time = libc::timeval { tv_sec: 0, tv_usec: micros };
        let timer = libc::itimerval { it_interval: time, it_value: time };
        unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, null_mut()) };
    };
    every(100);
    for _ in 0..20_000 {
        put(take());
    }
    every(0);
    heap.reset();
    heap.unregister();
}

/// Pools with headers, whose blocks several threads give back.
fn passed_on() {
    struct Sent(*mut u8);
    unsafe impl Send for Sent {}
    struct Locked(Mutex<Headers>);
    unsafe impl Sync for Locked {}
    let pool = Locked(Mutex::new(Headers::new()));
    let (sender, receiver) = std::sync::mpsc::sync_channel::<Sent>(4);
    let (pool, receiver) = (&pool, receiver);
    thread::scope(|scope| {
        scope.spawn(move || {
            for bytes in (1..60).cycle().take(500) {
                let block = pool.0.lock().expect("nobody panics").alloc(bytes);
                fill(block, bytes);
                sender.send(Sent(block)).expect("somebody listens");
            }
        });
        scope.spawn(move || {
            for Sent(block) in receiver {
                assert_eq!(sum(block, 1), 7);
                pool.0.lock().expect("nobody panics").free(block);
            }
        });
    });
}

pub(crate) fn run(name: &str) {
    match name {
        "part" => part(),
        "boxed" => boxed(),
        "gone" => gone(),
        "in-place" => in_place(),
        "shared" => shared(),
        "refused" => refused(),
        "early" => early(),
        "ends-of-threads" => ends_of_threads(),
        "signals" => signals(),
        "passed-on" => passed_on(),
        _ => {
            eprintln!("there is no such program");
            std::process::exit(2);
        }
    }
}
