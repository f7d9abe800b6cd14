//! What is derived for a struct: it must be clear which of its fields is meant.

#[derive(mstx::Regions)]
enum Either {
    _A(*mut u8),
}

#[derive(mstx::AsHeap)]
union Raw {
    base: *mut u8,
}

#[derive(mstx::Regions)]
struct TwoFields {
    base: *mut u8,
    len: usize,
}

#[derive(mstx::AsHeap)]
struct NoField;

#[derive(mstx::Regions)]
struct TwoMarks {
    #[mstx(ptr)]
    first: *mut u8,
    #[mstx(ptr)]
    second: *mut u8,
}

#[derive(mstx::Regions)]
struct UnknownMark {
    #[mstx(pointer)]
    first: *mut u8,
}

#[derive(mstx::KnowsSize)]
#[mstx(size)]
struct MarkOfType(*mut [u8]);

#[derive(mstx::Regions)]
struct MarkWithValue {
    #[mstx(ptr = first)]
    first: *mut u8,
}

fn main() {}
