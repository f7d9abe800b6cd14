// shape: trait method without a body, or a non-function: clear compile error
// edition: 2024
// expect: fail #[mstx::region]` needs a function with a body
pub trait T {
    #[mstx::region(size = 1)]
    fn f(&self) -> *mut u8;
}
pub fn main() {}
