// shape: `return` in the arguments of the standard library's macros
// edition: 2024
// expect: 11 0
use std::fmt::Write as _;
#[allow(clippy::diverging_sub_expression, unreachable_code, clippy::needless_return)]
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(n: usize) -> usize {
    let v = vec![n, if n == 0 { return 100 } else { 1 }];
    let w = std::vec![if n == 1 { return 101 } else { 2u8 }; 3];
    let s = format!("{} {k:?} {n}", if n == 2 { return 102 } else { 3 }, k = { if n == 3 { return 103 } 4 },);
    assert!(if n == 4 { return 104 } else { true }, "no {}", 1);
    assert_eq!(if n == 5 { return 105 } else { 1 }, 1);
    let m = matches!(if n == 6 { return 106 } else { Some(n) }, Some(k) | Some(k) if k == 7 && { if n == 7 { return 107 } true });
    let mut out = String::new();
    let _ = write!(out, "{}", if n == 8 { return 108 } else { 1 });
    println!("{}", if n == 9 { return 109 } else { "x" });
    v.len() + w.len() + s.len() + usize::from(m) + out.len()
}
pub fn main() { for n in 0..11 { println!("{}", f(n)); } }
