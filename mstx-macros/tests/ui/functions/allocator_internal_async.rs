#[mstx::allocator_internal]
async fn link() {}

struct Pool;

impl Pool {
    #[mstx::allocator_internal]
    pub async unsafe fn link(&mut self) {}
}

fn main() {
    drop(link());
    let mut pool = Pool;
    drop(unsafe { pool.link() });
}
