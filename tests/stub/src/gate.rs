//! The way in: who may call now, one memory call at a time, and the state behind the lock.

use crate::checks::Checks;
use crate::config;
use crate::hostile::HiddenHeaps;
use crate::kind::{self, Kind};
use crate::log::{self, violation};
use crate::tempers::Temper;
use std::sync::atomic::{
    AtomicI32, AtomicU32,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How far the library's life has come.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Status {
    /// No initialiser was called.
    New = 0,
    /// The first one has not returned.
    Initialising = 1,
    Ready = 2,
    /// The initialiser returned failure.
    Failed = 3,
    /// The exit handler has run.
    Exited = 4,
}

static STATUS: AtomicU32 = AtomicU32::new(Status::New as u32);
static PROCESS: AtomicI32 = AtomicI32::new(0);

/// The thread inside a memory call, or 0.
static INSIDE: AtomicI32 = AtomicI32::new(0);

/// All that the functions share.
pub(crate) struct State {
    pub(crate) checks: Checks,
    pub(crate) temper: Box<dyn Temper>,
    pub(crate) hidden: HiddenHeaps,
    /// How many clients have called the initialiser.
    pub(crate) clients: u64,
    pub(crate) last_range: u64,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// The state; there is none before the first initialiser.
pub(crate) fn state() -> MutexGuard<'static, Option<State>> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn status() -> Status {
    match STATUS.load(Acquire) {
        1 => Status::Initialising,
        2 => Status::Ready,
        3 => Status::Failed,
        4 => Status::Exited,
        _ => Status::New,
    }
}

pub(crate) fn set_status(status: Status) {
    STATUS.store(status as u32, Release);
}

/// Claims the library for the first client. The process is the one that rule 8 allows from now on.
pub(crate) fn begin() -> bool {
    let (new, begun) = (Status::New as u32, Status::Initialising as u32);
    let first = STATUS.compare_exchange(new, begun, AcqRel, Acquire).is_ok();
    if first {
        PROCESS.store(log::process_id(), Relaxed);
    }
    first
}

/// Whether this is a forked child of the process that the initialiser ran in.
pub(crate) fn in_child() -> bool {
    let process = PROCESS.load(Relaxed);
    process != 0 && process != log::process_id()
}

/// Counts a call and finds out whether it may go on. What may not is reported, without any lock.
pub(crate) fn enter(kind: Kind) -> bool {
    kind::count(kind, 1);
    let name = kind.name();
    if in_child() {
        violation!(8, "{name}: from a forked child");
        return false;
    }
    match status() {
        Status::Ready => true,
        Status::Initialising => {
            violation!(0, "{name}: before the initialiser returned");
            true
        }
        Status::New | Status::Failed => {
            violation!(0, "{name}: the initialiser failed");
            false
        }
        Status::Exited => {
            violation!(8, "{name}: after the exit handlers ran");
            false
        }
    }
}

/// A memory call that is under way. Only the first of several at once gives the place free again.
pub(crate) struct MemoryCall {
    first: bool,
}

/// Enters one of the memory functions, which must be called one at a time.
pub(crate) fn enter_memory(kind: Kind) -> Option<MemoryCall> {
    if !enter(kind) {
        return None;
    }
    let me = log::thread_id();
    let first = match INSIDE.compare_exchange(0, me, AcqRel, Acquire) {
        Ok(_) => true,
        Err(other) => {
            let name = kind.name();
            if other == me {
                violation!(2, "{name}: from inside another memory call of this thread");
            } else {
                violation!(2, "{name}: at the same time as one of thread {other}");
            }
            false
        }
    };
    if config::get().slow_calls {
        std::thread::sleep(Duration::from_millis(1));
    }
    Some(MemoryCall { first })
}

impl Drop for MemoryCall {
    fn drop(&mut self) {
        if self.first {
            INSIDE.store(0, Release);
        }
    }
}
