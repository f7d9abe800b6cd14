//! Right programs whose heaps or whose process end in unusual ways: `matrix lives NAME`.

use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use mstx::Heap;

use crate::memory::Source;
use crate::pools::Pool as _;
use crate::pools::free_list::FreeList;
use crate::pools::headers::Headers;

mstx::domain!(static LIVES = "lives");

const BYTES: usize = 1 << 16;

fn fill(start: *mut u8, bytes: usize) {
    unsafe { start.write_bytes(7, bytes) }
}

fn open(start: *mut u8) -> Heap {
    let heap = Heap::options().domain(&LIVES).register(start, BYTES);
    heap.register_region(start.wrapping_add(64), 64);
    fill(start.wrapping_add(64), 64);
    heap
}

/// The memory is unmapped, and mapped again at the same address: for nobody, and for another heap.
fn remap() {
    let start = Source::Mmap.get(BYTES);
    let map_again = || {
        let (protection, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let wanted = without_provenance_mut(start.addr());
        let again = unsafe { libc::mmap(wanted, BYTES, protection, kind | libc::MAP_FIXED_NOREPLACE, -1, 0) };
        assert_eq!(again.addr(), start.addr());
        again.cast::<u8>()
    };
    let heap = open(start);
    heap.reset();
    heap.unregister();
    Source::Mmap.give_back(start, BYTES);
    let again = map_again();
    fill(again, BYTES);
    let heap = open(again);
    heap.unregister_region(again.wrapping_add(64));
    heap.unregister();
    fill(again, BYTES);
    Source::Mmap.give_back(again, BYTES);
}

/// A child goes on with the parent's pools, of which nothing is reported there.
fn fork() {
    let (links, headers) = (FreeList::new(), Headers::new());
    let blocks = [links.alloc(100), headers.alloc(100)];
    let child = unsafe { libc::fork() };
    for block in blocks {
        fill(block, 100);
    }
    for _ in 0..3 {
        let more = [links.alloc(100), headers.alloc(100)];
        more.into_iter().for_each(|block| fill(block, 100));
        links.free(more[0]);
        headers.free(more[1]);
    }
    links.free(blocks[0]);
    headers.free(blocks[1]);
    drop((links, headers));
    if child != 0 {
        let mut status = 0;
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0, "nothing was wrong in the child");
    }
}

/// Pools are used until the very end.
fn exit() {
    extern "C" fn last() {
        POOL.with(|pool| {
            let block = pool.0.alloc(100);
            fill(block, 100);
            pool.0.free(block);
        });
    }
    struct Shared(Headers);
    thread_local! {
        static POOL: &'static Shared = Box::leak(Box::new(Shared(Headers::new())));
    }
    // Before the checker's own handler was registered, so it runs after it.
    unsafe { libc::atexit(last) };
    mstx::checker::install();
    POOL.with(|pool| fill(pool.0.alloc(50), 50));
}

/// Several threads, each with a pool, and one that only uses its blocks.
fn threads() {
    let done = AtomicBool::new(false);
    let (quiet, slab) = (FreeList::new(), Headers::new());
    let blocks = [quiet.alloc(100), slab.alloc(61)].map(|block| block.expose_provenance());
    thread::scope(|scope| {
        let busy: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let (links, headers) = (FreeList::new(), Headers::new());
                    for bytes in (1..100).cycle().take(300) {
                        let block = links.alloc(bytes);
                        fill(block, bytes);
                        let other = headers.alloc(bytes);
                        fill(other, bytes);
                        links.free(block);
                        headers.free(other);
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                fill(std::ptr::with_exposed_provenance_mut(blocks[0]), 100);
                fill(std::ptr::with_exposed_provenance_mut(blocks[1]), 61);
            }
        });
        for thread in busy {
            thread.join().expect("it does not panic");
        }
        done.store(true, Ordering::Relaxed);
    });
    quiet.reset();
    slab.reset();
}

/// The checker is installed when heaps are there already, and in use.
fn late() {
    struct Nobody(#[expect(dead_code, reason = "a tool has an address of its own")] u8);
    impl mstx::Tool for Nobody {}
    static NOBODY: Nobody = Nobody(0);
    // There are books from here on.
    mstx::attach(&NOBODY);
    let start = Source::Malloc.get(BYTES);
    let heap = open(start);
    heap.register_region(start, 24);
    fill(start, 24);
    let inner = Heap::options().domain(&LIVES).register(start.wrapping_add(64), 48);
    inner.register_region(start.wrapping_add(80), 10);
    // Others use it all the time.
    let (done, address) = (AtomicBool::new(false), start.expose_provenance());
    thread::scope(|scope| {
        scope.spawn(|| {
            let start = std::ptr::with_exposed_provenance_mut::<u8>(address);
            while !done.load(Ordering::Relaxed) {
                fill(start, 24);
                fill(start.wrapping_add(80), 10);
                fill(start.wrapping_add(112), 16);
            }
        });
        thread::sleep(std::time::Duration::from_millis(10));
        mstx::checker::install();
        thread::sleep(std::time::Duration::from_millis(10));
        done.store(true, Ordering::Relaxed);
    });
    let sum = |start: *mut u8, bytes| (0..bytes).map(|at| u32::from(unsafe { start.add(at).read() })).sum::<u32>();
    assert!(sum(start, 24) + sum(start.wrapping_add(80), 10) + sum(start.wrapping_add(112), 16) > 0);
    inner.reset();
    inner.unregister();
    fill(start.wrapping_add(64), 64);
    heap.reset();
    heap.unregister();
    fill(start, BYTES);
    Source::Malloc.give_back(start, BYTES);
}

/// Heaps that grow and shrink, in a block of `malloc`'s and in pages.
fn resize() {
    for source in [Source::Malloc, Source::Mmap] {
        let start = source.get(BYTES);
        let heap = Heap::options().domain(&LIVES).register(start, BYTES);
        heap.register_region(start, 100);
        heap.register_region(start.wrapping_add(4000), 100);
        fill(start.wrapping_add(4000), 100);
        heap.resize(4100);
        fill(start.wrapping_add(4100), BYTES - 4100);
        fill(start, 100);
        fill(start.wrapping_add(4000), 100);
        heap.resize(BYTES);
        heap.register_region(start.wrapping_add(4100), 1000);
        fill(start.wrapping_add(4000), 1100);
        heap.reset();
        heap.unregister();
        fill(start, BYTES);
        source.give_back(start, BYTES);
    }
}

/// Memory that is reserved, and may not be accessed: where nobody says what it is, it is not the host's.
fn reserved() {
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let start = unsafe { libc::mmap(null_mut(), BYTES, libc::PROT_NONE, kind, -1, 0) }.cast::<u8>();
    let heap = Heap::options().domain(&LIVES).register(start, BYTES);
    heap.register_region(start, 4096);
    heap.unregister_region(start);
    heap.unregister();
    unsafe { libc::munmap(start.cast(), BYTES) };
}

pub(crate) fn run(name: &str) {
    match name {
        "remap" => remap(),
        "fork" => fork(),
        "exit" => exit(),
        "threads" => threads(),
        "late" => late(),
        "resize" => resize(),
        "reserved" => reserved(),
        _ => {
            eprintln!("there is no such program");
            std::process::exit(2);
        }
    }
}
