//! `libmstx_checker.so`: the built-in checker as an injection library, for any program that calls MSTX, in any language.
//!
//! ```sh
//! MSTX_INJECTION_PATH=$PWD/target/release/libmstx_checker.so ./program
//! ```
//!
//! How to use it: the documentation of `mstx-checker`, "Any other program". In it are a copy of the runtime, which keeps the books, and
//! the checker, which reports; here is what stands between them and a C program.
//!
//! | file | |
//! |---|---|
//! | `init` | the one function that is exported |
//! | `entries` | the functions that a client gets: they note where they return to |
//! | `calls` | what they do |
//! | `call` | what they have in common |
//! | `handles` | what a client gets for domains, heaps and regions |
//! | `callers` | which call of the program's it is, behind wrappers |
//! | `python` | which line of Python a call comes from |
//! | `symbols` | what stands at an address |
//! | `loaded` | which file an address lies in |
//! | `complaint` | what is wrong with a call itself |
//! | `memory` | the memory of this library |
#![cfg(target_os = "linux")]
#![deny(unsafe_code)]
#![warn(clippy::pedantic)]

mod call;
mod callers;
mod calls;
mod complaint;
mod entries;
mod handles;
mod init;
mod loaded;
mod memory;
mod python;
mod symbols;
