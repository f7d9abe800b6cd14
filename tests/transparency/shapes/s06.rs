// shape: generics + where clause, explicit turbofish needed to call
// edition: 2024
// expect: 2 0
use std::alloc::Layout;
#[mstx::region(size = size_of::<T>() * n)]
pub fn array<T, U>(n: usize) -> *mut T
where
    T: Default + Clone,
    U: Into<u64> + Default,
{
    let _ = Layout::array::<T>(n);
    let v = vec![T::default(); n + usize::try_from(U::default().into()).unwrap_or(0)];
    Box::into_raw(v.into_boxed_slice()).cast()
}
pub struct P<T>(Vec<T>);
impl<T: Copy> P<T> {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn first<Q: From<T>>(&mut self) -> Option<Q> where T: PartialEq {
        let t = *self.0.first()?;
        if self.0.iter().all(|x| *x == t) { Some(Q::from(t)) } else { None }
    }
}
pub fn main() {
    let p = array::<u32, u8>(2);
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(p, 2)) });
    println!("{:?}", P(vec![1u8, 1]).first::<u64>());
}
