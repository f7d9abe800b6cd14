// shape: -> ! (loop, panic, exit)
// edition: 2024
// expect: 0 0
#[mstx::region]
pub fn f(n: u8) -> ! { if n == 0 { panic!("zero") } loop { std::hint::spin_loop(); return g(); } }
#[mstx::region]
pub fn g() -> ! { std::process::exit(0) }
pub fn main() { println!("{:?}", helpers::catch(|| f(0)).is_none()); f(1) }
