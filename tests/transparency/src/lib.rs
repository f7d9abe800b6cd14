//! Compares functions that carry the attributes of `mstx` with the same functions without them.
//!
//! Each file in `shapes/` is a program with annotated functions of one shape; its first lines say what it is about ([`Shape`]). Its
//! twin is the same text in which each attribute is a comment of the same length (`twin`). Of both is asked ([`check`]):
//!
//! | column | |
//! |---|---|
//! | `compiles` | each of the two, or the attribute is refused in the words that the shape expects |
//! | `output` | what it prints, and its exit code, while a tool listens, which must have nothing to complain of |
//! | `reports` | how many ends and beginnings of annotated functions a runtime sees that counts them |
//! | `lints` | of the compiler and of clippy (`all` and `pedantic`), line by line: none added |
//! | `off`, `release_off` | the optimised machine code with that feature, function by function: the same |
//!
//! All of it with the macro crate built in edition 2021 and in edition 2024, because the edition of a macro crate leaks into what it
//! emits.
//!
//! Clippy looks at the arguments of attributes as at any code of the user's: what it says of them is not added by us, and the shapes
//! give it nothing to say.
//!
//! What may differ is listed by name in the shape: functions with another machine code (`// code:`), and limits (`// limit:`).
//!
//! `cargo test -p mstx-transparency` runs it; with names behind a `--`, only those shapes.

mod assembly;
pub mod check;
mod compiler;
mod diff;
mod facade;
mod lints;
mod shape;
mod staging;
mod subject;
pub mod table;
mod twin;

pub use shape::{Exception, Expected, Shape};
