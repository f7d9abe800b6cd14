// shape: generic everything: constants, defaults, associated types and constants, impl blocks with bounds, bounds on associated types, dyn
// edition: 2024
// expect: 7 2
use std::marker::PhantomData;
use std::ptr::NonNull;
pub trait Backend { type Pointer<'a>: Copy where Self: 'a; const BLOCK: usize; type Error: Default; fn at<'a>(&'a self, n: usize) -> Self::Pointer<'a>; }
pub struct Host(Vec<u8>);
impl Backend for Host { type Pointer<'a> = &'a u8; const BLOCK: usize = 1; type Error = String; fn at(&self, n: usize) -> &u8 { &self.0[n] } }
pub struct Slots<B, T = u8, const N: usize = 4>(B, PhantomData<T>);
impl<B: Backend, T, const N: usize> Slots<B, T, N> {
    pub const ALL: usize = N * B::BLOCK;
    #[mstx::region(ptr = 4096_usize, size = Self::ALL * size_of::<T>())]
    pub fn slot<'a>(&'a self, n: usize) -> Result<B::Pointer<'a>, B::Error> where T: 'a { if n >= N { return Err(B::Error::default()); } Ok(self.0.at(n)) }
    #[mstx::region(size = B::BLOCK)]
    pub fn array<const M: usize>(&self) -> [NonNull<T>; M] where [(); M]: Sized { [NonNull::dangling(); M] }
    #[mstx::region_unregister(ptr = NonNull::<T>::dangling(), size = const { N * 2 })]
    pub fn free(&self) -> Result<(), B::Error> where B::Error: Clone { let error = B::Error::default(); if N == 0 { return Err(error.clone()); } Ok(()) }
}
impl<T: ?Sized> Slots<Box<T>> { #[mstx::region(ptr = 4096_usize, size = size_of_val(&**boxed))] pub fn unsized_(boxed: &Box<T>) -> *const T { &raw const **boxed } }
pub trait Source<T: ?Sized + 'static>: Send { #[mstx::region(ptr = 4096_usize, size = 1)] fn get(&self) -> Option<&'static T> where T: Sync { None } fn by(self: Box<Self>) -> usize; }
impl<T: ?Sized + 'static> Source<T> for u8 { #[mstx::region(ptr = 4096_usize, size = 1)] #[mstx::region_unregister(ptr = 4096_usize)] fn by(self: Box<Self>) -> usize { if *self == 0 { return 0; } usize::from(*self) } }
#[mstx::region(ptr = 4096_usize, size = items.clone().count())]
pub fn collected<'a, I, F>(items: I, mut keep: F) -> Vec<&'a str> where I: IntoIterator<Item = &'a str, IntoIter: Clone> + Clone + Iterator, F: for<'b> FnMut(&'b &'a str) -> bool { if items.clone().count() == 0 { return vec![]; } items.into_iter().filter(|item| keep(item)).collect() }
pub fn main() {
    let slots = Slots::<_, u16>(Host(vec![1, 2, 3, 4]), PhantomData);
    println!("{:?} {:?} {} {:?}", slots.slot(1), slots.slot(4), slots.array::<3>().len(), slots.free());
    println!("{}", Slots::<Box<str>>::unsized_(&"x".into()).is_null());
    let source: Box<dyn Source<str>> = Box::new(3_u8);
    println!("{:?} {}", source.get(), source.by());
    println!("{:?}", collected(["a", "bc"].into_iter(), |item| item.len() == 1));
}
