//! What says where a region is.

struct Handle(u32);

#[mstx::region_unregister(ptr = block)]
fn free(block: Handle) {
    let _ = block.0;
}

#[mstx::region_unregister(ptr = block.0 + 1)]
fn free_number(block: Handle) {
    let _ = block.0;
}

#[mstx::region_resize(ptr = &blocks[first], size = 1)]
fn realloc(blocks: &[Handle], first: usize) {
    let _ = (blocks, first);
}

#[mstx::region(ptr = ret, size = 1)]
fn alloc() -> Option<Handle> {
    None
}

#[mstx::region(ptr = ret.name, size = 1)]
fn alloc_named() -> Result<Named, ()> {
    Err(())
}

#[mstx::region(ptr = { let all = ret; &all.name }, size = 1)]
fn alloc_block() -> Result<Named, ()> {
    Err(())
}

#[mstx::heap(ptr = base, size = 1)]
fn new(base: i64) {
    let _ = base;
}

struct Named {
    name: std::ffi::CString,
}

fn main() {
    drop(alloc_block());
    drop(alloc_named());
}
