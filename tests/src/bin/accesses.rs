//! Programs with a few accesses to blocks of pools: `accesses PROGRAM ACCESS`. All are right but the one that `here!` marks.
#![allow(clippy::undocumented_unsafe_blocks, reason = "mistakes are made on purpose, and the pools are what they are in C")]

use std::alloc::{Layout, alloc};
use std::cell::Cell;
use std::ptr::{null_mut, without_provenance_mut};

mstx::domain! {
    static HEADERS = "headers";
    static LINKS = "links";
    static PAGES = "pages";
    static DEVICE = "device";
}

/// Says where the access is: the test looks for this line in what the tools print.
macro_rules! here {
    ($access:expr) => {{
        println!("@{}", line!());
        $access
    }};
}

#[inline(never)]
fn write(block: *mut u8, offset: usize) {
    unsafe { block.wrapping_add(offset).write_volatile(3) }
}

fn fill(block: *mut u8, bytes: usize) {
    unsafe { block.write_bytes(1, bytes) }
}

/// A header before each block, rounding behind it: what is the user's begins and ends between them.
mod headers {
    use super::*;

    const HEADER: usize = 16;

    struct Pool {
        base: *mut u8,
        top: Cell<usize>,
    }

    impl Pool {
        #[mstx::heap(domain = HEADERS, ptr = ret.base, size = memory.len())]
        fn new(memory: &mut [u8]) -> Self {
            Self { base: memory.as_mut_ptr(), top: Cell::new(0) }
        }

        #[mstx::region(heap = self.base, size = n)]
        #[track_caller]
        fn take(&self, n: usize, align: usize) -> *mut u8 {
            let start = (self.top.get() + HEADER).next_multiple_of(align);
            let n = n.next_multiple_of(align); // another `n` than the attribute's
            self.top.set(start + n);
            unsafe { self.base.wrapping_add(start - HEADER).cast::<usize>().write_unaligned(n) };
            self.base.wrapping_add(start)
        }

        #[mstx::heap_unregister(heap = self.base)]
        fn close(self) {}

        #[mstx::heap_reset(heap = self.base)]
        fn reset(&self) {}
    }

    pub(super) fn run(access: &str) {
        let mut memory = vec![0; 4096];
        let pool = Pool::new(&mut memory);
        let a = pool.take(5, 32); // the block of 5
        let b = pool.take(33, 32); // the block of 33
        fill(a, 5);
        fill(b, 33);
        match access {
            "last of 5" => here!(write(a, 4)),
            "behind 5" => here!(write(a, 5)),
            "last of 33" => here!(write(b, 32)),
            "behind 33" => here!(write(b, 33)),
            "all" => (0..5).map(|at| (a, at)).chain((0..33).map(|at| (b, at))).for_each(|(block, at)| write(block, at)),
            _ => unreachable!("there is no such access"),
        }
        pool.reset();
        pool.close();
        memory.fill(7);
    }
}

/// The list of free blocks lies in the free blocks: it is written after the release was reported, and read before the allocation is.
mod links {
    use super::*;

    const BLOCK: usize = 32;

    struct Pool {
        base: *mut u8,
        head: Cell<*mut u8>,
    }

    impl Pool {
        #[mstx::heap(domain = LINKS, ptr = ret.base, size = 4096)]
        fn new() -> Self {
            let layout = Layout::from_size_align(4096, 16).expect("a good layout");
            let pool = Self { base: unsafe { alloc(layout) }, head: Cell::new(null_mut()) };
            (0..8).for_each(|index| pool.link(pool.block(index)));
            pool
        }

        fn block(&self, index: usize) -> *mut u8 {
            self.base.wrapping_add(BLOCK * index)
        }

        fn link(&self, block: *mut u8) {
            unsafe { block.cast::<*mut u8>().write_unaligned(self.head.get()) };
            self.head.set(block);
        }

        #[mstx::region_unregister(heap = self.base, ptr = block)]
        #[track_caller]
        fn put(&self, block: *mut u8) {
            self.link(block);
        }

        #[mstx::region(heap = self.base, size = BLOCK)]
        #[track_caller]
        fn take(&self) -> *mut u8 {
            let block = self.head.get();
            self.head.set(unsafe { block.cast::<*mut u8>().read_unaligned() });
            block
        }
    }

    pub(super) fn run(access: &str) {
        let pool = Pool::new();
        if access == "annotated seeding" {
            // The books call these releases of what nobody has registered; the pool may write its links for all that.
            (8..16).for_each(|index| pool.put(pool.block(index)));
        }
        let (a, b) = (pool.take(), pool.take());
        fill(a, BLOCK);
        fill(b, BLOCK);
        pool.put(a); // the release
        if access == "after the release" {
            here!(write(a, 9));
        }
        pool.put(b);
        // It is the newest free block, and its link is whole.
        assert_eq!(pool.take(), b);
        pool.put(b);
    }
}

/// A heap goes away with two regions live, and its address comes back: as anybody's memory, and then as another heap.
mod pages {
    use super::*;

    const BYTES: usize = 1 << 16;

    struct Pool {
        base: *mut u8,
        top: Cell<usize>,
    }

    /// Maps memory; at this address, if it is not null.
    fn map(at: *mut u8) -> *mut u8 {
        let (protection, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let kind = if at.is_null() { kind } else { kind | libc::MAP_FIXED_NOREPLACE };
        let base = unsafe { libc::mmap(at.cast(), BYTES, protection, kind, -1, 0) };
        assert!(at.is_null() || base == at.cast(), "the address is free");
        base.cast()
    }

    impl Pool {
        #[mstx::heap(domain = PAGES, ptr = base, size = BYTES)]
        fn open(base: *mut u8) -> Self {
            Self { base, top: Cell::new(0) }
        }

        #[mstx::region(heap = self.base, size = n)]
        #[track_caller]
        fn take(&self, n: usize) -> *mut u8 {
            self.base.wrapping_add(self.top.replace(self.top.get() + n))
        }

        #[mstx::heap_reset(heap = self.base)]
        fn reset(&self) {}

        #[mstx::heap_unregister(heap = self.base)]
        fn close(self) {
            assert_eq!(unsafe { libc::munmap(self.base.cast(), BYTES) }, 0);
        }
    }

    pub(super) fn run(access: &str) {
        let base = map(null_mut());
        let heap = Pool::open(base);
        let a = heap.take(64); // one leak
        let b = heap.take(128); // another leak
        fill(a, 64);
        fill(b, 128);
        heap.close();
        let again = map(without_provenance_mut(base.addr()));
        (0..BYTES).for_each(|at| write(again, at));
        let heap = Pool::open(again);
        let c = heap.take(64);
        fill(c, 64);
        if access == "behind the new region" {
            here!(write(c, 64));
        }
        heap.reset();
        heap.close();
    }
}

/// The memory of a device, at an address where there is nothing in this process, beside memory of the host.
mod device {
    use super::*;

    const NOWHERE: usize = 0x12c0_0000_0000;

    struct Pool {
        base: *mut u8,
        top: Cell<usize>,
    }

    impl Pool {
        #[mstx::heap(domain = DEVICE, ptr = ret.base, size = 1 << 30, device = 0)]
        fn device(base: *mut u8) -> Self {
            Self { base, top: Cell::new(0) }
        }

        /// What it is nobody says.
        #[mstx::heap(domain = DEVICE, ptr = ret.base, size = bytes)]
        fn new(base: *mut u8, bytes: usize) -> Self {
            Self { base, top: Cell::new(0) }
        }

        #[mstx::region(heap = self.base, size = n)]
        #[track_caller]
        fn take(&self, n: usize) -> *mut u8 {
            self.base.wrapping_add(self.top.replace(self.top.get() + n))
        }

        #[mstx::region_unregister(heap = self.base, ptr = block)]
        fn put(&self, block: *mut u8) {
            let _ = block;
        }

        #[mstx::heap_unregister(heap = self.base)]
        fn close(self) {}
    }

    pub(super) fn run(access: &str) {
        let mut memory = vec![0; 4096];
        let device = Pool::device(without_provenance_mut(NOWHERE));
        // Nothing says that there is no memory here.
        let unsaid = Pool::new(without_provenance_mut(NOWHERE + (1 << 40)), 1 << 30);
        let host = Pool::new(memory.as_mut_ptr(), memory.len());
        let blocks = [&device, &unsaid].map(|pool| (pool, pool.take(4096)));
        let q = host.take(64); // the host's block
        fill(q, 64);
        if access == "behind the host's block" {
            here!(write(q, 64));
        }
        host.put(q);
        blocks.into_iter().for_each(|(pool, block)| pool.put(block));
        [device, unsaid, host].into_iter().for_each(Pool::close);
        memory.fill(7);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, access] = &arguments[..] else { unreachable!("accesses PROGRAM ACCESS") };
    mstx::checker::install();
    match program.as_str() {
        "headers" => headers::run(access),
        "links" => links::run(access),
        "pages" => pages::run(access),
        "device" => device::run(access),
        _ => unreachable!("there is no such program"),
    }
    mstx::faults().for_each(|fault| println!("{:?}", fault.kind()));
}
