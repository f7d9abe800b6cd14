//! The call sites that have reported so far.

use core::sync::atomic::Ordering;

use super::lock::Lock;
use super::memory::{Grow, Vec, vec};
use crate::Site;

static SITES: Lock<Vec<&'static Site>> = Lock::new(vec());

/// Lists a site, at its first event.
pub(crate) fn note(site: &'static Site) {
    if !site.seen.load(Ordering::Relaxed) && !site.seen.swap(true, Ordering::Relaxed) {
        if let Some(mut sites) = SITES.lock() {
            // Without memory for it, it is missing from the list.
            let _ = sites.add(site);
        }
    }
}

/// The site with this number.
pub(crate) fn get(index: usize) -> Option<&'static Site> {
    linked();
    SITES.lock().and_then(|sites| sites.get(index).copied())
}

/// Lists those that are linked, where a feature collects them.
#[cfg(feature = "sites")]
fn linked() {
    for crate::declare::Linked(site) in inventory::iter::<crate::declare::Linked> {
        note(site);
    }
}

#[cfg(not(feature = "sites"))]
const fn linked() {}
