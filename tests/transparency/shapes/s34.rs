// shape: trait impl methods, assoc types, Self::Error, generic trait
// edition: 2024
// expect: 3 0,4 0
pub trait Al<'a> { type Out: 'a; type Error; fn al(&'a mut self, n: usize) -> Result<Self::Out, Self::Error>; fn by(self, n: usize) -> Option<Self> where Self: Sized; }
#[derive(Debug)]
pub struct S<T>(Vec<T>);
impl<'a, T: Default + 'a> Al<'a> for S<T> {
    type Out = &'a mut [T];
    type Error = usize;
    #[mstx::region(ptr = 4096_usize, size = n * size_of::<T>())]
    fn al(&'a mut self, n: usize) -> Result<Self::Out, Self::Error> {
        if n > 8 { return Err(n); }
        self.0.resize_with(n, T::default);
        Ok(&mut self.0[..])
    }
    #[mstx::region(ptr = 4096_usize, size = 1)]
    fn by(mut self, n: usize) -> Option<Self> { self.0.get_mut(n)?; Some(self) }
}
pub fn main() {
    let mut s = S::<u8>(vec![]);
    println!("{:?}", s.al(2));
    println!("{:?}", s.al(9));
    println!("{:?}", s.by(0).unwrap().by(7).is_none());
}
