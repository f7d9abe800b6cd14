// shape: naked fn: clear compile error
// edition: 2024
// expect: fail cannot instrument a naked function
#[unsafe(naked)]
#[mstx::region(size = 1)]
pub extern "C" fn f() -> *mut u8 { core::arch::naked_asm!("xor eax, eax", "ret") }
pub fn main() { println!("{:?}", f()); }
