// shape: 2024 tail `&temp() as *const _`: cast makes it an extending expression if put in a `let`
// edition: 2024
// expect: 1 0
use helpers::Noisy;
#[mstx::region(size = 1)]
pub fn f() -> *const Noisy { let _l = Noisy("local"); &Noisy("temp") as *const Noisy }
#[allow(clippy::borrow_as_ptr, clippy::ref_as_ptr, dangling_pointers_from_temporaries)]
pub fn main() { println!("{}", f().is_null()); }
