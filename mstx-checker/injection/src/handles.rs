//! What a client gets for what it registers, and gives back later. Nothing here is ever followed as a pointer.

use core::ptr::without_provenance_mut;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use mstx_runtime::__private::foreign;
use mstx_runtime::raw::{DomainHandle, RegionHandle};

/// The name of the domain that a null handle stands for.
const DEFAULT: &str = "default";

/// By its lowest bits, the handle of a domain is told from an address.
const TAG: usize = 0xd;
const TAG_BITS: u32 = 4;

/// How many numbers of domains were handed out: a larger one is none.
static DOMAINS: AtomicUsize = AtomicUsize::new(0);

/// The handle of the domain of this name; null where nothing happens any more. One name has one handle.
pub(crate) fn domain(name: &str) -> DomainHandle {
    let Some(number) = numbered(name) else { return core::ptr::null_mut() };
    without_provenance_mut((usize::from(number) << TAG_BITS) | TAG)
}

fn numbered(name: &str) -> Option<u16> {
    let number = foreign::domain(name)?;
    DOMAINS.fetch_max(usize::from(number) + 1, Ordering::Relaxed);
    Some(number)
}

/// The number of the domain that a handle stands for.
pub(crate) fn domain_of(handle: DomainHandle) -> Option<u16> {
    if handle.is_null() {
        return numbered(DEFAULT);
    }
    let number = handle.addr() >> TAG_BITS;
    let known = handle.addr() & ((1 << TAG_BITS) - 1) == TAG && number < DOMAINS.load(Ordering::Relaxed);
    known.then(|| u16::try_from(number).ok()).flatten()
}

/// An address leaves so many bits of a word alone, nearly always.
const ADDRESS_BITS: u32 = if usize::BITS > 48 { 48 } else { usize::BITS };
const ADDRESS: usize = usize::MAX >> (usize::BITS - ADDRESS_BITS);

/// A new handle for a region: its address, and above that a count, by which it is told from one that was there before. Null where
/// there are no bits left: then a client names the region by its address.
pub(crate) fn region(address: usize) -> usize {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    if address & !ADDRESS != 0 {
        return 0;
    }
    let Some(most) = (usize::MAX & !ADDRESS).checked_shr(ADDRESS_BITS).filter(|&most| most > 0) else { return 0 };
    let count = COUNT.fetch_add(1, Ordering::Relaxed) as usize % most + 1;
    address | (count << ADDRESS_BITS)
}

/// The address that a region's handle stands for, and the handle, by which it is told from others at that address; 0 where it is an
/// address alone.
pub(crate) fn region_of(handle: RegionHandle) -> (usize, usize) {
    let handle = handle.addr();
    (handle & ADDRESS, if handle & !ADDRESS == 0 { 0 } else { handle })
}
