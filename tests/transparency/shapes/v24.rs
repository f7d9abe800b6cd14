// shape: panics, overflow checks, unwinding through an annotated function, `?` in the argument of a macro, process exit in the body
// edition: 2024
// expect: 3 7
use helpers::{Noisy, catch};
#[mstx::region(size = n)]
pub fn alloc(n: usize, _p: Noisy) -> *mut u8 { let _l = Noisy("local"); assert!(n != 1, "one"); let m = n - 2; if m == 1 { return std::ptr::null_mut(); } std::ptr::without_provenance_mut(m) }
#[mstx::region_unregister(ptr = n)]
pub fn free(n: usize, _p: Noisy) -> Result<(), String> { let _l = Noisy("local"); if n == 0 { return Err(format!("{n}")); } println!("{}", [1, 2][n]); Ok(()) }
#[mstx::region_resize(ptr = n, size = 3)]
pub fn resize(n: usize, p: Noisy) -> Option<*mut u8> { drop(p); println!("{}", u8::try_from(n).ok()? - 1); None }
#[mstx::region(ptr = 4096_usize, size = ret.0.len())]
pub fn passes(n: Noisy) -> Noisy { if n.0.is_empty() { std::panic::resume_unwind(Box::new(1)) } n }
#[mstx::heap_reset(heap = 4096_usize)]
pub fn ends(n: u8) -> ! { if n == 0 { panic!("zero") } std::process::exit(7) }
pub fn main() {
    for n in 0..4 { println!("{:?}", catch(|| alloc(n, Noisy("p")).is_null())); }
    for n in 0..3 { println!("{:?}", catch(|| free(n, Noisy("p")))); }
    for n in 0..2 { println!("{:?}", catch(|| resize(n, Noisy("p")).is_some())); }
    println!("{}", passes(Noisy("n")).0);
    println!("{}", catch(|| ends(0)).is_none());
    ends(1)
}
