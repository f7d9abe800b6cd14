//! The heap goes away with two regions live, and its address comes back.

use std::cell::Cell;

const ADDR: usize = 0x5000_0000_0000;
const LEN: usize = 1 << 16;

struct Pool {
    base: *mut u8,
    len: usize,
    top: Cell<usize>,
}

/// Maps memory at `ADDR`.
fn map() -> *mut u8 {
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    let wanted = std::ptr::without_provenance_mut(ADDR);
    // SAFETY: the flag forbids to map over anything that is there.
    let base = unsafe { libc::mmap(wanted, LEN, protection, flags | libc::MAP_FIXED_NOREPLACE, -1, 0) };
    assert_eq!(base.addr(), ADDR, "the address is free");
    base.cast()
}

impl Pool {
    #[mstx::heap(domain = crate::pool::MAIN, ptr = base, size = len)]
    fn open(base: *mut u8, len: usize) -> Pool {
        Pool { base, len, top: Cell::new(0) }
    }

    #[mstx::region(heap = self.base, size = n)]
    #[track_caller]
    fn take(&self, n: usize) -> *mut u8 {
        self.base.wrapping_add(self.top.replace(self.top.get() + n))
    }

    #[mstx::region_unregister(heap = self.base, ptr = p)]
    fn put(&self, p: *mut u8) {
        let _ = p;
    }

    #[mstx::heap_unregister(heap = self.base)]
    #[track_caller]
    fn close(self) {
        mstx::mark("unmap");
        // SAFETY: the memory was mapped by `map`, and nobody uses it any more.
        assert_eq!(unsafe { libc::munmap(self.base.cast(), self.len) }, 0);
    }
}

pub(super) fn c15() {
    let heap = Pool::open(map(), LEN);
    let _a = at!("a", heap.take(64));
    let _b = at!("b", heap.take(128));
    at!("close", heap.close());
    let again = map();
    for i in 0..LEN {
        // SAFETY: all of it was just mapped.
        unsafe { again.wrapping_add(i).write_volatile(7) };
    }
    let heap = Pool::open(again, LEN);
    heap.put(heap.take(64));
    heap.close();
    crate::report::faults();
}
