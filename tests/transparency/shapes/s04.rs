// shape: self by value, Drop fields partly moved; `mut self`
// edition: 2024
// expect: 2 0
use helpers::Noisy;
pub struct S { a: Noisy, b: Noisy, v: Vec<*mut u8> }
impl S {
    #[mstx::region(size = 1)]
    pub fn into_ptrs(self) -> Vec<*mut u8> {
        let a = self.a;
        println!("moved {}", a.0);
        self.v
    }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn grown(mut self) -> Self {
        self.v.push(std::ptr::null_mut());
        self.b = Noisy("b2");
        self
    }
}
pub fn main() {
    let s = S { a: Noisy("a"), b: Noisy("b"), v: vec![] }.grown();
    println!("{}", s.into_ptrs().len());
}
