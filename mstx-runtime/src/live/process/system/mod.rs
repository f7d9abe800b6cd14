//! What is asked of the operating system, in as few words as possible.
//!
//! `unix` asks the C library; `other` stands in where there is none that is known, and under Miri: there no injected tool is
//! looked for, no variable is read, and only tools in the process listen.

#[cfg(all(unix, not(miri)))]
mod unix;
#[cfg(all(unix, not(miri)))]
pub(crate) use unix::*;

#[cfg(not(all(unix, not(miri))))]
mod other;
#[cfg(not(all(unix, not(miri))))]
pub(crate) use other::*;
