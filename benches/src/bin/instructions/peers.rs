//! Others whose cost is known to people: what they add to a function while nobody listens.

use core::hint::black_box;
use core::ptr::NonNull;

use crate::pair::{Pair, twins};
use mstx_benches::thin::Pool;

type Alloc = fn(&Pool, usize) -> Option<NonNull<u8>>;

twins! {
    mod instrument: Alloc = |call, pool| call(pool, 8);
    [tracing::instrument(skip_all)]
    fn(pool: &Pool, size: usize) -> Option<NonNull<u8>> { pool.take(size, MARK) }
}

twins! {
    mod instrument_ret: Alloc = |call, pool| call(pool, 8);
    [tracing::instrument(skip_all, ret)]
    fn(pool: &Pool, size: usize) -> Option<NonNull<u8>> { pool.take(size, MARK) }
}

#[cfg(feature = "tracy")]
pub(crate) mod tracy {
    use super::{Alloc, NonNull, Pair, Pool, black_box};

    #[inline(never)]
    fn with(pool: &Pool, size: usize) -> Option<NonNull<u8>> {
        let _span = tracy_client::span!("alloc");
        pool.take(size, 0x1001)
    }

    #[inline(never)]
    fn without(pool: &Pool, size: usize) -> Option<NonNull<u8>> {
        pool.take(size, 0x1002)
    }

    fn run(pool: &Pool, times: usize) {
        let both: [Alloc; 2] = [with, without];
        for call in both.map(black_box) {
            for _ in 0..times {
                let _ = black_box(call(pool, 8));
            }
        }
    }

    pub(crate) const PAIR: Pair =
        Pair { with: concat!(module_path!(), "::with"), without: concat!(module_path!(), "::without"), run };
}

/// Starts what waits for a listener.
pub(crate) fn prepare() {
    #[cfg(feature = "tracy")]
    let _ = tracy_client::Client::start();
}

pub(crate) mod c_client {
    //! `c/thin.c`.

    use super::{Pair, Pool, black_box};

    pub(crate) const PAIR: Pair = Pair { with: "mstx_bench_thin_client", without: "mstx_bench_thin", run };

    fn run(_: &Pool, times: usize) {
        for call in mstx_benches::client::THIN.map(black_box) {
            for _ in 0..times {
                black_box(call(8));
            }
        }
    }
}
