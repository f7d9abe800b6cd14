// shape: panicking: in the middle, as the tail, todo!(), with locals; locations preserved
// edition: 2024
// expect: 1 0
use helpers::Noisy;
#[mstx::region(size = 1)]
pub fn f(n: u8) -> *mut u8 {
    let _a = Noisy("a");
    assert!(n != 1, "one");
    let v = [1u8];
    let i = n as usize - 2 + v[(n as usize).saturating_sub(2)] as usize;
    std::ptr::without_provenance_mut(i)
}
#[mstx::region(size = 1)]
pub fn g(_n: Noisy) -> *mut u8 { let _l = Noisy("l"); unimplemented!() }
#[mstx::region(size = 1)]
pub fn h() -> Option<*mut u8> { todo!() }
pub fn main() {
    for n in 1..4 { println!("{:?}", helpers::catch(|| f(n))); }
    println!("{:?} {:?}", helpers::catch(|| g(Noisy("p"))), helpers::catch(h));
}
