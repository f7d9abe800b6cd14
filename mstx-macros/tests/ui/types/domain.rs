const NAME: &str = "pool";

#[mstx::range(domain = NAME)]
fn text() {}

#[mstx::region(domain = index + 1, size = 1)]
fn number(index: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(index)
}

#[mstx::heap_reset(heap = pool, domain = Some(POOL))]
fn option(pool: *mut u8) {
    let _ = pool;
}

#[mstx::range(domain = b"pool")]
fn bytes() {}

mstx::domain!(static POOL = "pool");

fn main() {}
