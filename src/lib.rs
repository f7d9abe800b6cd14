//! x
#![no_std]
pub use mstx_macros::*;
pub use mstx_runtime::{__private, domain};
pub use mstx_runtime::*;
