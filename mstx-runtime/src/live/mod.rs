//! Everything that exists only where reporting is on.
//!
//! An event comes from an annotated function (`call`) or a plain call (`api`), goes into the books (`report`, `ledger`) and from there
//! to the tools in the process at once, and to the injected tool through what is pending (`send`).

mod annotate;
pub(crate) mod backend;
mod bodies;
mod books;
pub(crate) mod call;
pub(crate) mod copies;
pub mod foreign;
pub(crate) mod injected;
pub(crate) mod ledger;
pub(crate) mod listen;
mod lock;
pub(crate) mod memory;
pub(crate) mod message;
mod operations;
pub(crate) mod process;
pub(crate) mod raw;
mod report;
mod send;
mod sites;
pub(crate) mod spans;
mod sync;

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::time::Duration;

use self::books::Books;
use self::injected::INJECTED;
use self::ledger::Ledger;
use self::lock::Lock;
use self::process::once::{Entry, Once};
use self::report::report;
use self::process::{errno, exit, fork, single, stderr, system, thread, variables};
use self::send::Outbox;
use crate::declare::Builtin;
use crate::tool::Tool;
use crate::{Status, ToolStatus};

/// The injected tool, and what is on its way to it. This lock is taken before that of the books.
static WIRE: Lock<Outbox> = Lock::new(Outbox::new());
/// The books.
static LEDGER: Books<Ledger> = Books::new(Ledger::new());
/// Whether an injected tool listens.
static WIRED: AtomicBool = AtomicBool::new(false);
/// What became of the injected tool.
static TOOL: Lock<ToolStatus> = Lock::new(ToolStatus::None);
/// Whether `MSTX_CHECK` asks for the checker.
static CHECKED: AtomicBool = AtomicBool::new(false);
static ONCE: Once = Once::new(AtomicUsize::new(0));

/// Initialises, once. Other threads wait until it is done. Returns whether anybody listens.
#[cold]
pub(crate) fn init() -> bool {
    let _errno = errno::Saved::new();
    let process = system::process();
    // A child that was forked while its parent initialised would wait for a thread that it does not have.
    let patience = || {
        std::thread::sleep(Duration::from_millis(1));
        system::process() == process && !listen::is_never()
    };
    match ONCE.enter(thread::identity(), patience) {
        Entry::First => initialise(),
        // The tool calls back while it initialises: what it does is booked, and told to it afterwards.
        Entry::Reentered => true,
        Entry::Done => listens(),
        Entry::Abandoned => false,
    }
}

fn initialise() -> bool {
    fork::watch();
    single::look();
    variables::complain();
    let joined = copies::join();
    // Inside of an injected tool, that tool itself would be found; and it says itself who listens.
    let alone = joined || copies::is_kept();
    let status = if alone { ToolStatus::None } else { attach() };
    let checked = !alone && check();
    let somebody = joined || checked || matches!(status, ToolStatus::Attached { .. });
    if let Some(mut tool) = TOOL.lock() {
        *tool = status;
    }
    if somebody && !joined {
        copies::publish();
    }
    if somebody {
        exit::watch();
    }
    listen::set(somebody);
    ONCE.finish();
    if WIRED.load(Ordering::Acquire) {
        send();
    }
    somebody && !listen::is_never()
}

/// Lets the injected tool in. What it makes the program report meanwhile waits in the books.
fn attach() -> ToolStatus {
    if let Some(mut ledger) = LEDGER.lock() {
        ledger.wire();
    }
    let status = injected::load::attach();
    let attached = matches!(status, ToolStatus::Attached { .. });
    WIRED.store(attached, Ordering::Release);
    if !attached {
        if let Some(mut ledger) = LEDGER.lock() {
            ledger.unwire();
        }
    }
    status
}

/// Lets the checker in, where `MSTX_CHECK` asks for it. Where it is asked for and not there (yet: its constructor may not have
/// run, if this is before `main`), the books are kept all the same.
fn check() -> bool {
    if !variables::wants_check() {
        return false;
    }
    CHECKED.store(true, Ordering::Relaxed);
    if let Some(mut ledger) = LEDGER.lock() {
        check_again(&mut ledger);
    }
    true
}

/// Attaches the checker, if it is there by now.
#[cold]
fn check_again(ledger: &mut Ledger) {
    for builtin in inventory::iter::<Builtin> {
        if let Some(tool) = (builtin.0)() {
            ledger.attach(tool);
        }
    }
}

/// What could not be done when the runtime was initialised, since that was before `main`, is done now.
pub(crate) fn complete() {
    if let Some(mut ledger) = LEDGER.lock() {
        check_late(&mut ledger);
    }
}

/// Attaches the checker where it was asked for and was not there.
fn check_late(ledger: &mut Ledger) {
    if CHECKED.load(Ordering::Relaxed) && !ledger.has_tools() {
        check_again(ledger);
    }
}

/// Whether anybody listens, now that it is known.
fn listens() -> bool {
    !listen::is_never() && (WIRED.load(Ordering::Acquire) || copies::joined() || has_tools() || CHECKED.load(Ordering::Relaxed))
}

fn has_tools() -> bool {
    LEDGER.lock().is_some_and(|ledger| ledger.has_tools())
}

/// Whether the built-in checker listens.
pub(crate) fn is_checked() -> bool {
    let tools = LEDGER.lock().map(|ledger| ledger.listeners());
    tools.into_iter().flatten().flatten().any(Tool::is_checker)
}

/// Opens a batch in this thread: what its calls report is held back until it ends. Batches inside of it are part of it.
pub(crate) fn open_batch() {
    if !listen::is_never() {
        thread::open_batch();
    }
}

/// The end of a batch.
pub(crate) fn close_batch() {
    if let Some(batch) = thread::leave_batch() {
        report(|ledger| ledger.end_batch(batch));
    }
}

/// Sends everything that is pending, of all threads.
pub(crate) fn flush() {
    report(Ledger::flush);
    // In a batch the books were enough for that; but when this returns, the tool has been told.
    send();
}

/// Sends what is pending.
fn send() {
    if WIRED.load(Ordering::Acquire) {
        if let Some(mut wire) = WIRE.lock() {
            send::drain(&INJECTED, &mut wire);
        }
    }
}

/// The process is ending: what is pending goes out, and nothing follows.
pub(crate) fn end() {
    if listen::is_never() {
        return;
    }
    let _errno = errno::Saved::new();
    // Waits for a call to the tool that another thread is in. Where this thread is in one itself (a tool that ends the
    // process), nothing more is sent.
    let mut wire = WIRE.lock();
    let tools = LEDGER.lock().map(|ledger| ledger.listeners());
    for tool in tools.into_iter().flatten().flatten() {
        tool.before_end();
    }
    listen::never();
    if let Some(wire) = wire.as_mut().filter(|_| WIRED.load(Ordering::Acquire)) {
        if let Some(mut ledger) = LEDGER.lock() {
            ledger.flush();
        }
        send::drain(&INJECTED, wire);
    }
    let wired = WIRED.swap(false, Ordering::AcqRel);
    if let Some(mut status) = TOOL.lock() {
        *status = ToolStatus::Ended;
    }
    complete();
    if wired && injected::load::asked().is_some() && backend::domain(0).is_none() {
        stderr::line(format_args!(
            "mstx: a tool listens, but no domain is declared in this program, and nothing was reported: is the library with the pool \
             mentioned anywhere in it?"
        ));
    }
    let tools = LEDGER.lock().map(|ledger| ledger.listeners());
    if CHECKED.load(Ordering::Relaxed) && tools.is_some_and(|tools| tools[0].is_none()) {
        stderr::line(format_args!(
            "mstx: MSTX_CHECK is set, but the checker is not in this program: build it with the feature `checker` of `mstx`"
        ));
    }
    drop(wire);
    for tool in tools.into_iter().flatten().flatten() {
        tool.end();
    }
}

/// Adds a tool in the process; it is told what is live already. `false` where it listens already, or there is no place.
/// `late`: events may have gone by before, when nobody listened; what the books do not know may be fine then.
pub(crate) fn attach_tool(tool: &'static dyn Tool, late: bool) -> bool {
    // Whoever may listen otherwise is asked first, so that books that are kept already are these.
    let first = !listen::listening();
    if listen::is_never() {
        return false;
    }
    let attached = LEDGER.lock().is_some_and(|mut ledger| {
        if first && late {
            ledger.begin_late();
        }
        ledger.attach(tool)
    });
    if attached && first {
        copies::publish();
        exit::watch();
    }
    if attached {
        listen::set(true);
    }
    attached
}

/// Whether events may have gone by already.
pub(crate) fn is_late() -> bool {
    ONCE.is_done()
}

/// What the runtime says of itself.
pub(crate) fn status() -> Status {
    let tool = match (fork::is_child(), TOOL.lock()) {
        (true, _) => ToolStatus::Forked,
        (false, Some(tool)) => *tool,
        (false, None) => ToolStatus::None,
    };
    let refused = LEDGER.lock().map_or(0, |ledger| ledger.domains.refused());
    Status { build: crate::BUILD, tool, checker: has_tools(), shared: copies::joined(), refused, listening: listen::listening() }
}
