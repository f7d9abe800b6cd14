//! Client requests: what a program under Valgrind can ask of it.
//!
//! A request is a sequence of instructions that does nothing on a processor. The numbers are those of `valgrind.h` and `memcheck.h`,
//! which have not changed since Valgrind 3.7.
#![allow(unsafe_code, reason = "written in the processor's language")]

use core::ops::Range;

const CHANGE_ERR_DISABLEMENT: usize = 0x1801;
const MALLOCLIKE_BLOCK: usize = 0x1301;
const FREELIKE_BLOCK: usize = 0x1302;
const CREATE_MEMPOOL: usize = 0x1303;
const DESTROY_MEMPOOL: usize = 0x1304;
const MEMPOOL_ALLOC: usize = 0x1305;
const MEMPOOL_FREE: usize = 0x1306;
const MEMPOOL_CHANGE: usize = 0x1309;
const RESIZEINPLACE_BLOCK: usize = 0x130b;
const MAKE_MEM_NOACCESS: usize = 0x4d43_0000;
const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
const MAKE_MEM_DEFINED: usize = 0x4d43_0002;
const GET_VBITS: usize = 0x4d43_0008;
const ENABLE_ADDR_ERROR_REPORTING_IN_RANGE: usize = 0x4d43_000d;
const DISABLE_ADDR_ERROR_REPORTING_IN_RANGE: usize = 0x4d43_000e;

/// Makes a request. Without Valgrind, and where the tool does not know it, the answer is 0.
#[cfg(all(target_arch = "x86_64", unix, not(miri)))]
fn request(number: usize, arguments: [usize; 4]) -> usize {
    let [a, b, c, d] = arguments;
    let request = [number, a, b, c, d, 0];
    let answer;
    // SAFETY: the rotations add up to nothing and the exchange is one of a register with itself. Valgrind reads the request.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") request.as_ptr(), inout("rdx") 0_usize => answer, options(nostack),
        );
    }
    answer
}

#[cfg(all(target_arch = "aarch64", unix, not(miri)))]
fn request(number: usize, arguments: [usize; 4]) -> usize {
    let [a, b, c, d] = arguments;
    let request = [number, a, b, c, d, 0];
    let answer;
    // SAFETY: the rotations add up to nothing, and so does a register or itself. Valgrind reads the request.
    unsafe {
        core::arch::asm!(
            "ror x12, x12, #3", "ror x12, x12, #13", "ror x12, x12, #51", "ror x12, x12, #61", "orr x10, x10, x10",
            in("x4") request.as_ptr(), inout("x3") 0_usize => answer, options(nostack),
        );
    }
    answer
}

#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), unix, not(miri))))]
fn request(_: usize, _: [usize; 4]) -> usize {
    0
}

/// Whether this runs under memcheck. Other tools of Valgrind's do not know its requests.
pub(super) fn is_memcheck() -> bool {
    request(MAKE_MEM_NOACCESS, [0; 4]) != 0
}

/// Nothing that this thread does is an error until [`enable`].
pub(super) fn disable() {
    request(CHANGE_ERR_DISABLEMENT, [1, 0, 0, 0]);
}

/// Ends one [`disable`].
pub(super) fn enable() {
    request(CHANGE_ERR_DISABLEMENT, [usize::MAX, 0, 0, 0]);
}

/// No access to it by any thread is an error until [`heed`].
pub(super) fn ignore(range: &Range<usize>) {
    request(DISABLE_ADDR_ERROR_REPORTING_IN_RANGE, [range.start, range.len(), 0, 0]);
}

/// Ends [`ignore`].
pub(super) fn heed(range: &Range<usize>) {
    request(ENABLE_ADDR_ERROR_REPORTING_IN_RANGE, [range.start, range.len(), 0, 0]);
}

/// Nobody may access it.
pub(super) fn no_access(start: usize, size: usize) {
    request(MAKE_MEM_NOACCESS, [start, size, 0, 0]);
}

/// It may be accessed, and holds nothing yet.
pub(super) fn undefined(start: usize, size: usize) {
    request(MAKE_MEM_UNDEFINED, [start, size, 0, 0]);
}

/// It may be accessed, and holds something.
pub(super) fn defined(start: usize, size: usize) {
    request(MAKE_MEM_DEFINED, [start, size, 0, 0]);
}

/// Whether a byte may be accessed.
pub(super) fn is_accessible(address: usize) -> bool {
    let mut bits = 0_u8;
    request(GET_VBITS, [address, (&raw mut bits).expose_provenance(), 1, 0]) == 1
}

/// A block begins, which holds something where `zeroed`.
pub(super) fn block(start: usize, size: usize, zeroed: bool) {
    request(MALLOCLIKE_BLOCK, [start, size, 0, usize::from(zeroed)]);
}

/// A block ends.
pub(super) fn unblock(start: usize) {
    request(FREELIKE_BLOCK, [start, 0, 0, 0]);
}

/// A block has another size. Where there is no such block nothing happens, if errors are disabled.
pub(super) fn resize(start: usize, old: usize, new: usize) {
    request(RESIZEINPLACE_BLOCK, [start, old, new, 0]);
}

/// Blocks that may begin where a block of `malloc`'s begins are kept in a pool, whose name is `pool`.
///
/// Addresses up to `zone` bytes beside its blocks are named by them. When a block ends, nobody may access these bytes.
pub(super) fn pool(pool: usize, zone: usize) {
    request(CREATE_MEMPOOL, [pool, zone, 0, 0]);
}

/// The pool and its blocks end.
pub(super) fn unpool(pool: usize) {
    request(DESTROY_MEMPOOL, [pool, 0, 0, 0]);
}

/// A block of a pool begins.
pub(super) fn pool_block(pool: usize, start: usize, size: usize) {
    request(MEMPOOL_ALLOC, [pool, start, size, 0]);
}

/// A block of a pool has another size.
pub(super) fn pool_resize(pool: usize, start: usize, size: usize) {
    request(MEMPOOL_CHANGE, [pool, start, start, size]);
}

/// A block of a pool ends.
pub(super) fn pool_unblock(pool: usize, start: usize) {
    request(MEMPOOL_FREE, [pool, start, 0, 0]);
}
