// shape: methods written by macros: the receiver, the body, the argument, the type and the attribute itself come in as fragments
// edition: 2024
// expect: 6 1
use std::ptr::NonNull;
pub struct Pool { base: NonNull<u8>, used: usize }
macro_rules! method { ($self:ident, $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty, $size:expr, $($body:tt)*) => {
    #[mstx::region(heap = $self.base, size = $size)]
    pub fn $name(&mut $self, $($arg: $ty),*) -> $ret { $($body)* }
}; }
macro_rules! pointer { ($t:ty) => { NonNull<$t> }; }
macro_rules! ret { ($e:expr) => { $e }; }
macro_rules! with { ($(#[$attribute:meta])* $vis:vis fn $($rest:tt)*) => { $(#[$attribute])* $vis fn $($rest)* }; }
macro_rules! literal { ($name:literal, $n:literal) => {
    #[mstx::heap(size = $n, domain = $name, ptr = 4096_usize, name = concat!($name, "!"))]
    pub fn literal() -> u8 { $n as u8 }
}; }
impl Pool {
    method!(self, take(n: usize) -> Option<NonNull<u8>>, n + 1, { if n == 0 { return None; } self.used += n; Some(self.base) });
    method!(self, first() -> NonNull<u8>, self.used.max(1), return self.base);
    #[mstx::region(size = ret!(n) * 2)]
    pub fn typed(&self, n: usize) -> pointer!(u8) { if n == 0 { return self.base; } ret!(self.base) }
    with! { #[mstx::region(size = 1)] #[must_use] pub fn passed(&self) -> NonNull<u8> { return ret!(self.base); } }
    with! { #[mstx::region_unregister(ptr = ret!(p))] pub fn freed(&mut self, p: pointer!(u8)) { self.used = 0; let _ = p; } }
}
literal!("literal", 64);
pub fn main() {
    let mut pool = Pool { base: NonNull::dangling(), used: 0 };
    println!("{} {}", pool.take(0).is_none(), pool.take(2).is_some());
    println!("{} {}", pool.first() == pool.typed(1), pool.passed() == pool.base);
    pool.freed(NonNull::dangling());
    println!("{} {}", pool.used, literal());
}
