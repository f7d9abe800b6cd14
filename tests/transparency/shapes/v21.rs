// shape: every other word: heap, heap_reset, heap_resize, region_resize, range, flush, allocator_internal, each with `return` and `?`
// edition: 2024
// expect: 4 14
use helpers::Noisy;
use std::ptr::NonNull;
#[derive(Debug)]
pub struct Failed;
pub struct Arena { base: NonNull<u8>, size: usize }
impl Arena {
    #[mstx::heap(domain = "arena", ptr = ret.base, size = ret.size, host, deferred)]
    pub fn new(size: usize) -> Result<Self, Failed> { if size == 0 { return Err(Failed); } Ok(Self { base: NonNull::dangling(), size }) }
    #[mstx::heap(ptr = self.base, size = self.size, device = 1, deferred = 64, name = label)]
    pub fn renamed(&self, label: &str) -> usize { if label.is_empty() { return 0; } label.len() }
    #[mstx::heap_reset(heap = self.base, domain = "arena")]
    pub fn reset(&mut self, _p: Noisy) -> Option<&mut Self> { if self.size == 0 { return None; } let _l = Noisy("local"); self.size.checked_sub(1)?; Some(self) }
    #[mstx::heap_resize(heap = self.base, size = self.size.saturating_add(more))]
    pub fn grow(&mut self, more: usize, _p: Noisy) -> Result<(), Failed> { let _l = Noisy("local"); if more == 0 { return Ok(()); } self.size = self.size.checked_add(more).ok_or(Failed)?; Ok(()) }
    #[mstx::heap_resize(heap = self.base, size = to)]
    pub fn shrink(&mut self, to: usize) { if to > self.size { return; } self.size = to; }
    #[mstx::region_resize(heap = self.base, ptr = p, size = n)]
    pub fn moved(&mut self, p: NonNull<u8>, n: usize, _p: Noisy) -> Option<NonNull<u8>> { let _l = Noisy("local"); if n == 0 { return None; } self.size.checked_sub(n)?; Some(p) }
    #[mstx::region_resize(ptr = p, size = n)]
    pub fn in_place(&mut self, p: *mut u8, n: u32) -> bool { if p.is_null() { return false; } n < 10 }
    #[mstx::region_resize(ptr = p, size = n)]
    pub fn quiet(&mut self, p: *mut u8, n: usize) { if p.is_null() { return; } self.size = n; }
    #[mstx::region_resize(ptr = p, size = 2)]
    pub fn tried(&self, p: *mut u8) -> Result<bool, Failed> { if p.is_null() { Err(Failed)?; } Ok(true) }
    #[mstx::region_resize(ptr = p, size = new.len())]
    pub fn sliced<'a>(&self, p: &mut [u8], new: &'a mut [u8]) -> Result<&'a mut [u8], Failed> { if p.len() > new.len() { return Err(Failed); } new[..p.len()].copy_from_slice(p); Ok(new) }
    #[mstx::range(name = format!("step {n}"), domain = "arena", stream = std::ptr::null_mut::<u8>())]
    pub fn step(&self, n: usize, _p: Noisy) -> usize { let _l = Noisy("local"); if n == 0 { return 7; } n }
    #[mstx::flush]
    pub fn launch(&self) -> impl Fn(&u8) -> u8 + use<> { |x| x + 1 }
    #[mstx::allocator_internal]
    pub fn link(&mut self, p: *mut *mut u8) { if p.is_null() { return; } self.size += 1; }
    #[mstx::heap_unregister(heap = self.base)]
    pub fn end(self) -> usize { if self.size == 0 { return 0; } self.size }
}
pub fn main() {
    println!("{}", Arena::new(0).is_err());
    let mut arena = Arena::new(8).unwrap();
    println!("{} {}", arena.renamed("x"), arena.renamed(""));
    println!("{}", arena.reset(Noisy("p")).is_some());
    println!("{:?} {:?} {:?}", arena.grow(1, Noisy("p")), arena.grow(0, Noisy("p")), arena.grow(usize::MAX, Noisy("p")));
    arena.shrink(9);
    let p = NonNull::dangling();
    println!("{:?} {:?} {}", arena.moved(p, 0, Noisy("p")), arena.moved(p, 99, Noisy("p")), arena.moved(p, 1, Noisy("p")).is_some());
    println!("{} {:?}", arena.in_place(p.as_ptr(), 3), arena.tried(std::ptr::null_mut()));
    arena.quiet(p.as_ptr(), 4);
    println!("{:?} {:?}", arena.sliced(&mut [1], &mut [2, 3]), arena.sliced(&mut [1, 2], &mut [3]).is_err());
    println!("{} {}", arena.step(1, Noisy("p")), arena.launch()(&1));
    arena.link(std::ptr::null_mut());
    println!("{}", arena.end());
}
