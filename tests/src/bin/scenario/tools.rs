//! What tools do, and what programs do that tools do not like.

use crate::pool::{BASE, MAIN, OTHER, Pool, SIZE, open};
use crate::process::call_back;
use crate::report::faults;
use crate::stub;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

/// The same name, declared a second time.
mod again {
    mstx::domain!(pub(super) static MAIN = "ptaCaching");
}

crate::scenarios![
    tour,
    eight_threads,
    shadow,
    stale_regions,
    calls_back,
    re_enters,
    unknown_name,
    random,
    errno_is_kept,
    raw_calls,
    own_tool,
];

/// Prints what is live by the tool's books.
fn checkpoint(name: &str) {
    let regions: Vec<String> = stub::live().iter().map(|(start, size)| format!(" {start:#x}+{size}")).collect();
    println!("{name}:{}", regions.concat());
}

/// A bit of everything, all of it right.
fn tour() {
    let mut pool = open();
    let neighbour = Pool::open(&again::MAIN, BASE + 2 * SIZE, SIZE);
    pool.take(0, 16);
    pool.take_many(&[0x100, 0x200, 0x300], 64);
    neighbour.take(0, SIZE);
    checkpoint("taken");
    pool.give(0x200);
    pool.resize(0x300, 128, || Some(0x400));
    pool.resize(0x100, 32, || Some(0x100));
    checkpoint("resized");
    pool.take(0x800, 0x200);
    let inner = Pool::open(&OTHER, BASE + 0x900, 0x80);
    inner.take(0, 8);
    checkpoint("nested");
    mstx::mark("half-way");
    MAIN.mark("half-way");
    let range = mstx::range("second half");
    pool.set_size(SIZE + 0x100);
    pool.take(SIZE, 0x100);
    checkpoint("grown");
    inner.give(0);
    inner.close();
    checkpoint("flat");
    neighbour.give(0);
    neighbour.close();
    pool.reset();
    checkpoint("reset");
    pool.take(0x10, 8);
    pool.give(0x10);
    pool.close();
    let pool = open();
    pool.take(0x200, 8);
    checkpoint("again");
    pool.give(0x200);
    pool.close();
    drop(range);
    checkpoint("end");
    faults();
}

fn eight_threads() {
    let pool = open();
    thread::scope(|scope| {
        for index in 0..8 {
            scope.spawn(move || {
                for _ in 0..20 {
                    pool.take(index * 0x100, 64);
                    pool.give(index * 0x100);
                }
            });
        }
    });
    checkpoint("end");
    pool.close();
    faults();
}

/// Asserts what msSanitizer says of accesses.
fn assert_accessible(address: usize, size: usize, expected: bool) {
    assert_eq!(stub::accessible(address, size), Some(expected), "{address:#x}+{size}");
}

/// An access is right exactly where the innermost heap has a live region.
fn shadow() {
    let pool = open();
    assert_accessible(BASE, SIZE, false);
    pool.take(0x100, 0x400);
    assert_accessible(BASE + 0x100, 0x400, true);
    assert_accessible(BASE + 0x4ff, 2, false);
    let inner = Pool::open(&OTHER, BASE + 0x200, 0x100);
    assert_accessible(BASE + 0x100, 0x100, true);
    assert_accessible(BASE + 0x200, 1, false);
    assert_accessible(BASE + 0x2ff, 1, false);
    assert_accessible(BASE + 0x300, 0x200, true);
    inner.take(0x10, 16);
    assert_accessible(BASE + 0x210, 16, true);
    assert_accessible(BASE + 0x220, 1, false);
    inner.give(0x10);
    assert_accessible(BASE + 0x210, 1, false);
    inner.close();
    assert_accessible(BASE + 0x100, 0x400, true);
    pool.give(0x100);
    assert_accessible(BASE + 0x100, 1, false);
    pool.close();
    faults();
}

/// A heap ends with live regions and begins again: what was there before is not there any more.
fn stale_regions() {
    let pool = open();
    pool.take(0x100, 64);
    pool.close();
    let pool = open();
    assert_accessible(BASE + 0x100, 1, false);
    pool.take(0x140, 64);
    assert_accessible(BASE + 0x140, 64, true);
    assert_accessible(BASE + 0x100, 1, false);
    pool.give(0x140);
    pool.close();
}

extern "C" fn while_initialising() {
    let pool = Pool::open(&OTHER, 0x20000, SIZE);
    pool.take(0x100, 64);
    pool.take(0x200, 64);
    pool.give(0x200);
    mstx::mark("early");
    drop(mstx::range("early"));
    println!("called back");
}

fn calls_back() {
    call_back(while_initialising);
    let pool = open();
    pool.take(0x100, 64);
    checkpoint("both");
    pool.give(0x100);
    pool.close();
    let other = Pool::new(&OTHER, 0x20000, SIZE);
    other.give(0x100);
    other.close();
    faults();
}

/// In the first call about regions that begin it takes one, in the first about regions that end it gives it back.
extern "C" fn while_registering() {
    static TIMES: AtomicU32 = AtomicU32::new(0);
    let pool = Pool::new(&OTHER, 0x20000, SIZE);
    match TIMES.fetch_add(1, Relaxed) {
        0 => drop(pool.take(0x100, 64)),
        _ => pool.give(0x100),
    }
    mstx::mark("inside");
}

fn re_enters() {
    call_back(while_registering);
    let other = Pool::open(&OTHER, 0x20000, SIZE);
    let pool = open();
    pool.take(0x100, 64);
    checkpoint("taken");
    pool.give(0x100);
    checkpoint("given");
    pool.close();
    other.close();
    faults();
}

/// Some tools know a few names only.
fn unknown_name() {
    mstx::domain!(static MINE = "my_own_name");
    let pool = Pool::open(&MINE, BASE, SIZE);
    pool.take(0x100, 64);
    pool.give(0x100);
    pool.close();
    let known = Pool::open(&MAIN, BASE, SIZE);
    known.take(0x100, 64);
    known.give(0x100);
    known.close();
    for domain in mstx::domains().filter(|domain| ["my_own_name", "ptaCaching"].contains(&domain.name())) {
        println!("{} {:?}", domain.name(), domain.answer());
    }
    faults();
}

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// Four threads, each with a heap of its own in one pool, take, give, resize and reset; at the end the tool knows what they
/// know.
fn random() {
    const SLOTS: usize = 64;
    let live: Vec<Vec<(u64, u64)>> = thread::scope(|scope| {
        let threads = (0..4).map(|index| {
            scope.spawn(move || {
                let base = BASE + index * SIZE;
                let pool = Pool::open(if index % 2 == 0 { &MAIN } else { &OTHER }, base, SIZE);
                let (mut numbers, mut sizes) = (Numbers(index as u64), [0; SLOTS]);
                for _ in 0..500 {
                    let slot = numbers.below(SLOTS);
                    let (offset, size) = (slot * 64, 1 + numbers.below(64));
                    match (sizes[slot], numbers.below(20)) {
                        (_, 0) => {
                            pool.reset();
                            sizes = [0; SLOTS];
                        }
                        (0, _) => {
                            pool.take(offset, size);
                            sizes[slot] = size;
                        }
                        (_, 1..10) => {
                            pool.give(offset);
                            sizes[slot] = 0;
                        }
                        (_, _) => {
                            pool.resize(offset, size, || Some(offset));
                            sizes[slot] = size;
                        }
                    }
                }
                let live = sizes.iter().enumerate().filter(|(_, size)| **size > 0);
                live.map(|(slot, size)| ((base + slot * 64) as u64, *size as u64)).collect()
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    assert_eq!(stub::live(), live.concat());
    println!("{} regions", live.concat().len() > 20);
    faults();
}

/// The value before it is set, if it is.
fn errno(new: Option<i32>) -> i32 {
    // SAFETY: no conditions.
    let place = unsafe { libc::__errno_location() };
    // SAFETY: the place belongs to this thread and is valid for its life.
    let old = unsafe { place.read() };
    if let Some(new) = new {
        // SAFETY: as above.
        unsafe { place.write(new) };
    }
    old
}

/// As an allocator must.
fn errno_is_kept() {
    let keeps = |what: &str, call: &mut dyn FnMut()| {
        errno(Some(77));
        call();
        let errno = errno(None);
        if errno != 77 {
            println!("{what} changes errno to {errno}");
        }
    };
    let mut pool = Pool::new(&MAIN, BASE, SIZE);
    keeps("the first use", &mut || {
        open();
    });
    keeps("take", &mut || {
        pool.take(0x100, 64);
    });
    keeps("a fault", &mut || {
        pool.take(0x120, 64);
    });
    keeps("resize", &mut || {
        pool.resize(0x100, 128, || Some(0x100));
    });
    keeps("mark", &mut || mstx::mark("m"));
    keeps("range", &mut || drop(mstx::range("r")));
    keeps("set_size", &mut || pool.set_size(2 * SIZE));
    keeps("give", &mut || pool.give(0x100));
    keeps("reset", &mut || pool.reset());
    keeps("close", &mut || pool.close());
    keeps("status", &mut || {
        let _ = mstx::status();
    });
    println!("done");
}

/// The interface itself: the books know nothing of it.
fn raw_calls() {
    use mstx::raw;
    use std::ptr::{from_ref, null_mut, without_provenance};

    let range = raw::VirtualRangeDesc { device_id: 0, ptr: without_provenance(0x40000), size: 4096 };
    let desc = raw::HeapDesc {
        usage: raw::HEAP_USAGE_SUB_ALLOCATOR,
        ty: raw::TYPE_VIRTUAL_ADDRESS,
        type_specific_desc: from_ref(&range).cast(),
    };
    // SAFETY: the name is a C string.
    let domain = unsafe { raw::domain_create(c"msleaks".as_ptr()) };
    // SAFETY: the description lives during the call.
    let heap = unsafe { raw::heap_register(domain, &raw const desc) };
    // SAFETY: the message is a C string.
    unsafe { raw::mark(c"raw".as_ptr(), null_mut()) };
    open().close();
    println!("{} {}", domain.is_null(), heap.is_null());
    if !heap.is_null() {
        // SAFETY: the heap was registered, and is unregistered once.
        unsafe { raw::heap_unregister(domain, heap) };
    }
    faults();
}

/// Prints what it is told.
struct Printer;

impl mstx::Tool for Printer {
    fn heap_register(&self, heap: &mstx::ToolHeap<'_>) -> mstx::Handle {
        println!("heap {} {:#x}+{}", heap.name, heap.start, heap.size);
        mstx::Handle::NONE
    }

    fn heap_unregister(&self, heap: &mstx::ToolHeap<'_>) {
        println!("end {} {:#x}+{}", heap.name, heap.start, heap.size);
    }

    fn regions_register(
        &self,
        _domain: mstx::ToolDomain<'_>,
        heap: Option<&mstx::ToolHeap<'_>>,
        regions: &[mstx::ToolRegion],
        _handles: &mut [mstx::Handle],
    ) {
        let extents: Vec<String> = regions.iter().map(|region| format!(" {:#x}+{}", region.start, region.size)).collect();
        println!("register{} in {:?}", extents.concat(), heap.map(|heap| heap.start));
    }

    fn regions_unregister(&self, _domain: mstx::ToolDomain<'_>, _: Option<&mstx::ToolHeap<'_>>, regions: &[mstx::ToolRegion]) {
        let extents: Vec<String> = regions.iter().map(|region| format!(" {:#x}+{}", region.start, region.size)).collect();
        println!("unregister{}", extents.concat());
    }

    fn fault(&self, fault: &mstx::Fault) {
        println!("fault {:?}", fault.kind());
    }

    fn end(&self) {
        println!("end of all");
    }
}

/// A tool in the process, next to the injected one, which is told of what was there before it. It sees host heaps too.
fn own_tool() {
    static PRINTER: Printer = Printer;
    let pool = open();
    pool.take(0x100, 64);
    println!("{} {}", mstx::attach(&PRINTER), mstx::attach(&PRINTER));
    pool.take_many(&[0x200, 0x300], 64);
    let host = mstx::Heap::options().domain(&OTHER).host().name("host").register(0x90000 as *mut u8, SIZE);
    host.register_region(0x90100 as *mut u8, 64_usize);
    host.unregister();
    pool.give(0x500);
    pool.reset();
    pool.close();
}
