//! `libmstx_checker.so` in programs that are written in C and Python, and in a Rust program that reports by itself.
//!
//! | module | |
//! |---|---|
//! | `programs` | the library, and how programs are built and run |
//! | `report` | what the checker says |
//! | `right` | programs that make no mistake |
//! | `wrong` | one mistake each, with both calls named |
//! | `process` | threads, forks, beginnings and ends, modules |
//! | `access` | mistakes that are seen by Valgrind and AddressSanitizer, or with protected pages |
//! | `options` | what `MSTX_CHECK` asks for |
//! | `python` | a program in Python |
//! | `rust` | a program that has a runtime and a checker of its own |
//! | `readme` | what the README says, done |
#![cfg(target_os = "linux")]

mod access;
mod options;
mod process;
mod programs;
mod python;
mod readme;
mod report;
mod right;
mod rust;
mod wrong;
