//! Times of annotated functions while nobody listens. For counts of instructions there is the program `instructions`.
#![allow(missing_docs, reason = "what divan's macros make")]

use std::ptr::NonNull;

use divan::{Bencher, black_box};
use mstx_benches::thin::Pool;

fn main() {
    // Divan judges by the first call how many make a sample; that one is not to look for a tool.
    mstx::init();
    divan::main();
}

#[inline(never)]
fn plain(pool: &Pool, size: usize) -> Option<NonNull<u8>> {
    pool.take_elsewhere(size, 1)
}

#[mstx::region(heap = pool.base(), size = size)]
#[inline(never)]
fn annotated(pool: &Pool, size: usize) -> Option<NonNull<u8>> {
    pool.take_elsewhere(size, 2)
}

#[tracing::instrument(skip_all)]
#[inline(never)]
fn instrumented(pool: &Pool, size: usize) -> Option<NonNull<u8>> {
    pool.take_elsewhere(size, 3)
}

type Alloc = fn(&Pool, usize) -> Option<NonNull<u8>>;

fn call(bencher: Bencher<'_, '_>, function: Alloc) {
    let (pool, function) = (Pool::new(), black_box(function));
    bencher.bench_local(|| function(black_box(&pool), black_box(8)));
}

#[divan::bench]
fn without_an_attribute(bencher: Bencher<'_, '_>) {
    call(bencher, plain);
}

#[divan::bench]
fn with_region(bencher: Bencher<'_, '_>) {
    call(bencher, annotated);
}

#[divan::bench]
fn with_tracing_instrument(bencher: Bencher<'_, '_>) {
    call(bencher, instrumented);
}
