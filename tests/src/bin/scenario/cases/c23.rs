//! Frees that arrive while the thread's locals are being torn down.

use crate::stub;
use std::cell::RefCell;

struct Pool;

#[mstx::region(size = 32)]
fn take(pool: &Pool) -> *mut u8 {
    let _ = pool;
    Box::into_raw(Box::new([0_u8; 32])).cast()
}

#[mstx::region_unregister(ptr = p)]
fn put(pool: &Pool, p: *mut u8) {
    let _ = pool;
    // SAFETY: it came from `take`, and is given back once.
    drop(unsafe { Box::from_raw(p.cast::<[u8; 32]>()) });
}

static POOL: Pool = Pool;

struct Keep(*mut u8);

impl Drop for Keep {
    fn drop(&mut self) {
        put(&POOL, self.0);
        put(&POOL, take(&POOL));
    }
}

thread_local! {
    static A: RefCell<Option<Keep>> = const { RefCell::new(None) };
    static B: RefCell<Option<Keep>> = const { RefCell::new(None) };
}

pub(super) fn c23() {
    // One thread touches the user's local first, the other the reporter's first.
    for first in [true, false] {
        let thread = std::thread::spawn(move || {
            if first {
                A.with(|a| a.borrow_mut().is_none());
            }
            let p = take(&POOL);
            A.with(|a| *a.borrow_mut() = Some(Keep(p)));
            B.with(|b| *b.borrow_mut() = Some(Keep(take(&POOL))));
        });
        assert!(thread.join().is_ok());
        println!("{} {}", stub::calls(stub::REGIONS_REGISTERED), stub::calls(stub::REGIONS_UNREGISTERED));
    }
    crate::report::faults();
}
