//! Sizes are unsigned integers. `i32` is not among them: `32 << 30` would silently be 0.

#[mstx::region(size = n)]
fn signed(n: i32) -> *mut u8 {
    std::ptr::without_provenance_mut(n as usize)
}

#[mstx::region(size = n * 1.5)]
fn float(n: f32) -> *mut u8 {
    signed(n as i32)
}

#[mstx::heap(size = "4096")]
fn text() -> *mut u8 {
    signed(1)
}

#[mstx::heap_resize(heap = base, size = more + 1)]
fn wide(base: *mut u8, more: i64) {
    let _ = (base, more);
}

#[mstx::region_unregister(ptr = block, size = layout)]
fn layout(block: *mut u8, layout: std::alloc::Layout) {
    let _ = (block, layout);
}

#[mstx::region_resize(ptr = block, size = Some(new))]
fn option(block: *mut u8, new: u16) -> *mut u8 {
    let _ = new;
    block
}

#[mstx::region(ptr = ret, size = ret.len)]
fn late(len: i32) -> Option<Block> {
    Some(Block { len })
}

#[mstx::region(ptr = block, size = ret)]
fn late_itself(block: *mut u8) -> Result<Block, ()> {
    let _ = block;
    Err(())
}

#[mstx::heap(size = 1.5)]
fn literal() -> *mut u8 {
    signed(1)
}

#[mstx::heap(size = 4096_i32)]
fn suffix() -> *mut u8 {
    signed(1)
}

struct Block {
    len: i32,
}

impl mstx::Regions for Block {
    fn regions(&self, report: &mut mstx::Report<'_>) {
        report.pointer(0);
    }
}

fn main() {}
