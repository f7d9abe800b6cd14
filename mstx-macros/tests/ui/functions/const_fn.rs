#[mstx::region(size = 3)]
pub const fn alloc() -> *mut u8 {
    std::ptr::null_mut()
}

#[mstx::range]
const unsafe fn step() {}

struct Pool;

impl Pool {
    #[mstx::heap_reset(heap = 3)]
    pub(crate) const fn reset(&mut self) {}
}

const NULL: *mut u8 = alloc();

fn main() {
    NULL.addr();
    Pool.reset();
    unsafe { step() };
}
