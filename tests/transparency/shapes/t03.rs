// shape: user locals named like the generated ones
// edition: 2024
// expect: 2 0
#[allow(non_snake_case)]
#[mstx::region(ptr = 4096_usize, size = __mstx_size)]
pub fn f(__mstx_size: usize, __mstx_r: u8) -> usize { let __mstx_r = usize::from(__mstx_r); if __mstx_r == 0 { return __mstx_size; } { let __mstx_size = 3; __mstx_r + __mstx_size } }
pub fn main() { println!("{} {}", f(1, 2), f(1, 0)); }
