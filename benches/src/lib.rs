//! What the benchmarks share: the counting tool, two clients that report to it, and what they report.
#![deny(unsafe_code)]

pub mod annotated;
pub mod blocks;
pub mod callgrind;
pub mod client;
pub mod process;
pub mod thin;
pub mod tool;

/// Something that tells the tool of regions; or nothing that does, by which the cost of the loop around it is known.
pub trait Reporter {
    /// This memory is handed out.
    fn register(&self, at: usize, bytes: usize);
    /// It is given back.
    fn unregister(&self, at: usize);
}

/// Reports nothing.
#[derive(Debug)]
pub struct Nobody;

impl Reporter for Nobody {
    #[inline(never)]
    fn register(&self, at: usize, bytes: usize) {
        std::hint::black_box((at, bytes));
    }

    #[inline(never)]
    fn unregister(&self, at: usize) {
        std::hint::black_box(at);
    }
}
