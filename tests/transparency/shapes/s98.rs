// shape: fn-like scopes that capture `return`: gen of thread closures, catch_unwind, scoped threads, from_fn, array::from_fn
// edition: 2024
// expect: 3 0
#[mstx::region]
pub fn f(v: &mut [u8]) -> Option<&mut u8> {
    let ok = std::thread::scope(|s| { s.spawn(|| { if v.is_empty() { return 0; } v[0] += 1; 1 }).join().unwrap_or(9) });
    let r = std::panic::catch_unwind(|| { if ok == 0 { return None; } Some(1) });
    if r.ok().flatten().is_none() { return None; }
    let a: [u8; 2] = std::array::from_fn(|i| { if i == 0 { return 1; } 2 });
    v.get_mut(usize::from(a[0] - 1))
}
#[mstx::region(size = 1)]
pub fn g() -> Vec<*mut u8> { let mut n = 0; std::iter::from_fn(|| { n += 1; if n > 2 { return None; } Some(std::ptr::null_mut()) }).collect() }
pub fn main() { println!("{:?} {:?} {:?}", f(&mut []), f(&mut [1]), g().len()); }
