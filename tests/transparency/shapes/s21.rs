// shape: `return <value>` hidden in a macro_rules! (success path)
// edition: 2024
// limit: what a macro of the user's own returns is not seen
// expect: 1 0
macro_rules! hit { ($p:expr, $c:expr) => { if $c { return $p; } }; }
#[mstx::region(size = 1)]
pub fn f(n: usize) -> *mut u8 {
    hit!(std::ptr::null_mut(), n == 1);
    std::ptr::without_provenance_mut(n)
}
pub fn main() { println!("{:?} {:?}", f(1), f(2)); }
