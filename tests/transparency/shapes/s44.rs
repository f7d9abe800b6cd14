// shape: 2021 tail-expression temporaries outlive locals
// edition: 2021
// expect: 1 0
use std::sync::Mutex;
pub struct P { m: Mutex<Vec<u8>> }
struct Relock<'a>(&'a P);
impl Drop for Relock<'_> { fn drop(&mut self) { println!("relock {}", self.0.m.try_lock().is_ok()); } }
impl P {
    #[mstx::region(size = 1)]
    pub fn f(&self) -> *mut u8 { let _r = Relock(self); self.m.lock().unwrap().as_mut_ptr() }
}
pub fn main() { let p = P { m: Mutex::new(vec![1]) }; println!("{}", p.f().is_null()); }
