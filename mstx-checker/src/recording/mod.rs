//! The recording: what the program's pools did, for the files that are written from it.
//!
//! It costs something only once it is asked for. Its memory is bounded: 32 bytes for each of the newest events, as many as were
//! asked for; 35 to 75 bytes for each heap and region that was live before the oldest of these; and the names, each once, at most
//! 16 MiB of messages. It comes from the system, as all of the checker's. While a file is written, some 100 bytes more are taken
//! for each event.

mod event;
mod live;
pub(crate) mod memory;
mod message;
pub(crate) mod names;
mod numbered;
pub(crate) mod once;
mod recorder;
pub(crate) mod story;
mod thread;
mod window;

#[cfg(test)]
pub(crate) mod tests;

use core::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub(crate) use self::event::Moment;
use self::memory::Full;
pub(crate) use self::numbered::spread;
pub(crate) use self::recorder::Recorder;
use self::story::Story;
use crate::lock::Lock;

/// Whether anybody asked for it.
static ON: AtomicBool = AtomicBool::new(false);
static RECORDING: Lock<Recording> = Lock::new(Recording { recorder: Recorder::new(), began: None });

struct Recording {
    recorder: Recorder,
    began: Option<Instant>,
}

impl Recording {
    /// Nanoseconds since it began.
    fn time(&self) -> u64 {
        self.began.map_or(0, |began| u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }
}

/// Records from now on.
pub(crate) fn start() {
    RECORDING.with(|recording| {
        recording.began.get_or_insert_with(Instant::now);
    });
    ON.store(true, Ordering::Release);
}

/// Keeps the newest `events` events.
pub(crate) fn keep(events: usize) {
    RECORDING.with(|recording| recording.recorder.keep(events));
}

/// Whether events are recorded.
pub(crate) fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Records what `event` does, if events are recorded. Waits while another thread writes a file.
pub(crate) fn record<R>(event: impl FnOnce(&mut Recorder, Moment) -> R) -> Option<R> {
    if !is_on() {
        return None;
    }
    let thread = u16::try_from(thread::number()).unwrap_or(u16::MAX);
    RECORDING.with(|recording| {
        let time = recording.time();
        event(&mut recording.recorder, Moment { time, thread })
    })
}

/// Tells the story up to now, while all others that record wait. How many of the events were read, of how many, is told to `reads`.
/// `None` where this thread is recording just now.
pub(crate) fn tell<R>(mut reads: impl FnMut(usize, usize), teller: impl FnOnce(&Story<'_>) -> R) -> Option<Result<R, Full>> {
    RECORDING.with(|recording| {
        let story = Story::of(&recording.recorder, recording.time(), &mut reads)?;
        Ok(teller(&story))
    })
}

/// How many events were dropped, and how many are kept.
pub(crate) fn counts() -> (u64, usize) {
    let counts = RECORDING.with(|recording| (recording.recorder.window().dropped(), recording.recorder.window().len()));
    counts.unwrap_or_default()
}
