//! Right programs that do with pools what is seldom done: `matrix odd NAME`.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::task::{Context, Poll, Waker};
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

/// Releases that are refused, since others use the block: they do so all the time, and other pools are in use as well.
fn refused_meanwhile() {
    #[mstx::region_unregister(heap = heap, ptr = block)]
    fn release(heap: &Heap, block: *mut u8) -> Result<(), usize> {
        let _ = heap;
        (0..20).for_each(|_| thread::yield_now());
        Err(block.addr())
    }
    struct Sent(*mut u8);
    unsafe impl Sync for Sent {}
    for source in [Source::Malloc, Source::Mmap] {
        let start = source.get(8 * PAGE);
        let heap = Heap::options().domain(&ODD).register(start, 8 * PAGE);
        let (done, block) = (AtomicBool::new(false), Sent(start.wrapping_add(2 * PAGE)));
        heap.register_region(block.0, 3 * PAGE);
        thread::scope(|scope| {
            let block = &block;
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    fill(block.0, 3 * PAGE);
                    thread::yield_now();
                }
            });
            scope.spawn(|| {
                let pool = FreeList::new();
                while !done.load(Ordering::Relaxed) {
                    pool.free(pool.alloc(100));
                }
            });
            for _ in 0..10 {
                assert!(release(&heap, block.0).is_err());
            }
            done.store(true, Ordering::Relaxed);
        });
        heap.reset();
        heap.unregister();
        source.give_back(start, 8 * PAGE);
    }
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
        let block = take();
        fill(block, 64);
        put(block);
    }
    let slab = Source::Mmap.get(BYTES);
    SLAB.store(slab, Ordering::Relaxed);
    let heap = Heap::options().domain(&ODD).register(slab, BYTES);
    unsafe { libc::signal(libc::SIGALRM, handle as extern "C" fn(libc::c_int) as usize) };
    for step in 0..2_000 {
        if step % 20 == 0 {
            // Once, after a while that is another one each time.
            let time = libc::timeval { tv_sec: 0, tv_usec: 10 + step % 97 };
            let timer = libc::itimerval { it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 }, it_value: time };
            unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, null_mut()) };
        }
        let block = take();
        fill(block, 64);
        put(block);
    }
    unsafe { libc::signal(libc::SIGALRM, libc::SIG_IGN) };
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

/// A device's memory, whose addresses are nothing in this process, or something else.
fn device() {
    let mine = Source::Malloc.get(PAGE);
    fill(mine, PAGE);
    for start in [without_provenance_mut(0x12c0_0000_0000), without_provenance_mut(0xffff_8000_0000_0000), mine] {
        let heap = Heap::options().domain(&ODD).device(1).register(start, PAGE);
        heap.register_region(start, 100);
        heap.unregister_region(start);
        fill(mine, PAGE);
        heap.reset();
        heap.unregister();
    }
    // Nobody says whose it is.
    let heap = Heap::options().domain(&ODD).register(without_provenance_mut::<u8>(0x12c0_0000_0000), 1 << 30);
    heap.register_region(without_provenance_mut::<u8>(0x12c0_0000_0100), 100);
    heap.unregister();
    Source::Malloc.give_back(mine, PAGE);
}

/// Much more address space than there is memory.
fn huge() {
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let map = |bytes| {
        let start = unsafe { libc::mmap(null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, kind, -1, 0) };
        (start != libc::MAP_FAILED).then_some((start.cast::<u8>(), bytes))
    };
    // Under Valgrind there is not that much.
    let (start, bytes) = [1 << 40, 1 << 31].into_iter().find_map(map).expect("there is address space");
    let heap = Heap::options().domain(&ODD).host().register(start, bytes);
    for at in [0, bytes / 2, bytes - 8 * PAGE] {
        heap.register_region(start.wrapping_add(at), 8 * PAGE);
        fill(start.wrapping_add(at), 8 * PAGE);
        // What only a region points to is no leak.
        unsafe { start.wrapping_add(at).cast::<Box<u64>>().write(Box::new(7)) };
    }
    drop(unsafe { start.wrapping_add(bytes / 2).cast::<Box<u64>>().read() });
    heap.unregister_region(start.wrapping_add(bytes / 2));
    std::mem::forget(heap);
}

/// Address space is reserved, made memory piece by piece, and given back.
fn committed() {
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    for host in [true, false] {
        let start = unsafe { libc::mmap(null_mut(), 64 * PAGE, libc::PROT_NONE, kind, -1, 0) }.cast::<u8>();
        let heap = Heap::options().domain(&ODD);
        let heap = if host { heap.host() } else { heap }.register(start, 64 * PAGE);
        let protect = |at, protection| {
            assert_eq!(unsafe { libc::mprotect(start.wrapping_add(at).cast(), 2 * PAGE, protection) }, 0);
        };
        for _ in 0..3 {
            for at in (0..64 * PAGE).step_by(4 * PAGE) {
                protect(at, libc::PROT_READ | libc::PROT_WRITE);
                let block = start.wrapping_add(at + 100);
                heap.register_region(block, PAGE);
                fill(block, PAGE);
            }
            for at in (0..64 * PAGE).step_by(4 * PAGE) {
                heap.unregister_region(start.wrapping_add(at + 100));
                protect(at, libc::PROT_NONE);
            }
        }
        heap.unregister();
        unsafe { libc::munmap(start.cast(), 64 * PAGE) };
    }
}

/// Heaps in blocks of heaps, the outermost of which changes its size.
fn nested() {
    for source in [Source::Malloc, Source::Mmap] {
        let start = source.get(16 * PAGE);
        let outer = Heap::options().domain(&ODD).register(start, 16 * PAGE);
        for (at, bytes) in [(0, 2 * PAGE), (0, 16), (0, 1), (4 * PAGE + 5, 3000)] {
            let block = start.wrapping_add(at);
            outer.register_region(block, bytes);
            fill(block, bytes);
            outer.register_region(start.wrapping_add(at + bytes), 11);
            // All of it, and a part.
            for (skip, rest) in [(0, 0), (bytes / 3, bytes / 3)] {
                let inner = Heap::options().domain(&ODD).register(block.wrapping_add(skip), bytes - skip - rest);
                inner.register_region(block.wrapping_add(skip), 1);
                fill(block.wrapping_add(skip), 1);
                fill(block, skip);
                fill(block.wrapping_add(bytes - rest), rest);
                fill(start.wrapping_add(at + bytes), 11);
                inner.reset();
                inner.unregister();
                assert_eq!(sum(block, 1), 7);
                fill(block, bytes);
            }
            outer.unregister_region(start.wrapping_add(at + bytes));
            outer.unregister_region(block);
        }
        let block = start.wrapping_add(3 * PAGE);
        outer.register_region(block, 4 * PAGE);
        fill(block, 4 * PAGE);
        let inner = Heap::options().domain(&ODD).register(block.wrapping_add(PAGE), PAGE);
        inner.register_region(block.wrapping_add(PAGE + 8), 100);
        for bytes in [12 * PAGE, 8 * PAGE, 16 * PAGE] {
            outer.resize(bytes);
            fill(block, PAGE);
            fill(block.wrapping_add(2 * PAGE), 2 * PAGE);
            assert_eq!(sum(block.wrapping_add(PAGE + 8), 100), 700);
        }
        inner.reset();
        inner.unregister();
        outer.reset();
        outer.unregister();
        source.give_back(start, 16 * PAGE);
    }
}

/// Heaps on the stack and in a static. A function that has returned did not always say that its heap has ended.
fn elsewhere() {
    static mut STATIC: [u8; 8 * PAGE] = [0; 8 * PAGE];
    fn arena(memory: *mut u8, bytes: usize) {
        let heap = Heap::options().domain(&ODD).register(memory, bytes);
        heap.register_region(memory.wrapping_add(40), 60);
        fill(memory.wrapping_add(40), 60);
        heap.unregister_region(memory.wrapping_add(40));
        heap.unregister();
        fill(memory, bytes);
    }
    #[inline(never)]
    fn on_stack() {
        let mut memory = [1_u8; 8 * PAGE];
        arena(memory.as_mut_ptr(), 8 * PAGE);
        arena(memory.as_mut_ptr().wrapping_add(13), 1000);
    }
    #[inline(never)]
    fn forgotten() {
        let mut memory = [1_u8; 1000];
        let heap = Heap::options().domain(&ODD).register(memory.as_mut_ptr(), 1000);
        heap.register_region(memory.as_mut_ptr(), 60);
        heap.unregister_region(memory.as_mut_ptr());
        std::mem::forget(heap);
    }
    #[inline(never)]
    fn others(depth: u32) -> u32 {
        let mut memory = [1_u8; 700];
        fill(memory.as_mut_ptr(), 700);
        let deeper = if depth > 0 { others(depth - 1) } else { 0 };
        sum(memory.as_mut_ptr(), 700) + deeper
    }
    arena((&raw mut STATIC).cast(), 8 * PAGE);
    on_stack();
    assert_eq!(others(20), 21 * 4900);
    forgotten();
    let pool = FreeList::new();
    for _ in 0..5 {
        assert_eq!(others(20), 21 * 4900);
        pool.free(pool.alloc(100));
    }
}

/// Regions of all small sizes, right behind each other: several in 8 bytes.
fn granules() {
    for source in [Source::Malloc, Source::Mmap] {
        let start = source.get(PAGE);
        let heap = Heap::options().domain(&ODD).register(start, PAGE);
        for step in (1..40_usize).step_by(3) {
            let mut blocks = Vec::new();
            let mut at = step % 9;
            for index in 0..60 {
                let bytes = 1 + (index * step) % 19;
                heap.register_region(start.wrapping_add(at), bytes);
                fill(start.wrapping_add(at), bytes);
                blocks.push((at, bytes));
                at += bytes;
            }
            // In no order; what is left is whole all the time.
            while !blocks.is_empty() {
                let (at, _) = blocks.swap_remove((step * 31) % blocks.len());
                heap.unregister_region(start.wrapping_add(at));
                blocks.iter().for_each(|&(at, bytes)| fill(start.wrapping_add(at), bytes));
            }
        }
        heap.unregister();
        source.give_back(start, PAGE);
    }
}

/// A block grows and shrinks where it is, while others look into it.
fn resized_meanwhile() {
    struct Sent(*mut u8);
    unsafe impl Sync for Sent {}
    for source in [Source::Malloc, Source::Mmap] {
        let pool = InPlace::new(source);
        let first = (source as usize == 0).then(|| pool.alloc(PAGE));
        let block = Sent(pool.alloc(2 * PAGE));
        fill(block.0, 2 * PAGE);
        let (done, block) = (AtomicBool::new(false), &block);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        assert_eq!(sum(block.0, PAGE), 7 * 4096);
                    }
                });
            }
            for bytes in [PAGE, 3 * PAGE, 5 * PAGE + 32, PAGE + 64].into_iter().cycle().take(200) {
                assert_eq!(pool.resize(block.0, bytes), Some(block.0));
                fill(block.0.wrapping_add(PAGE), bytes - PAGE);
            }
            done.store(true, Ordering::Relaxed);
        });
        let _ = first;
        pool.close(source);
    }
}

/// A slab goes back to `malloc` while all of it is registered, and becomes other blocks.
fn given_back() {
    for round in 0..20 {
        let bytes = 4096 + round * 16;
        let slab = Source::Malloc.get(bytes);
        let heap = Heap::options().domain(&ODD).register(slab, bytes);
        for at in (0..bytes - 100).step_by(100) {
            heap.register_region(slab.wrapping_add(at), 90);
            fill(slab.wrapping_add(at), 90);
        }
        std::mem::forget(heap);
        Source::Malloc.give_back(slab, bytes);
        let mut others: Vec<Vec<u8>> = (1..200).map(|bytes| vec![1; bytes * 3]).collect();
        let pool = FreeList::new();
        pool.free(pool.alloc(100));
        others.iter_mut().for_each(|other| other.fill(2));
    }
}

/// What is beside a heap in the same block keeps something alive, and so does what is free in it.
fn beside() {
    #[repr(C)]
    struct Whole {
        beside: Box<u64>,
        slab: [usize; 512],
        behind: Box<u64>,
    }
    static WHOLE: AtomicPtr<Whole> = AtomicPtr::new(null_mut());
    let whole = Box::into_raw(Box::new(Whole { beside: Box::new(1), slab: [0; 512], behind: Box::new(2) }));
    let slab = unsafe { &raw mut (*whole).slab }.cast::<u8>();
    let heap = Heap::options().domain(&ODD).register(slab, 4096);
    heap.register_region(slab.wrapping_add(100), 100);
    mstx::allocator_internal(|| unsafe { slab.cast::<*mut u64>().write(Box::into_raw(Box::new(3))) });
    WHOLE.store(whole, Ordering::Relaxed);
    std::mem::forget(heap);
}

/// Other threads go on while the process ends.
fn end_meanwhile() {
    static DONE: AtomicUsize = AtomicUsize::new(0);
    for _ in 0..3 {
        thread::spawn(|| {
            let (links, headers) = (FreeList::new(), Headers::new());
            let mut kept = [headers.alloc(40), links.alloc(40)];
            loop {
                kept.iter().for_each(|&block| fill(block, 40));
                headers.free(std::mem::replace(&mut kept[0], headers.alloc(40)));
                links.free(std::mem::replace(&mut kept[1], links.alloc(40)));
                DONE.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    while DONE.load(Ordering::Relaxed) < 100 {
        thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Bodies that panic, and bodies in bodies: afterwards the program is the program again.
fn unwinding() {
    struct Deep(Heap);
    impl Deep {
        #[mstx::region(heap = self.0, size = 64)]
        fn alloc(&self, at: *mut u8, depth: usize) -> *mut u8 {
            // A link in free memory.
            unsafe { at.cast::<usize>().write(depth) };
            if depth > 0 {
                let block = self.alloc(at.wrapping_add(64), depth - 1);
                self.free(block, depth);
            }
            assert!(depth != 3, "on purpose");
            at
        }

        #[mstx::region_unregister(heap = self.0, ptr = block)]
        fn free(&self, block: *mut u8, depth: usize) {
            unsafe { block.cast::<usize>().write(depth) };
            assert!(depth != 5, "on purpose");
        }
    }
    std::panic::set_hook(Box::new(|_| {}));
    for source in [Source::Malloc, Source::Mmap] {
        let start = source.get(PAGE);
        let pool = Deep(Heap::options().domain(&ODD).register(start, PAGE));
        for depth in 0..8 {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pool.alloc(start, depth)));
            if let Ok(block) = result {
                fill(block, 64);
                pool.free(block, 0);
            }
        }
        pool.0.reset();
        pool.0.unregister();
        source.give_back(start, PAGE);
    }
}

/// Memory with code in it, which is run.
fn code() {
    let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let start = unsafe { libc::mmap(null_mut(), 4 * PAGE, protection, kind, -1, 0) }.cast::<u8>();
    let heap = Heap::options().domain(&ODD).host().register(start, 4 * PAGE);
    heap.register_region(start.wrapping_add(PAGE), PAGE);
    // `ret`
    let code: &[u8] = if cfg!(target_arch = "x86_64") { &[0xc3] } else { &[0xc0, 0x03, 0x5f, 0xd6] };
    let block = start.wrapping_add(PAGE);
    code.iter().enumerate().for_each(|(at, &byte)| unsafe { block.add(at).write(byte) });
    if cfg!(target_arch = "x86_64") {
        unsafe { std::mem::transmute::<*mut u8, extern "C" fn()>(block)() };
    }
    heap.reset();
    heap.unregister();
    unsafe { libc::munmap(start.cast(), 4 * PAGE) };
}

/// Nothing is handed out.
fn nothing() {
    #[mstx::region(domain = ODD, size = bytes)]
    fn take(at: *mut u8, bytes: usize) -> *mut u8 {
        let _ = bytes;
        at
    }
    let start = Source::Malloc.get(PAGE);
    let heap = Heap::options().domain(&ODD).register(start, PAGE);
    heap.register_region(start, 10);
    assert_eq!(take(start.wrapping_add(10), 0), start.wrapping_add(10));
    assert!(take(null_mut(), 10).is_null());
    fill(start, 10);
    heap.reset();
    heap.unregister();
    Source::Malloc.give_back(start, PAGE);
}

/// A future that is pending once.
fn pause() -> impl Future<Output = ()> + Send {
    let mut paused = false;
    std::future::poll_fn(move |_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending })
}

fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// A pool whose functions are `async`, with links in free blocks.
struct Waiting {
    slab: *mut u8,
    free: AtomicPtr<u8>,
}

unsafe impl Send for Waiting {}
unsafe impl Sync for Waiting {}

/// A pointer that a task takes with it.
#[derive(Clone, Copy)]
struct Block(*mut u8);

unsafe impl Send for Block {}

impl mstx::Regions for Block {
    fn regions(&self, report: &mut mstx::Report<'_>) {
        self.0.regions(report);
    }
}

impl Waiting {
    const BYTES: usize = 8 * PAGE;

    #[mstx::heap(domain = ODD, ptr = ret.slab, size = Self::BYTES)]
    async fn new(source: Source) -> Self {
        let pool = Self { slab: source.get(Self::BYTES), free: AtomicPtr::new(null_mut()) };
        for at in (0..Self::BYTES).step_by(128) {
            pool.link(Block(pool.slab.wrapping_add(at))).await;
        }
        pool
    }

    #[mstx::allocator_internal]
    async fn link(&self, block: Block) {
        pause().await;
        unsafe { block.0.cast::<*mut u8>().write(self.free.load(Ordering::Relaxed)) };
        pause().await;
        self.free.store(block.0, Ordering::Relaxed);
    }

    /// Tasks are polled one after the other, so nobody else takes it meanwhile.
    #[mstx::region(heap = self.slab, size = bytes)]
    async fn alloc(&self, bytes: usize) -> Block {
        assert!(bytes <= 128);
        let block = Block(self.free.load(Ordering::Relaxed));
        let next = unsafe { block.0.cast::<*mut u8>().read() };
        self.free.store(next, Ordering::Relaxed);
        pause().await;
        // What it was linked by.
        unsafe { block.0.cast::<*mut u8>().write(null_mut()) };
        pause().await;
        unsafe { block.0.add(120).cast::<usize>().write(bytes) };
        block
    }

    #[mstx::region_unregister(heap = self.slab, ptr = block.0)]
    async fn free(&self, block: Block) {
        unsafe { block.0.cast::<*mut u8>().write(null_mut()) };
        self.link(block).await;
        let next = unsafe { block.0.cast::<*mut u8>().read() };
        assert!(!next.is_null());
    }

    #[mstx::heap_unregister(heap = self.slab)]
    async fn close(self, source: Source) {
        pause().await;
        source.give_back(self.slab, Self::BYTES);
    }
}

fn wait<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(value) = poll(future.as_mut()) {
            return value;
        }
    }
}

/// Tasks that are polled in turn, now by this thread and now by another, and some of which are dropped half-way.
fn waiting() {
    type Task = Pin<Box<dyn Future<Output = ()> + Send>>;
    async fn task(pool: &'static Waiting, bytes: usize) {
        for _ in 0..5 {
            let block = pool.alloc(bytes).await;
            fill(block.0, bytes);
            pause().await;
            assert_eq!(sum(block.0, bytes), 7 * u32::try_from(bytes).expect("it is small"));
            pool.free(block).await;
        }
    }
    for source in [Source::Malloc, Source::Mmap] {
        let pool: &'static Waiting = Box::leak(Box::new(wait(Waiting::new(source))));
        let mut tasks: Vec<Task> = (1..20).map(|bytes| Box::pin(task(pool, bytes)) as Task).collect();
        for round in 0.. {
            let turn = |tasks: &mut Vec<Task>| tasks.retain_mut(|task| poll(task.as_mut()).is_pending());
            if round % 2 == 0 {
                turn(&mut tasks);
            } else {
                thread::scope(|scope| scope.spawn(|| turn(&mut tasks)).join().expect("it does not panic"));
            }
            if round % 7 == 6 {
                tasks.pop();
            }
            if tasks.is_empty() {
                break;
            }
        }
        let pool = unsafe { Box::from_raw(std::ptr::from_ref(pool).cast_mut()) };
        wait((*pool).close(source));
    }
}

/// Mistakes of a program, made while a function of the pool's is suspended or was dropped half-way: they are seen.
fn mistake_meanwhile(make: impl FnOnce(&Waiting)) {
    let pool = wait(Waiting::new(Source::Mmap));
    let block = wait(pool.alloc(100));
    fill(block.0, 100);
    make(&pool);
    // One past the end.
    fill(block.0, 101);
}

fn mistake_while_suspended() {
    mistake_meanwhile(|pool| {
        let mut future = Box::pin(pool.alloc(50));
        assert!(poll(future.as_mut()).is_pending());
        // It stays as it is.
        std::mem::forget(future);
    });
}

fn mistake_after_dropped() {
    mistake_meanwhile(|pool| {
        let mut future = Box::pin(pool.alloc(50));
        assert!(poll(future.as_mut()).is_pending());
    });
}

fn mistake_after_ready() {
    mistake_meanwhile(|pool| wait(async { pool.free(pool.alloc(50).await).await }));
}

/// The programs, by their names. Right ones come first.
const ALL: [(&str, fn()); 28] = [
    ("part", part),
    ("boxed", boxed),
    ("gone", gone),
    ("in-place", in_place),
    ("shared", shared),
    ("refused", refused),
    ("refused-meanwhile", refused_meanwhile),
    ("early", early),
    ("ends-of-threads", ends_of_threads),
    ("signals", signals),
    ("passed-on", passed_on),
    ("device", device),
    ("huge", huge),
    ("committed", committed),
    ("nested", nested),
    ("elsewhere", elsewhere),
    ("granules", granules),
    ("resized-meanwhile", resized_meanwhile),
    ("given-back", given_back),
    ("beside", beside),
    ("end-meanwhile", end_meanwhile),
    ("unwinding", unwinding),
    ("code", code),
    ("nothing", nothing),
    ("waiting", waiting),
    ("mistake-while-suspended", mistake_while_suspended),
    ("mistake-after-dropped", mistake_after_dropped),
    ("mistake-after-ready", mistake_after_ready),
];

pub(crate) fn run(name: &str) {
    if name == "list" {
        return ALL.iter().for_each(|(name, _)| println!("{name}"));
    }
    let Some((_, program)) = ALL.iter().find(|(known, _)| *known == name) else {
        eprintln!("there is no such program");
        std::process::exit(2);
    };
    program();
}
