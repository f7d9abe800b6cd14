// shape: self in all its forms, as `heap`, in `size`, and moved by the body; pools with AsHeap
// edition: 2024
// expect: 9 5
use std::pin::Pin;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;
#[derive(Debug)]
pub struct Pool { base: NonNull<u8>, size: usize, name: String }
impl mstx::AsHeap for Pool {
    fn as_heap(&self) -> mstx::HeapKey { self.base.into() }
}
impl Pool {
    #[mstx::heap(ptr = ret.base, size = ret.size, name = ret.name, host)]
    pub fn new(size: usize) -> Self { Self { base: NonNull::dangling(), size, name: format!("pool {size}") } }
    #[mstx::region(heap = self, size = 1)]
    pub fn by_ref(&self) -> NonNull<u8> { self.base }
    #[mstx::region(heap = self, size = self.size)]
    pub fn by_mut(&mut self) -> NonNull<u8> { self.size += 1; self.base }
    #[mstx::region(heap = self, size = self.size)]
    pub fn by_named<'a>(self: &'a Self) -> &'a str { &self.name }
    #[mstx::region(heap = self, size = 1)]
    pub fn by_box(mut self: Box<Self>) -> NonNull<u8> { self.size = 3; self.base }
    #[mstx::region(heap = self, size = 1)]
    #[allow(clippy::needless_pass_by_value)]
    pub fn by_rc(self: Rc<Self>) -> NonNull<u8> { if Rc::strong_count(&self) > 1 { return NonNull::dangling(); } self.base }
    #[mstx::region(heap = self, size = 1)]
    pub fn by_arc(self: &Arc<Self>) -> NonNull<u8> { self.base }
    #[mstx::region(heap = self, size = 1)]
    pub fn by_pin(mut self: Pin<&mut Self>) -> NonNull<u8> { self.size += 1; self.base }
    #[mstx::region(heap = self, size = 1)]
    pub fn by_pinned_rc(self: Pin<Rc<Self>>) -> NonNull<u8> { self.base }
    #[mstx::heap_reset(heap = self)]
    pub fn reset(&mut self) -> &mut Self { self.size = 0; self }
    #[mstx::heap_resize(heap = self, size = self.size + more)]
    pub fn grow(&mut self, more: usize) -> bool { self.size += more; more > 0 }
    #[mstx::region_unregister(heap = self, ptr = self.base)]
    pub fn free(&self) {}
    #[mstx::heap_unregister(heap = self)]
    pub fn end(mut self) -> String { self.name.push('!'); self.name }
    #[mstx::heap_unregister(heap = self.base)]
    pub fn forget(self) { let _ = self; }
}
pub fn main() {
    let mut pool = Pool::new(64);
    println!("{}", pool.by_ref() == pool.by_mut());
    println!("{} {:?}", pool.by_named().len(), pool.grow(2));
    pool.free();
    println!("{}", pool.reset().size);
    println!("{}", pool.end());
    let shared = Rc::new(Pool { base: NonNull::dangling(), size: 1, name: String::new() });
    println!("{}", Rc::clone(&shared).by_rc() == Pin::new(shared).by_pinned_rc());
    let mut other = Pool { base: NonNull::dangling(), size: 1, name: String::new() };
    println!("{}", Pin::new(&mut other).by_pin() == other.base);
    println!("{}", Arc::new(Pool { base: NonNull::dangling(), size: 1, name: String::new() }).by_arc() == other.base);
    let boxed = Box::new(Pool { base: NonNull::dangling(), size: 1, name: String::new() });
    println!("{}", boxed.by_box() == other.base);
    other.forget();
}
