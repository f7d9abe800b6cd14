// shape: every kind of fragment in a function made by macro_rules!, with and without a `return` to rewrite; the whole function as an item fragment
// edition: 2024
// expect: 8 2
macro_rules! pass { ($($t:tt)*) => { $($t)* }; }
macro_rules! double { ($e:expr) => { $e * 2 }; }
macro_rules! mk {
    ($name:ident, $vis:vis, $t:ty, $e:expr, $p:pat, $b:block, $u:block, $s:stmt, $l:literal, $path:path, $lt:lifetime) => {
        #[mstx::region(ptr = 4096_usize, size = $e * 2)]
        $vis fn $name(n: $t) -> $t {
            $s;
            $u
            $u
            if let $p = n { return $e * 2; }
            if n == 9 { return double!($e) + pass!($e * 2) - $l.abs(); }
            let sum: $t = $b;
            let _ = || -> $t { return $e * 2 };
            $lt: loop { if sum > 5 { break $lt; } return <$path>::max($e, 1) * $e - $l }
            $e * 2 + sum + $b
        }
    };
}
mk!(a, pub(crate), i32, 1 + 2, 1 | 2, { 7 - 4 }, { println!("unit"); }, let _x = 1 + 1, -4_i32, i32, 'outer);
macro_rules! item { ($i:item) => { #[mstx::region(ptr = 4096_usize, size = 1)] $i }; }
item! { #[inline] pub fn b(n: usize) -> usize { if n == 0 { return 1 + 2; } n } }
macro_rules! dynamic { ($t:ty) => {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn c(x: &u8) -> &$t { if *x == 0 { return &1u8; } x }
}; }
dynamic!(dyn std::fmt::Debug + Send);
macro_rules! release { ($name:ident, $b:block, $e:expr) => {
    #[mstx::region_unregister(ptr = n + $e * 2)]
    pub fn $name(n: usize) -> usize { #![allow(unused_braces)] let k = $e * 2; let r: usize = $b; k + r * $e }
}; }
release!(d, { 1 + 1 }, 1 + 2);
macro_rules! release_block { ($b:block) => {
    #[mstx::region_unregister(ptr = 4096_usize)]
    pub fn e() -> Option<usize> $b
}; }
release_block!({ if std::env::args().count() > 9 { return None; } Some(3) });
#[allow(clippy::unnecessary_operation)]
pub fn main() {
    println!("{} {} {} {}", a(1), a(9), a(3), a(0));
    println!("{} {} {:?} {:?} {} {:?}", b(0), b(5), c(&0), c(&3), d(1), e());
}
