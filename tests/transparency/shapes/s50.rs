// shape: unit return with a unit tail expression; explicit `-> ()`
// edition: 2024
// expect: 2 0
fn sink(_: u8) {}
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(n: u8) { sink(n) }
#[allow(clippy::unused_unit)]
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn g(n: u8) -> () { if n == 0 { return } match n { 1 => sink(1), _ => (), } }
pub fn main() { f(1); g(2); }
