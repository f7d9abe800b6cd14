// shape: WARN: unused variable, unused mut, unused assignment, unreachable code, dead loop: same lints expected
// edition: 2024
// expect: 1 0
#[mstx::region(size = 1)]
pub fn f(mut n: usize, unused: u8) -> *mut u8 {
    let x = 3;
    let mut y = 4;
    let mut z = 1;
    z = 2;
    if n == 9 { loop {} }
    if n == 8 { return std::ptr::null_mut(); println!("dead"); }
    std::ptr::null_mut()
}
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn g() -> usize { return 1; 2 }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn h(n: usize) -> usize { n; panic!("x"); n }
fn dead() -> u8 { 1 }
pub fn main() { println!("{:?}", f(1, 2).is_null()); }
