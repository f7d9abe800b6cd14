// shape: unwinding in the middle: drop order of locals and params; result dropped once
// edition: 2024
// expect: 1 0
use helpers::Noisy;
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(a: Noisy, boom: bool, b: Noisy) -> Vec<Noisy> { let v = vec![a, Noisy("x")]; let _l = Noisy("l"); if boom { panic!("boom") } let _ = b; v }
pub fn main() { println!("{}", helpers::catch(|| f(Noisy("a"), true, Noisy("b"))).is_none()); println!("{}", f(Noisy("a"), false, Noisy("b")).len()); }
