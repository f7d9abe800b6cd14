// shape: function produced by macro_rules!: hygiene, $t:ty, $e:expr, $b:block, $p:ident, None-delimited groups
// edition: 2024
// expect: 4 0
macro_rules! mk {
    ($(#[$m:meta])* $name:ident, $t:ty, $p:ident : $pt:ty, $e:expr, $b:block) => {
        #[mstx::region(ptr = 4096_usize, size = $p)]
        $(#[$m])*
        pub fn $name($p: $pt) -> $t {
            let hygienic = 40;
            let _ = hygienic;
            if $p == 0 { return $e; }
            let r: $t = $b;
            if $p == 1 { return r }
            $e * 2 as $t
        }
    };
}
mk!(#[inline] a, usize, n: usize, 1 + 2, { n + 1 });
macro_rules! body { ($name:ident, $b:block) => {
    #[mstx::region(size = 1)]
    pub fn $name() -> *mut u8 $b }; }
body!(c, { if std::env::args().count() > 99 { return std::ptr::null_mut(); } std::ptr::without_provenance_mut(5) });
pub fn main() { println!("{} {} {} {:?}", a(0), a(1), a(2), c()); }
