// shape: `return` in positions that are new, rare or nested: let-else, if-let chains, labelled blocks, match guards, struct updates, indices, ranges, nested closures and loops with values
// edition: 2024
// expect: 12 0
#[derive(Clone, Copy, Default)]
pub struct Point { x: usize, y: usize }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn f(n: usize) -> usize {
    let list = [10, 20, 30];
    let Some(k) = n.checked_add(0) else { return 1 };
    let chain = if let Some(a) = list.get(k) && let 0 = n && { if *a > 99 { return 2 } true } { *a } else { 0 };
    let value = 'outer: { if n == 3 { break 'outer 4; } if n == 4 { return 104 } 5 };
    let point = Point { x: if n == 5 { return 105 } else { 1 }, ..(if n == 6 { return 106 } else { Point::default() }) };
    let element = list[if n == 7 { return 107 } else { 0 }];
    let total: usize = (0..(if n == 8 { return 108 } else { 3 })).map(|x| { if x == 1 { return 7; } x }).sum();
    let looped = loop { match n { 9 => break (|| { return 109 })(), 10 => return 110, m if m == 11 && { if m == 11 { return 111 } true } => break 0, _ => break 1 } };
    let mut place = [0; 2];
    place[1] = match n { 2 => return { return 112 }, _ => 1 };
    let tuple = (n, return_or(n, || 3), -(if n == 12 { return 113 } else { 1_i8 }));
    chain + value + point.x + point.y + element + total + looped + place[1] + tuple.0 + tuple.1 + usize::from(tuple.2 < 0)
}
fn return_or(n: usize, or: impl Fn() -> usize) -> usize { if n == 0 { return 0; } or() }
pub fn main() { for n in 0..12 { println!("{}", f(n)); } }
