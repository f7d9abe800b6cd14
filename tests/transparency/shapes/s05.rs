// shape: receivers self: Box<Self>, Rc<Self>, Arc<Self>, Pin<&mut Self>, &Self
// edition: 2024
// expect: 5 0
use std::{pin::Pin, rc::Rc, sync::Arc};
pub struct S(u8);
impl S {
    #[mstx::region(size = 1)]
    pub fn boxed(self: Box<Self>) -> *mut u8 { Box::into_raw(self).cast() }
    #[mstx::region(size = 1)]
    pub fn rc(self: Rc<Self>) -> *const u8 { Rc::as_ptr(&self).cast() }
    #[mstx::region(size = 1)]
    pub fn arc(self: &Arc<Self>) -> *const u8 { Arc::as_ptr(self).cast() }
    #[mstx::region]
    pub fn pinned(mut self: Pin<&mut Self>) -> &mut u8 { self.0 += 1; &mut self.get_mut().0 }
    #[mstx::region]
    pub fn byref(self: &Self) -> &u8 { &self.0 }
}
pub fn main() {
    let p = Box::new(S(1)).boxed().cast::<S>();
    drop(unsafe { Box::from_raw(p) });
    println!("{}", Rc::new(S(2)).rc().is_null());
    println!("{}", Arc::new(S(2)).arc().is_null());
    let mut s = S(3);
    println!("{} {}", Pin::new(&mut s).pinned(), 0);
    println!("{}", s.byref());
}
