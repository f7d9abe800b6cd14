//! The field says what the struct says.

struct Stranger;

#[derive(mstx::Regions)]
struct NoPointer(Stranger);

#[derive(mstx::Regions)]
struct NoSize {
    #[mstx(ptr)]
    base: *mut u8,
    #[mstx(size)]
    bytes: i32,
}

#[derive(mstx::Regions, mstx::KnowsSize)]
struct Thin(*mut u8);

#[derive(mstx::AsHeap)]
struct NoHeap {
    #[mstx(heap)]
    base: Stranger,
    len: usize,
}

fn main() {}
