//! The way of an event into the books, and of what is left of it to the tool.

use core::sync::atomic::{AtomicBool, Ordering};

use super::books::Shared;
use super::injected::INJECTED;
use super::ledger::plain::{Letter, Rest};
use super::ledger::{Caller, Ledger, TakenList};
use super::lock::Guard;
use super::process::{errno, thread};
use super::send::Outbox;
use super::spans::Spans;
use super::{LEDGER, ONCE, WIRE, WIRED, bodies, check_late, listen, send};

/// Whether something was reported from inside a call to the tool: it is pending then.
static REENTERED: AtomicBool = AtomicBool::new(false);
/// Whether there ever was a deferred heap, in which an event may need the books shared only.
static DEFERRED: AtomicBool = AtomicBool::new(false);

/// A deferred heap was reported.
pub(super) fn has_deferred() {
    DEFERRED.store(true, Ordering::Relaxed);
}

/// Lets something happen to the books, and tells the injected tool of it. `None` where nothing may happen: in a forked child,
/// at the end of the process, or in a call from a tool that the books are just talking to.
pub(crate) fn report<R>(event: impl FnOnce(&mut Ledger) -> R) -> Option<R> {
    alone(|ledger, _| event(ledger))
}

/// One or more regions were handed out.
pub(super) fn register(caller: &Caller, spans: &Spans, size: Option<usize>, device: Option<u32>, plain: bool) {
    let one = spans.only().and_then(|span| Some((span.start, size.or(span.size)?)));
    if one.is_some_and(|(start, size)| shared(|books| books.get().register_shared(caller, start, size))) {
        return;
    }
    alone(|ledger, letter| {
        let plainly = one.and_then(|(start, size)| ledger.register_alone(caller, start, size, letter));
        plainly.unwrap_or_else(|| ledger.register(caller, spans, size, device, plain));
    });
}

/// One or more regions are about to be given back.
pub(super) fn release(caller: &Caller, spans: &Spans, size: Option<usize>, taken: &mut TakenList) {
    let one = spans.only().filter(|span| span.start != 0 && span.size != Some(0) && size != Some(0)).map(|span| span.start);
    if one.is_some_and(|start| shared(|books| books.get().release_shared(caller, start, taken))) {
        return;
    }
    alone(|ledger, letter| {
        let plainly = one.and_then(|start| ledger.release_alone(caller, start, letter, taken));
        plainly.unwrap_or_else(|| ledger.release(caller, spans, size, taken));
    });
}

/// Tries the short way while the books are shared, which is only open in deferred heaps. Returns whether that was all.
fn shared(plainly: impl FnOnce(&Shared<'_, Ledger>) -> Option<Rest>) -> bool {
    if !DEFERRED.load(Ordering::Relaxed) || !ONCE.is_done() || listen::is_never() {
        return false;
    }
    let _errno = errno::Saved::new();
    // The end may come meanwhile; after it the books stay as they are.
    let books = LEDGER.share().filter(|_| !listen::is_never());
    let Some(rest) = books.as_ref().and_then(plainly) else { return false };
    drop(books);
    if let Rest::Relieve(holder) = rest {
        report(|ledger| ledger.relieve_holder(holder));
    }
    true
}

/// Lets something happen to the books. It is told where to write what the tool is to be told of one region at once, if it may.
fn alone<R>(event: impl FnOnce(&mut Ledger, Option<&mut Option<Letter>>) -> R) -> Option<R> {
    if listen::is_never() {
        return None;
    }
    let _errno = errno::Saved::new();
    let _held = bodies::hold_signals();
    // While the tool initialises, and in a call from inside one of its functions, what happens is pending, and whoever talks to
    // the tool sends it afterwards.
    let wired = WIRED.load(Ordering::Acquire) && ONCE.is_done();
    // In a batch hardly anything is sent, and the books are enough.
    let batch = thread::batch();
    let wire = if wired && batch == 0 { WIRE.lock() } else { None };
    let mut letter = None;
    let mut ledger = LEDGER.lock()?;
    // The end may have come while this thread waited.
    if listen::is_never() {
        return None;
    }
    check_late(&mut ledger);
    ledger.enter(batch);
    let result = event(&mut ledger, wire.is_some().then_some(&mut letter));
    ledger.relieve();
    let settled = ledger.pending.is_settled();
    drop(ledger);
    match wire {
        Some(wire) => tell(wire, letter.as_ref(), settled),
        None if wired && !settled && WIRE.is_mine() => REENTERED.store(true, Ordering::Relaxed),
        None if wired && !settled => send(),
        None => {}
    }
    Some(result)
}

/// Tells the tool, to which nobody else talks meanwhile.
fn tell(mut wire: Guard<'_, Outbox>, letter: Option<&Letter>, mut settled: bool) {
    if let Some(letter) = letter {
        settled = send::send_letter(letter);
        // Only this thread can have reported anything meanwhile.
        if REENTERED.load(Ordering::Relaxed) {
            REENTERED.store(false, Ordering::Relaxed);
            settled = false;
        }
    }
    if !settled {
        send::drain(&INJECTED, &mut wire);
    }
}
