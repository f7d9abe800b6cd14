//! Every way out of a body.

use std::cell::Cell;
use std::ptr::NonNull;

struct Pool {
    base: usize,
    top: Cell<usize>,
}

impl Pool {
    fn take(&self, n: usize) -> Option<NonNull<u8>> {
        let at = self.top.get();
        self.top.set(at + n);
        NonNull::new((self.base + at) as *mut u8)
    }
}

#[mstx::region(size = n)]
fn alloc(pool: &Pool, n: usize, classes: &[usize]) -> Option<NonNull<u8>> {
    let round = |want: usize| -> usize {
        if want < 16 {
            return 16;
        }
        want
    };
    if n == 0 {
        return None;
    }
    let smallest = classes.first().copied()?;
    if n > 1024 {
        return pool.take(round(n));
    }
    'pick: {
        for c in classes {
            if *c >= n {
                break 'pick pool.take(round(*c));
            }
        }
        pool.take(round(n.max(smallest)))
    }
}

pub(super) fn c03() {
    let p = Pool { base: 4096, top: Cell::new(0) };
    assert!(alloc(&p, 0, &[8]).is_none() && alloc(&p, 8, &[]).is_none());
    for n in [1, 8, 64, 2000] {
        assert!(alloc(&p, n, &[8, 32]).is_some());
    }
    crate::report::faults();
}
