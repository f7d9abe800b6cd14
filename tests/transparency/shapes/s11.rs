// shape: HRTB callback; Box<dyn Fn> whose closure signature is deduced from the return type
// edition: 2024
// expect: 2 0
#[mstx::region(size = 1)]
pub fn with<F>(b: &[u8], f: F) -> *const u8 where F: for<'x> Fn(&'x [u8]) -> &'x u8 { f(b) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn id() -> Box<dyn Fn(&u8) -> &u8> { Box::new(|x| x) }
pub fn main() {
    println!("{}", with(&[1, 2], |s| &s[1]).is_null());
    println!("{}", id()(&4));
}
