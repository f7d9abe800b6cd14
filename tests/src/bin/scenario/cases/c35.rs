//! The tool is not there: who says so?

use std::env::var_os;

struct Pool;

static POOL: Pool = Pool;

#[mstx::region(size = 32)]
fn take(pool: &Pool) -> *mut u8 {
    let _ = pool;
    0x10000 as *mut u8
}

#[mstx::region_unregister(ptr = p)]
fn put(pool: &Pool, p: *mut u8) {
    let _ = (pool, p);
}

pub(super) fn c35() {
    let p = take(&POOL);
    put(&POOL, p);
    println!("done");
    if var_os("ASK").is_some() {
        eprintln!("status: {}", mstx::status());
    }
}
