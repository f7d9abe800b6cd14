// shape: annotated functions where functions seldom stand: `main`, in a closure, a constant, a match arm, a trait impl in a function
// edition: 2024
// expect: 5 2
use std::process::ExitCode;
pub enum Kind { A, B(*mut u8) }
impl Kind { #[mstx::region(size = match self { Self::A => 1, Self::B(_) => 2_usize })] pub fn pointer(&self) -> Option<*mut u8> { if let Self::B(p) = self { return Some(*p); } None } }
const FUNCTION: fn(usize) -> *mut u8 = { #[mstx::region(size = n)] fn hidden(n: usize) -> *mut u8 { if n == 0 { return std::ptr::null_mut(); } std::ptr::without_provenance_mut(n) } hidden };
static TABLE: [fn(usize) -> *mut u8; 2] = [FUNCTION, FUNCTION];
#[mstx::range]
#[mstx::region_unregister(ptr = 4096_usize)]
pub fn main() -> ExitCode {
    let in_closure = |n: usize| { #[mstx::region(ptr = 4096_usize, size = 1)] fn inner(n: usize) -> usize { if n > 1 { return n; } 1 } inner(n) };
    let arm = match in_closure(2) { 2 => { #[mstx::region(ptr = 4096_usize, size = 1)] fn of_arm() -> u8 { 3 } of_arm() } _ => return ExitCode::FAILURE };
    struct Local(u8);
    impl Drop for Local { #[mstx::region_unregister(ptr = std::ptr::from_mut(self))] fn drop(&mut self) { println!("drop {}", self.0); } }
    let _local = Local(arm);
    println!("{:?} {:?} {:?}", TABLE[0](0), TABLE[1](1), Kind::A.pointer());
    ExitCode::from(3)
}
