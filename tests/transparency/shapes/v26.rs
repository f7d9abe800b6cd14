// shape: `returns_in_macros`: success values that come out of macros of the user's own
// edition: 2024
// expect: 6 0
macro_rules! hit { ($p:expr, $c:expr) => { if $c { return $p; } }; }
macro_rules! or { ($o:expr, $e:expr) => { match $o { Some(x) => x, None => $e } }; }
#[mstx::region(size = 1, returns_in_macros)]
pub fn a(n: usize) -> *mut u8 { hit!(std::ptr::null_mut(), n == 1); std::ptr::without_provenance_mut(n) }
#[mstx::region(size = 1, returns_in_macros)]
pub fn b(n: Option<usize>) -> *mut u8 { let n = or!(n, return std::ptr::null_mut()); std::ptr::without_provenance_mut(n) }
pub struct Pool { free: Vec<usize>, used: usize }
impl Pool {
    #[mstx::region(returns_in_macros, ptr = ret, size = 1)]
    pub fn c(&mut self, mut n: usize) -> Option<usize> { n += 1; hit!(Some(n), self.used == 0); self.used += n; self.free.pop() }
}
pub fn main() {
    println!("{:?} {:?} {:?} {:?}", a(1), a(2), b(None), b(Some(3)));
    let mut pool = Pool { free: vec![], used: 0 };
    println!("{:?}", pool.c(1));
    pool.used = 1;
    println!("{:?} {}", pool.c(1), pool.used);
}
