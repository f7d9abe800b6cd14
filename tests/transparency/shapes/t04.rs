// shape: `return` in every expression position
// edition: 2024
// expect: 13 0
pub struct P { x: usize, y: usize }
fn two(a: usize, b: usize) -> usize { a + b }
#[allow(clippy::diverging_sub_expression, unreachable_code, clippy::never_loop, unused_variables, clippy::needless_return)]
#[mstx::region(ptr = 4096_usize, size = n)]
pub fn f(n: usize) -> usize {
    let a = [n, if n == 0 { return 100 } else { 1 }];
    let p = P { x: n, y: if n == 1 { return 101 } else { 2 } };
    let t = (n, if n == 2 { return 102 } else { 3 });
    let i = a[if n == 3 { return 103 } else { 1 }];
    let c = two(n, if n == 4 { return 104 } else { 5 });
    let mut s = 0; s += if n == 5 { return 105 } else { 6 };
    let r = 0..(if n == 6 { return 106 } else { 7 });
    let x = &mut { if n == 7 { return 107 } 8 };
    let u = -(if n == 8 { return 108 } else { 9i64 });
    while { if n == 9 { return 109 } false } {}
    match { if n == 10 { return 110 } n } { 99 if return 5 => {} _ => {} }
    for k in 0..(if n == 11 { return 111 } else { 1 }) { let _ = k; }
    p.x + p.y + t.1 + i + c + s + r.len() + *x + usize::try_from(-u).unwrap()
}
pub fn main() { for n in 0..13 { println!("{}", f(n)); } }
