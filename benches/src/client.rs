//! The client that it is measured against: `c/client.c`.
#![allow(unsafe_code, reason = "declares C functions")]

use std::ffi::{CString, c_char, c_int};

use crate::{Reporter, tool};

// SAFETY: as `c/client.c` defines them.
unsafe extern "C" {
    fn mstx_bench_client_attach(path: *const c_char) -> c_int;
    safe fn mstx_bench_client_heap(start: usize, size: usize);
    safe fn mstx_bench_client_register(address: usize, size: usize);
    safe fn mstx_bench_client_unregister(address: usize);
}

/// The hand-written client. There is one in the process, with one heap.
#[derive(Debug)]
pub struct Client(());

impl Client {
    /// Lets the counting tool in, and registers a heap. `None`: the tool is not there.
    #[must_use]
    pub fn attach(base: usize, bytes: usize) -> Option<Self> {
        let path = CString::new(tool::PATH).ok()?;
        // SAFETY: the path is a C string, which is only read.
        let attached = unsafe { mstx_bench_client_attach(path.as_ptr()) };
        (attached == 0).then(|| {
            mstx_bench_client_heap(base, bytes);
            Self(())
        })
    }
}

impl Reporter for Client {
    fn register(&self, at: usize, bytes: usize) {
        mstx_bench_client_register(at, bytes);
    }

    fn unregister(&self, at: usize) {
        mstx_bench_client_unregister(at);
    }
}

/// The pool of `c/thin.c`.
#[derive(Debug)]
#[repr(C)]
struct ThinPool {
    base: usize,
    size: usize,
    used: usize,
}

// SAFETY: as `c/thin.c` defines them.
unsafe extern "C" {
    safe fn mstx_bench_thin(pool: &mut ThinPool, size: usize) -> usize;
    safe fn mstx_bench_thin_client(pool: &mut ThinPool, size: usize) -> usize;
}

/// A short function in C with a client's call in it, and without.
pub const THIN: [fn(usize) -> usize; 2] = [
    |size| mstx_bench_thin_client(&mut ThinPool { base: 0x1000, size: 0x1000, used: 0 }, size),
    |size| mstx_bench_thin(&mut ThinPool { base: 0x1000, size: 0x1000, used: 0 }, size),
];
