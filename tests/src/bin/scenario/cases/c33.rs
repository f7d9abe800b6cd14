//! The first call, from 32 threads at once.

use crate::pool::{MAIN, Pool, SIZE, give_at, take_at};
use std::sync::Barrier;
use std::thread;

const THREADS: usize = 32;

pub(super) fn c33() {
    let gate = Barrier::new(THREADS);
    thread::scope(|scope| {
        for index in 0..THREADS {
            let gate = &gate;
            scope.spawn(move || {
                gate.wait();
                let p = take_at(0x1000 * (index + 1), 64);
                give_at(p.addr());
            });
        }
    });
    Pool::open(&MAIN, 0x10_0000, SIZE).close();
    crate::report::faults();
}
