//! A pool that hands out whatever addresses the scenario says.

use mstx::Domain;

mstx::domain! {
    /// Known to all stub tools.
    pub(crate) static MAIN = "ptaCaching";
    /// Known to all stub tools.
    pub(crate) static OTHER = "atb";
}

/// Where most pools are.
pub(crate) const BASE: usize = 0x10000;
/// How large most pools are.
pub(crate) const SIZE: usize = 0x1000;

/// Why a pool does not do something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused;

/// A pool; places in it are offsets.
#[derive(Clone, Copy)]
pub(crate) struct Pool {
    domain: &'static Domain,
    base: usize,
    size: usize,
}

/// Most pools.
#[track_caller]
pub(crate) fn open() -> Pool {
    Pool::open(&MAIN, BASE, SIZE)
}

impl Pool {
    /// A pool that is not opened.
    pub(crate) const fn new(domain: &'static Domain, base: usize, size: usize) -> Pool {
        Pool { domain, base, size }
    }

    pub(crate) fn at(&self, offset: usize) -> *mut u8 {
        std::ptr::without_provenance_mut(self.base.wrapping_add(offset))
    }

    #[mstx::heap(domain = domain, ptr = ret.base, size = ret.size)]
    #[track_caller]
    pub(crate) fn open(domain: &'static Domain, base: usize, size: usize) -> Pool {
        Pool::new(domain, base, size)
    }

    #[mstx::heap_unregister(heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn close(self) {}

    /// While it is closed, `body` is called.
    #[mstx::heap_unregister(heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn close_by(self, body: impl FnOnce()) {
        body();
    }

    #[mstx::heap_reset(heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn reset(&self) {}

    #[mstx::heap_reset(heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn reset_by(&self, body: impl FnOnce()) {
        body();
    }

    #[mstx::heap_resize(heap = self.base, size = size, domain = self.domain)]
    #[track_caller]
    pub(crate) fn set_size(&mut self, size: usize) {
        self.size = size;
    }

    #[mstx::heap_resize(heap = self.base, size = size, domain = self.domain)]
    #[track_caller]
    pub(crate) fn set_size_by(&mut self, size: usize, body: impl FnOnce() -> Result<(), Refused>) -> Result<(), Refused> {
        body()?;
        self.size = size;
        Ok(())
    }

    #[mstx::region(heap = self.base, size = size, domain = self.domain)]
    #[track_caller]
    pub(crate) fn take(&self, offset: usize, size: usize) -> *mut u8 {
        let _ = size;
        self.at(offset)
    }

    /// `body` says where.
    #[mstx::region(heap = self.base, size = size, domain = self.domain)]
    #[track_caller]
    pub(crate) fn take_by(&self, size: usize, body: impl FnOnce() -> Option<usize>) -> Option<*mut u8> {
        let _ = size;
        body().map(|offset| self.at(offset))
    }

    #[mstx::region(heap = self.base, size = size, domain = self.domain)]
    #[track_caller]
    pub(crate) fn take_many(&self, offsets: &[usize], size: usize) -> Vec<*mut u8> {
        let _ = size;
        offsets.iter().map(|&offset| self.at(offset)).collect()
    }

    #[mstx::region_unregister(ptr = self.at(offset), heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn give(&self, offset: usize) {
        let _ = offset;
    }

    #[mstx::region_unregister(ptr = self.at(offset), heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn give_by(&self, offset: usize, body: impl FnOnce() -> Result<(), Refused>) -> Result<(), Refused> {
        let _ = offset;
        body()
    }

    #[mstx::region_unregister(ptr = offsets.map(|offset| self.at(offset)), heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn give_many<const N: usize>(&self, offsets: [usize; N]) {
        let _ = offsets;
    }

    /// `body` says where it is now.
    #[mstx::region_resize(ptr = self.at(offset), size = size, heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn resize(&self, offset: usize, size: usize, body: impl FnOnce() -> Option<usize>) -> Option<*mut u8> {
        let _ = (offset, size);
        body().map(|offset| self.at(offset))
    }

    #[mstx::region_resize(ptr = self.at(offset), size = size, heap = self.base, domain = self.domain)]
    #[track_caller]
    pub(crate) fn resize_in_place(&self, offset: usize, size: usize, can: bool) -> bool {
        let _ = (offset, size);
        can
    }
}

/// A region whose heap is found by its address.
#[mstx::region(size = size, domain = MAIN)]
#[track_caller]
pub(crate) fn take_at(address: usize, size: usize) -> *mut u8 {
    let _ = size;
    std::ptr::without_provenance_mut(address)
}

#[mstx::region_unregister(ptr = address, domain = MAIN)]
#[track_caller]
pub(crate) fn give_at(address: usize) {
    let _ = address;
}
