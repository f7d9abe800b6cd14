//! The return type does not say where the region is.

struct Handle(u32);

#[mstx::region(size = n)]
fn handle(n: u32) -> Handle {
    Handle(n)
}

#[mstx::region(size = n)]
fn option(n: u32) -> Option<Handle> {
    Some(handle(n))
}

#[mstx::region(size = n)]
fn result(n: u32) -> Result<Vec<Handle>, std::fmt::Error> {
    Ok(vec![handle(n)])
}

#[mstx::heap(size = 4096)]
fn pool() -> Pool {
    Pool { base: std::ptr::null_mut() }
}

#[mstx::region_resize(ptr = block, size = n)]
fn resize(block: *mut u8, n: u32) -> Handle {
    let _ = block;
    handle(n)
}

#[mstx::region(size = n)]
fn integer(n: usize) -> usize {
    n
}

#[mstx::region(size = n)]
fn integer_option(n: usize) -> Option<u64> {
    Some(n as u64)
}

#[mstx::region(size = n)]
fn pair(n: usize) -> (usize, usize) {
    (n, n)
}

#[mstx::region(size = n)]
fn owner(n: usize) -> Box<u8> {
    Box::new(n as u8)
}

#[mstx::region(size = n)]
async fn later(n: usize) -> Result<Handle, ()> {
    Ok(handle(n as u32))
}

#[mstx::region(size = n)]
fn generic<T>(n: usize, make: impl Fn(usize) -> T) -> T {
    make(n)
}

struct Pool {
    base: *mut u8,
}

fn main() {
    pool().base.addr();
}
