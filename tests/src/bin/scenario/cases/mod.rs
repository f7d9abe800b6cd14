//! Faults that users of comparable tools met, each as a small program.
//!
//! Those that need crates of their own are in `tests/nested`, and the annotated global allocator is a program of its own.

mod c01;
mod c03;
mod c05;
mod c09;
mod c11;
mod c13;
mod c15;
mod c17;
mod c23;
mod c25;
mod c33;
mod c35;
mod c37;
mod c45;

use c01::c01;
use c03::c03;
use c05::c05;
use c09::c09;
use c11::c11;
use c13::c13;
use c15::c15;
use c17::c17;
use c23::c23;
use c25::{c25, c25_while_initialising};
use c33::c33;
use c35::c35;
use c37::{c37, c37_exact_name};
use c45::{c45, c45_annotated_seeding};

crate::scenarios![
    c01,
    c03,
    c05,
    c09,
    c11,
    c13,
    c15,
    c17,
    c23,
    c25,
    c25_while_initialising,
    c33,
    c35,
    c37,
    c37_exact_name,
    c45,
    c45_annotated_seeding,
];
