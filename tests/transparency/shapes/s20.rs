// shape: `return` inside closures, nested fn, impl, async block, const item: not hijacked
// edition: 2024
// expect: 1 0
#[mstx::region(size = 1)]
pub fn f(n: u8) -> *mut u8 {
    fn inner(n: u8) -> u8 { if n > 1 { return 9; } n }
    struct S;
    impl S { fn m(&self) -> u8 { let _ = self; return 4; } }
    const K: u8 = { const fn k() -> u8 { return 3; } k() };
    let c = |x: u8| { if x == 0 { return 1; } x };
    let d = || -> u8 { return 2; };
    let fut = async { if n == 2 { return 5u8; } 6 };
    let r = helpers::block_on(fut);
    println!("{} {} {} {} {} {}", inner(n), S.m(), K, c(0), d(), r);
    std::ptr::null_mut()
}
pub fn main() { println!("{}", f(2).is_null()); }
