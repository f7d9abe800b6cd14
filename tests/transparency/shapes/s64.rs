// shape: let-else, let-chains, nested or-patterns, c"" and raw strings, const blocks, &raw, range patterns, async closures
// edition: 2024
// expect: 3 0
#[mstx::region(size = 1)]
pub fn f(a: Option<usize>, b: Result<usize, ()>) -> *const u8 {
    let Some(x) = a else { return std::ptr::null() };
    if let Ok(y) = b && y > 1 && let 2..=4 = x { return std::ptr::without_provenance(y); }
    let k = const { 1 + 2 };
    let s = c"abc".to_bytes().len() + r#"x"y"#.len();
    let z = 0u8;
    let _p = &raw const z;
    let _c = async || { if x == 0 { return 1; } 2 };
    std::ptr::without_provenance(k + s)
}
pub fn main() { println!("{:?} {:?} {:?}", f(None, Ok(1)), f(Some(2), Ok(3)), f(Some(2), Err(()))); }
