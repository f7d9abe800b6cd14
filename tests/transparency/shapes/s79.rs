// shape: size expression using `ret`; with shadowed/moved params
// edition: 2024
// expect: 2 0
#[mstx::region(ptr = ret.as_ptr(), size = ret.len() * size_of::<T>())]
pub fn f<T: Clone>(proto: T, n: usize) -> Vec<T> { let n = n + 1; vec![proto; n] }
#[mstx::region(size = ret.len())]
pub fn g<'a>(header: &[u8], ret_buf: &'a mut [u8]) -> &'a mut [u8] { let header = header.len(); if header == 1 { return ret_buf; } &mut ret_buf[header..] }
pub fn main() { println!("{:?} {:?}", f(1u16, 2), g(&[0, 0], &mut [1, 2, 3])); }
