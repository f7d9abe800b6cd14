//! When the allocator's own code runs: tools that check accesses let it through.
//!
//! Called on the thread that runs it, and outside of the books' lock: the list of tools is read without one. It only ever grows, so
//! whoever was told that a body begins is told that it ends.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::alloc::System;

use allocator_api2::boxed::Box;
use once_cell::race::OnceRef;

use super::copies::operations;
use super::process::{errno, signals};
use super::ledger::TOOLS;
use super::listen;
use crate::tool::Tool;

static LISTENERS: [OnceRef<'static, &'static dyn Tool>; TOOLS] = [const { OnceRef::new() }; TOOLS];
/// How many of them there are.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A tool listens from now on. The caller holds the books' lock, so there is one at a time.
pub(crate) fn listen(tool: &'static dyn Tool) {
    if !tool.wants_bodies() {
        return;
    }
    let count = COUNT.load(Ordering::Relaxed);
    let Some(place) = LISTENERS.get(count) else { return };
    // Without memory it is not told of any body, which costs reports of what is no mistake, and nothing else.
    let Ok(kept) = Box::try_new_in(tool, System) else { return };
    if place.set(Box::leak(kept)).is_ok() {
        COUNT.store(count + 1, Ordering::Release);
    }
}

/// Where a tool is told of bodies, which is one that sees accesses: no handler of a signal interrupts the thread as long as this lives.
///
/// What a handler reports is lost where it interrupts the books, and what it has taken from a pool would stay off limits. The same goes
/// for the system's allocator, for which it would wait.
pub(crate) fn hold_signals() -> Option<signals::Held> {
    (COUNT.load(Ordering::Relaxed) != 0).then(signals::Held::new)
}

/// The allocator's own code begins in this thread. Returns how many tools were told.
pub(crate) fn enter() -> usize {
    let count = COUNT.load(Ordering::Acquire);
    if count == 0 || listen::is_never() {
        return 0;
    }
    tell(count, |tool| tool.enter_allocator());
    count
}

/// It ends; `count` tools know that it began. Also where nobody listens any more: they count.
pub(crate) fn leave(count: usize) {
    tell(count, |tool| tool.leave_allocator());
}

fn tell(count: usize, tell: impl Fn(&dyn Tool)) {
    let _errno = errno::Saved::new();
    let _held = signals::Held::new();
    LISTENERS[..count].iter().filter_map(OnceRef::get).for_each(|tool| tell(*tool));
}

/// The allocator's own code runs in this thread as long as this lives; in an `async` function, but for while that is suspended.
///
/// What it has is how many tools were told, which only its own thread changes.
#[derive(Debug)]
#[must_use]
pub struct Internal(AtomicUsize);

impl Internal {
    /// Nobody listens.
    #[inline(always)]
    pub const fn off() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// It begins.
    #[cold]
    #[inline(never)]
    pub fn enter() -> Self {
        Self(AtomicUsize::new((operations().enter)()))
    }
}

/// What an `async` function has while it runs.
pub trait Suspend {
    /// Something is awaited: the thread may do something else.
    fn suspend(&self);
    /// The body goes on, perhaps in another thread.
    fn resume(&self);
}

impl Suspend for Internal {
    #[inline]
    fn suspend(&self) {
        let count = self.0.load(Ordering::Relaxed);
        if count != 0 {
            self.0.store(0, Ordering::Relaxed);
            ends(count);
        }
    }

    #[inline]
    fn resume(&self) {
        if listen::may_listen() && self.0.load(Ordering::Relaxed) == 0 {
            self.0.store((operations().enter)(), Ordering::Relaxed);
        }
    }
}

impl Drop for Internal {
    #[inline(always)]
    fn drop(&mut self) {
        let count = *self.0.get_mut();
        if count != 0 {
            ends(count);
        }
    }
}

#[cold]
#[inline(never)]
fn ends(count: usize) {
    (operations().leave)(count);
}
