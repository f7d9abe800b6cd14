// shape: impl Trait args, also next to an explicit generic
// edition: 2024
// expect: 2 0
#[mstx::region(size = 1)]
pub fn f(n: impl Into<usize>, g: impl FnOnce(usize) -> *mut u8) -> *mut u8 { g(n.into()) }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn g<T: Default>(it: impl IntoIterator<Item = T>, mut sink: impl FnMut(T)) -> Option<T> {
    for x in it { sink(x); }
    Some(T::default())
}
pub fn main() {
    println!("{:?}", f(3u8, std::ptr::without_provenance_mut));
    println!("{:?}", g::<u8>([1, 2], drop));
}
