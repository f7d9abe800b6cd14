// shape: `mut` params incl. assigned in body (tracing #1167)
// edition: 2024
// expect: 2 0
#[mstx::region(size = n)]
pub fn up(mut n: usize, mut tries: u8) -> *mut u8 {
    n = n.next_power_of_two();
    while tries > 0 { tries -= 1; n += 1; }
    std::ptr::without_provenance_mut(n)
}
#[mstx::region(size = 1)]
pub fn push(mut v: Vec<*mut u8>) -> Vec<*mut u8> { v.push(std::ptr::null_mut()); v }
pub fn main() { println!("{:?} {}", up(5, 2), push(vec![]).len()); }
