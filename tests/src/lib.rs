//! The harness of the process-level tests: it runs a program, with a stub tool or without, and reads what came of it.
//!
//! A test program is a whole process, since a process has one tool, one set of books and one end. [`Run`] starts it;
//! [`Output`] has what it printed, how it ended and what the tool was told. The tool's log is described in `mstx-stub`;
//! [`Output::memory`] gives its memory calls in short:
//!
//! ```text
//! heap 0x10000+4096                              heap_register; ` on 1` follows for a device other than 0
//! register 0x10000+16 0x10010+16 in 0x10000      one regions_register of two regions, in the heap at 0x10000
//! register 0x10000+16                            in no heap, or the tool gave its heap no handle
//! unregister 0x10000+16 0x10010+16               one regions_unregister, by handle or by pointer
//! end 0x10000+4096                               heap_unregister
//! ```

mod instrumented;
mod log;
pub mod page;
mod run;

pub use instrumented::{valgrind, with_address_sanitizer};
pub use log::{Line, Output};
pub use run::{Run, scratch, stub};
