// shape: `return` of a failure hidden in a macro_rules! (bail!/ensure!)
// edition: 2024
// expect: 1 0,2 0
macro_rules! ensure { ($c:expr, $e:expr) => { if !$c { return Err($e); } }; }
/// # Errors
/// `"zero"`
#[mstx::region(size = 1)]
pub fn f(n: usize) -> Result<*mut u8, &'static str> {
    ensure!(n != 0, "zero");
    Ok(std::ptr::without_provenance_mut(n))
}
pub fn main() { println!("{:?} {:?}", f(0).is_err(), f(2)); }
