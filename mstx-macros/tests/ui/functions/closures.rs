//! A function that returns a closure, where the result is looked at.

#[mstx::region(size = 3)]
fn region() -> impl Fn(&u8) -> u8 {
    |x| *x
}

#[mstx::heap(ptr = base, size = 3)]
fn heap(base: *mut u8) -> Option<impl FnOnce() -> *mut u8> {
    Some(move || base)
}

#[mstx::region_unregister(ptr = block)]
fn free(block: *mut u8) -> Result<impl FnMut(usize) -> usize, ()> {
    Ok(move |n| n + block.addr())
}

#[mstx::region_resize(ptr = block, size = 1)]
fn realloc(block: *mut u8) -> Box<impl Fn() -> *mut u8> {
    Box::new(move || block)
}

#[mstx::heap_resize(heap = base, size = 1)]
fn grow(base: *mut u8) -> impl AsyncFn() -> *mut u8 {
    async move || base
}

// What does not look at the result can be put there.
#[mstx::range]
fn step() -> impl Fn(&u8) -> u8 {
    |x| *x
}

fn main() {
    let block = heap(std::ptr::null_mut()).unwrap()();
    free(realloc(block)()).unwrap()(usize::from(region()(&step()(&3))));
    drop(grow(block)());
}
