macro_rules! wait {
    ($future:expr) => {
        $future.await
    };
}

#[mstx::allocator_internal]
async fn link() {
    wait!(std::future::ready(()));
}

struct Pool;

impl Pool {
    #[mstx::allocator_internal]
    pub async unsafe fn link(&mut self) {
        join!(link(), link());
    }
}

macro_rules! join {
    ($($future:expr),*) => {
        $($future.await;)*
    };
}
use join;

fn main() {
    drop(link());
    let mut pool = Pool;
    drop(unsafe { pool.link() });
}
