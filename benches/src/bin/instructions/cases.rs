//! The functions that are counted: each with its attribute and without.

use core::hint::black_box;
use core::ptr::NonNull;

use mstx_benches::thin::Pool;

use crate::pair::{Pair, twins};

type Alloc = fn(&Pool, usize) -> Option<NonNull<u8>>;
type AllocSlice = fn(&Pool, usize) -> NonNull<[u8]>;
type Free = fn(&Pool, NonNull<u8>);
type Resize = fn(&Pool, NonNull<u8>, usize) -> Option<NonNull<u8>>;
type Reset = fn(&Pool);

twins! {
    /// The size is a parameter.
    mod region_size: Alloc = |call, pool| call(pool, 8);
    [mstx::region(heap = pool.base(), size = size)]
    fn(pool: &Pool, size: usize) -> Option<NonNull<u8>> { pool.take(size, MARK) }
}

twins! {
    /// The same, and the body is a call.
    mod region_size_calling: Alloc = |call, pool| call(pool, 8);
    [mstx::region(heap = pool.base(), size = size)]
    fn(pool: &Pool, size: usize) -> Option<NonNull<u8>> { pool.take_elsewhere(size, MARK) }
}

twins! {
    /// Address and size are what is returned.
    mod region_returned: AllocSlice = |call, pool| call(pool, 8);
    [mstx::region]
    fn(pool: &Pool, size: usize) -> NonNull<[u8]> { pool.take_slice(size, MARK) }
}

twins! {
    /// The same, and the body is a call.
    mod region_returned_calling: AllocSlice = |call, pool| call(pool, 8);
    [mstx::region]
    fn(pool: &Pool, size: usize) -> NonNull<[u8]> { pool.take_slice_elsewhere(size, MARK) }
}

twins! {
    mod unregister: Free = |call, pool| call(pool, pool.base());
    [mstx::region_unregister(ptr = piece)]
    fn(pool: &Pool, piece: NonNull<u8>) { pool.put(piece, MARK) }
}

twins! {
    mod unregister_calling: Free = |call, pool| call(pool, pool.base());
    [mstx::region_unregister(ptr = piece)]
    fn(pool: &Pool, piece: NonNull<u8>) { pool.put_elsewhere(piece, MARK) }
}

twins! {
    mod resize: Resize = |call, pool| call(pool, pool.base(), 8);
    [mstx::region_resize(heap = pool.base(), ptr = piece, size = size)]
    fn(pool: &Pool, piece: NonNull<u8>, size: usize) -> Option<NonNull<u8>> { pool.put(piece, MARK); pool.take(size, MARK) }
}

twins! {
    mod resize_calling: Resize = |call, pool| call(pool, pool.base(), 8);
    [mstx::region_resize(heap = pool.base(), ptr = piece, size = size)]
    fn(pool: &Pool, piece: NonNull<u8>, size: usize) -> Option<NonNull<u8>> {
        pool.put(piece, MARK);
        pool.take_elsewhere(size, MARK)
    }
}

twins! {
    mod reset: Reset = |call, pool| call(pool);
    [mstx::heap_reset(heap = pool.base())]
    fn(pool: &Pool) { pool.set(MARK) }
}

twins! {
    mod reset_calling: Reset = |call, pool| call(pool);
    [mstx::heap_reset(heap = pool.base())]
    fn(pool: &Pool) { pool.put_elsewhere(pool.base(), MARK) }
}
