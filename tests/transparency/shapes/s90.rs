// shape: `return` next to precedence hazards: `a || return b`, `return a || b`, `return -x`, `return x as T`, `return (a, b)`, match guard
// edition: 2024
// expect: 2 0
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(n: i32) -> (bool, i64) {
    let r = || n > 3;
    let _x = n != 0 || return (false, 0);
    match n { k if k == 1 || { if k == 2 { return (r() || n == 2, -i64::from(n)); } false } => {} _ => { return (true, 0 - n as i64) } }
    if n == 1 { return (n == 1 && true, 7i64 as i32 as i64) }
    (false, 1)
}
pub fn main() { println!("{:?} {:?}", f(0), f(1)); }
