#[mstx::region(size = 3)]
struct Block {
    base: *mut u8,
}

#[mstx::heap]
mod pool {}

#[mstx::heap_reset(heap = self)]
impl Block {
    fn reset(&mut self) {}
}

#[mstx::range]
const STEP: u8 = 3;

#[mstx::flush]
static LAUNCH: fn() = || ();

#[mstx::allocator_internal]
trait Link {}

#[mstx::range]
use std::ptr;

#[mstx::batsh]
fn other() {}

fn main() {
    Block { base: ptr::null_mut() }.reset();
    LAUNCH();
    other();
}
