//! The way of an event into the books, and of what is left of it to the tool.

use core::cell::RefCell;
use core::sync::atomic::{AtomicBool, Ordering};

use super::books::Shared;
use super::injected::INJECTED;
use super::ledger::plain::{Letter, Rest};
use super::ledger::{Caller, Ledger, TakenList};
use super::lock::Guard;
use super::process::{errno, thread};
use super::send::Outbox;
use super::spans::Spans;
use super::{LEDGER, ONCE, WIRE, WIRED, check_late, listen, send};

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
    either(|_, _| None, event)
}

/// One or more regions were handed out.
pub(super) fn register(caller: &Caller, spans: &Spans, size: Option<usize>, device: Option<u32>, plain: bool) {
    let one = spans.only().and_then(|span| Some((span.start, size.or(span.size)?)));
    if let Some((start, size)) = one {
        if shared(|books| books.get().register_shared(caller, start, size)) {
            return;
        }
    }
    either(
        |ledger, letter| {
            let (start, size) = one?;
            ledger.register_alone(caller, start, size, letter).map(|rest| ((), rest))
        },
        |ledger| ledger.register(caller, spans, size, device, plain),
    );
}

/// One or more regions are about to be given back.
pub(super) fn release(caller: &Caller, spans: &Spans, size: Option<usize>, taken: &mut TakenList) {
    let one = spans.only().filter(|span| span.start != 0 && span.size != Some(0) && size != Some(0)).map(|span| span.start);
    if let Some(start) = one {
        if shared(|books| books.get().release_shared(caller, start, taken)) {
            return;
        }
    }
    // One of the two ways is gone.
    let taken = RefCell::new(taken);
    either(
        |ledger, letter| ledger.release_alone(caller, one?, letter, &mut taken.borrow_mut()).map(|rest| ((), rest)),
        |ledger| ledger.release(caller, spans, size, &mut taken.borrow_mut()),
    );
}

/// Tries the short way while the books are shared, which is only open in deferred heaps.
/// Whether it was that.
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

/// Tries the short way first, which is told where to write what is to be sent at once, if it may; then the long one.
fn either<R>(
    plainly: impl FnOnce(&mut Ledger, Option<&mut Option<Letter>>) -> Option<(R, Rest)>,
    event: impl FnOnce(&mut Ledger) -> R,
) -> Option<R> {
    if listen::is_never() {
        return None;
    }
    let _errno = errno::Saved::new();
    // While the tool initialises, and in a call from inside one of its functions, what happens is pending, and whoever talks to
    // the tool sends it afterwards.
    let wired = WIRED.load(Ordering::Acquire) && ONCE.is_done();
    // In a batch hardly anything is sent, and the books are enough.
    let batch = thread::batch();
    let mut wire = if wired && batch == 0 { WIRE.lock() } else { None };
    let mut ledger = LEDGER.lock()?;
    // The end may have come while this thread waited.
    if listen::is_never() {
        return None;
    }
    check_late(&mut ledger);
    ledger.enter(batch);
    let (result, rest) = plainly(&mut ledger, wire.as_mut().map(|wire| &mut wire.letter)).unwrap_or_else(|| (event(&mut ledger), Rest::Nothing));
    ledger.relieve();
    let settled = ledger.pending.is_settled();
    drop(ledger);
    match wire {
        Some(wire) => tell(wire, &rest, settled),
        None if wired && !settled && WIRE.is_mine() => REENTERED.store(true, Ordering::Relaxed),
        None if wired && !settled => send(),
        None => {}
    }
    Some(result)
}

/// Tells the tool, to which nobody else talks meanwhile.
fn tell(mut wire: Guard<'_, Outbox>, rest: &Rest, settled: bool) {
    let mut settled = settled;
    if let Rest::Send = rest {
        settled = send::send_letter(&mut wire);
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
