// shape: `return` visible inside user macro args; one macro puts it in a closure, one does not
// edition: 2024
// limit: what a macro of the user's own returns is not seen
// expect: 1 0
macro_rules! lazy { ($e:expr) => { (|| -> u8 { $e })() }; }
macro_rules! or { ($o:expr, $e:expr) => { match $o { Some(x) => x, None => $e } }; }
#[mstx::region(size = 1)]
pub fn f(n: Option<u8>) -> *mut u8 {
    let a = lazy!(return 7);
    let b = or!(n, return std::ptr::null_mut());
    std::ptr::without_provenance_mut((a + b) as usize)
}
pub fn main() { println!("{:?} {:?}", f(None), f(Some(1))); }
