//! What is to come of each cell.

use crate::cells::{Cell, Tool};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    /// The tool says this.
    Says(&'static str),
    /// The tool says nothing, for this reason.
    Silent(&'static str),
}

use Expected::{Says, Silent};

/// What Valgrind says of a write to a byte between two blocks: of which one depends on their addresses.
pub(crate) const BEFORE: &str = "Invalid write of size 1: 1 bytes before a block of size 100, or 11 bytes after another";
const RIGHT: &str = "there is no mistake";
const NO_ACCESSES: &str = "the checker alone sees no accesses";
const LIVE: &str = "the next block is live, and no tool knows for whom an access is meant: a pool that leaves a few bytes between blocks \
                    helps (with `headers` the mistake cannot be made)";
const NO_BITS: &str = "AddressSanitizer does not know what was written";
const BOOKS: &str = "the books find it, under this tool as well (left column)";

/// Whether the runtime's own books find a mistake.
pub(crate) fn is_fault(mistake: &str) -> bool {
    matches!(mistake, "double-free" | "interior-free" | "wrong-heap" | "leak")
}

pub(crate) fn expected(cell: Cell) -> Expected {
    let (mistake, tool) = (cell.mistake(), cell.tool);
    match (mistake, tool) {
        ("none", _) => Silent(RIGHT),
        ("double-free", Tool::Checker) => Says("region released twice"),
        ("interior-free", Tool::Checker) => Says("release of an address inside a region"),
        ("wrong-heap", Tool::Checker) => Says("region released to the wrong heap"),
        ("leak", Tool::Checker) => Says("region still live at the end of its heap"),
        (_, Tool::Checker) => Silent(NO_ACCESSES),
        _ if is_fault(mistake) => Silent(BOOKS),
        // In these two a header lies between blocks.
        ("next-block", Tool::Valgrind) if cell.pool() == "headers" => Silent(LIVE),
        ("next-block", _) => Silent(LIVE),
        ("uninitialised", Tool::Valgrind) => Says("Conditional jump or move depends on uninitialised value(s)"),
        ("uninitialised", Tool::AddressSanitizer) => Silent(NO_BITS),
        ("past-the-end", Tool::Valgrind) => Says("Invalid write of size 1: 0 bytes after a block of size 100 alloc'd"),
        ("past-the-end", Tool::AddressSanitizer) => Says("WRITE of 1 byte is 0 bytes after a region of 100 bytes"),
        ("padding", Tool::Valgrind) => Says("Invalid write of size 1: 5 bytes after a block of size 100 alloc'd"),
        ("padding", Tool::AddressSanitizer) => Says("WRITE of 1 byte is 5 bytes after a region of 100 bytes"),
        ("before", Tool::Valgrind) => Says(BEFORE),
        ("gap", Tool::Valgrind) => Says("Invalid write of size 1"),
        ("before", Tool::AddressSanitizer) => Says("WRITE of 1 byte is 1 byte before a region of 100 bytes"),
        ("gap", Tool::AddressSanitizer) => Says("WRITE of 1 byte is "),
        (_, Tool::Valgrind) => Says("Invalid write of size 1: 50 bytes inside a block of size 100 free'd"),
        (_, Tool::AddressSanitizer) => Says("WRITE of 1 byte is 50 bytes inside a released region of 100 bytes"),
    }
}
