// shape: visibilities: pub(crate), pub(super), pub(in path), private mod privacy of types in the signature
// edition: 2024
// expect: 2 0
mod m { pub mod n {
    struct Priv(usize);
    impl Priv {
        #[mstx::region(size = 1)]
        pub(in crate::m) fn f(&self) -> *mut u8 { std::ptr::without_provenance_mut(self.0) }
    }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub(super) fn g() -> usize { Priv(1).f() as usize }
} pub(crate) fn h() -> usize { n::g() } }
pub fn main() { println!("{}", m::h()); }
