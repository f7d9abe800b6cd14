//! Beginnings and ends: before `main`, after it, exits, forks.

use crate::pool::{BASE, MAIN, OTHER, Pool, SIZE, open};
use crate::report::faults;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

crate::scenarios![
    nothing,
    one_region,
    init_first,
    before_main,
    after_main,
    in_exit_handler_that_comes_first,
    in_thread_locals_of_main,
    exit_in_another_thread,
    exit_in_tool_call,
    returns_with_live_regions,
    child_is_silent,
    grandchild_is_silent,
    renamed,
    privileged,
];

fn nothing() {}

fn one_region() {
    let pool = open();
    pool.take(0x100, 64);
    pool.give(0x100);
    pool.close();
    println!("{}", mstx::status());
}

fn init_first() {
    println!("{} {}", mstx::init(), mstx::init());
    one_region();
}

/// The pool that exists before `main`.
const EARLY: Pool = Pool::new(&OTHER, 0x20000, SIZE);

/// Runs before `main` in every scenario, and does something in one.
extern "C" fn constructor() {
    // SAFETY: the name is a C string; no other thread is there to change the environment.
    if unsafe { libc::getenv(c"SCENARIO_BEFORE_MAIN".as_ptr()) }.is_null() {
        return;
    }
    Pool::open(&OTHER, 0x20000, SIZE);
    EARLY.take(0x100, 64);
    EARLY.take(0x200, 64);
    EARLY.give(0x100);
}

#[used]
// SAFETY: the section holds pointers to functions of this type.
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: extern "C" fn() = constructor;

fn before_main() {
    EARLY.give(0x200);
    EARLY.close();
    one_region();
    faults();
}

/// Registers an exit handler.
fn at_exit(handler: extern "C" fn()) {
    // SAFETY: the handler does nothing that may not be done then: this is what is tested.
    assert_eq!(unsafe { libc::atexit(handler) }, 0);
}

extern "C" fn late() {
    let pool = Pool::new(&MAIN, BASE, SIZE);
    pool.give(0x100);
    pool.take(0x200, 64);
    mstx::mark("late");
    drop(mstx::range("late"));
    pool.close();
    open().take(0x300, 64);
    println!("late: {}", mstx::status());
}

/// The program's handler was registered before the tool came, so it runs after the end.
fn after_main() {
    at_exit(late);
    open().take(0x100, 64);
}

/// It was registered after the tool came, so it runs before the end.
fn in_exit_handler_that_comes_first() {
    let pool = open();
    pool.take(0x100, 64);
    at_exit(late);
}

struct Last;

impl Drop for Last {
    fn drop(&mut self) {
        let pool = Pool::new(&MAIN, BASE, SIZE);
        pool.give(0x100);
        pool.take(0x200, 64);
    }
}

thread_local! {
    static LAST: Last = const { Last };
}

/// The destructors of the main thread's locals run at exit, among the exit handlers.
fn in_thread_locals_of_main() {
    LAST.with(|_| ());
    open().take(0x100, 64);
}

fn churn(pool: Pool, offset: usize) -> ! {
    loop {
        pool.take(offset, 64);
        pool.give(offset);
    }
}

fn exit_in_another_thread() {
    let pool = open();
    for index in 1..4 {
        thread::spawn(move || churn(pool, index * 0x100));
    }
    thread::spawn(|| {
        thread::sleep(Duration::from_millis(20));
        std::process::exit(0);
    });
    churn(pool, 0);
}

/// Has the stub call a function.
pub(crate) fn call_back(function: extern "C" fn()) {
    // SAFETY: no other thread is there to read the environment.
    unsafe { std::env::set_var("MSTX_STUB_CALLBACK", (function as usize).to_string()) };
}

extern "C" fn exit_now() {
    println!("exit");
    std::process::exit(0);
}

fn exit_in_tool_call() {
    call_back(exit_now);
    let pool = open();
    pool.take(0x100, 64);
    println!("not reached");
}

fn returns_with_live_regions() {
    let pool = open();
    pool.take_many(&[0x100, 0x200], 64);
    thread::spawn(move || {
        pool.take(0x300, 64);
        thread::sleep(Duration::from_secs(60));
    });
    while crate::stub::calls(crate::stub::REGIONS_REGISTERED) < 3 {
        thread::yield_now();
    }
}

/// Runs `body` in a forked child, and waits for it.
pub(crate) fn in_child(body: impl FnOnce()) {
    // SAFETY: no other thread is there that could hold a lock.
    let child = unsafe { libc::fork() };
    if child == 0 {
        body();
        std::process::exit(0);
    }
    let mut status = -1;
    // SAFETY: the child is ours, and `status` is valid for the write.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0, "the child ended as it should");
}

fn use_everything(pool: Pool) {
    pool.give(0x100);
    pool.take(0x200, 64);
    pool.reset();
    mstx::mark("child");
    drop(mstx::range("child"));
    pool.close();
    mstx::flush();
    println!("child: {} {}; {} faults", mstx::init(), mstx::status(), mstx::fault_count());
}

fn child_is_silent() {
    let pool = open();
    pool.take(0x100, 64);
    let range = mstx::range("parent");
    in_child(|| {
        use_everything(pool);
        drop(range);
    });
    pool.give(0x100);
    pool.close();
    println!("parent: {}; {} faults", mstx::status(), mstx::fault_count());
}

fn grandchild_is_silent() {
    let pool = open();
    pool.take(0x100, 64);
    in_child(|| in_child(|| use_everything(pool)));
    pool.give(0x100);
    pool.close();
}

mstx::domain! {
    static FIRST = "first";
    static SECOND = "second";
    static FOURTH = "third";
}

fn renamed() {
    let pools = [&FIRST, &SECOND, &FOURTH].map(|domain| {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        Pool::open(domain, 0x10000 * NEXT.fetch_add(1, Relaxed) as usize, SIZE)
    });
    for pool in pools {
        pool.take(0x100, 64);
        pool.give(0x100);
        pool.close();
    }
    for domain in mstx::domains().filter(|domain| ["first", "second", "third"].contains(&domain.name())) {
        println!("{} {:?}", domain.name(), domain.renamed());
    }
    faults();
}

fn privileged() {
    // SAFETY: no conditions.
    println!("secure={}", unsafe { libc::getauxval(libc::AT_SECURE) });
    one_region();
}
