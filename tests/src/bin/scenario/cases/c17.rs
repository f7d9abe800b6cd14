//! Device pools at addresses that are not mapped here, next to a pool of the host; same attributes.

use std::cell::Cell;

mstx::domain! {
    static DEVICE = "ptaCaching";
    static HOST = "atb";
}

struct Pool {
    base: *mut u8,
    top: Cell<usize>,
}

impl Pool {
    fn new(base: *mut u8) -> Pool {
        Pool { base, top: Cell::new(0) }
    }

    #[mstx::region(heap = self.base, size = n)]
    fn take(&self, n: usize) -> *mut u8 {
        self.base.wrapping_add(self.top.replace(self.top.get() + n))
    }

    #[mstx::region_unregister(heap = self.base, ptr = p)]
    fn put(&self, p: *mut u8) {
        let _ = p;
    }

    #[mstx::heap_unregister(heap = self.base)]
    fn close(self) {}
}

#[mstx::heap(domain = DEVICE, ptr = 0x12c0_0000_0000_usize as *mut u8, size = 1 << 30, device = 0)]
fn open_device() -> Pool {
    Pool::new(std::ptr::without_provenance_mut(0x12c0_0000_0000))
}

#[mstx::heap(domain = DEVICE, ptr = 0x12c1_0000_0000_usize as *mut u8, size = 1 << 30, device = 1)]
fn open_second_device() -> Pool {
    Pool::new(std::ptr::without_provenance_mut(0x12c1_0000_0000))
}

#[mstx::heap(domain = HOST, ptr = memory, size = memory.len())]
fn open_unsaid(memory: &mut [u8]) -> Pool {
    Pool::new(memory.as_mut_ptr())
}

#[mstx::heap(domain = HOST, ptr = memory, size = memory.len(), host)]
fn open_host(memory: &mut [u8]) -> Pool {
    Pool::new(memory.as_mut_ptr())
}

pub(super) fn c17() {
    for pool in [open_device(), open_second_device()] {
        let p = pool.take(4096);
        pool.put(p);
        pool.close();
    }
    let (mut unsaid, mut host) = (vec![0; 4096], vec![0; 4096]);
    for pool in [open_unsaid(&mut unsaid), open_host(&mut host)] {
        let q = pool.take(64);
        // SAFETY: the pool's memory is a vector of the host's.
        unsafe { q.write_volatile(1) };
        pool.put(q);
        pool.close();
    }
    println!("{:p}", unsaid.as_ptr());
    crate::report::faults();
}
