// shape: diverging tails with a value return type: fn call -> !, loop {}, loop with return, all arms diverge, return as tail
// edition: 2024
// expect: 1 0
#[mstx::region(size = 1)]
pub fn a(n: u8) -> *mut u8 { if n == 0 { return std::ptr::null_mut(); } std::process::exit(0) }
#[mstx::region(size = 1)]
pub fn b(n: u8) -> *mut u8 { loop { if n > 0 { return a(n - 1); } if n == 0 { std::process::exit(3) } } }
#[mstx::region(size = 1)]
pub fn c() -> *mut u8 { loop {} }
#[mstx::region(size = 1)]
pub fn d() -> *mut u8 { std::process::abort() }
#[mstx::region(size = 1)]
pub fn e(n: u8) -> *mut u8 { match n { 0 => panic!(), 1 => unreachable!(), _ => loop { std::hint::spin_loop() } } }
#[mstx::region(size = 1)]
pub fn g(n: u8) -> *mut u8 { if n == 0 { return std::ptr::null_mut() } else { panic!() } }
#[mstx::region(size = 1)]
pub fn h() -> *mut u8 { unsafe { std::hint::unreachable_unchecked() } }
pub fn main() { println!("{:?}", a(0)); if std::env::args().count() > 9 { c(); d(); e(1); g(0); h(); } b(2); }
