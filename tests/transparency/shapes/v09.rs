// shape: parameters that are moved, shadowed, patterns, `_`, `mut`; arguments over them that are read before or after the body
// edition: 2024
// expect: 10 2
use helpers::Noisy;
use std::ptr::without_provenance_mut;
pub struct Request { size: usize, tag: Noisy }
#[mstx::region(size = n)]
pub fn shadowed(n: usize) -> *mut u8 {
    let n = n + 1;
    let n = { let n = n * 2; n };
    without_provenance_mut(n)
}
#[mstx::region(size = request.size)]
pub fn moved(request: Request) -> *mut u8 {
    let Request { size, tag } = request;
    drop(tag);
    without_provenance_mut(size)
}
#[mstx::region(size = size)]
pub fn pattern(Request { size, .. }: Request, _: Noisy, (_, mut at): (Noisy, usize)) -> *mut u8 {
    at += size;
    println!("body");
    without_provenance_mut(at)
}
#[mstx::region(size = n)]
pub fn mutable(mut n: usize, _last: Noisy) -> *mut u8 {
    while n > 10 { n /= 2; if n == 25 { return without_provenance_mut(n); } }
    without_provenance_mut(n)
}
#[mstx::region(size = *ret / 2, ptr = ret)]
pub fn after(out: &mut usize) -> usize {
    *out += 1;
    *out * 2
}
#[mstx::region(size = ret.len() + *out, ptr = 4096_usize)]
pub fn both<'a>(out: &mut usize, text: &'a str) -> &'a str {
    *out = 4;
    text.trim()
}
#[mstx::region(ptr = ret, size = 1)]
pub fn called_ret(ret: usize) -> usize { if ret == 0 { return 4096; } ret + 1 }
#[mstx::region_unregister(ptr = &*buffer, size = buffer.len())]
pub fn consumed(buffer: Box<[u8]>) { drop(buffer); }
#[mstx::region_unregister(ptr = list.first().copied())]
pub fn popped(mut list: Vec<usize>) -> Option<usize> { list.pop() }
#[mstx::region(size = first.0 + second.0, ptr = 4096_usize)]
pub fn two(first: (usize, Noisy), second: (usize, Noisy)) -> Noisy {
    if first.0 > 1 { return first.1; }
    second.1
}
pub fn main() {
    println!("{:?}", shadowed(1));
    println!("{:?}", moved(Request { size: 2, tag: Noisy("tag") }));
    println!("{:?}", pattern(Request { size: 3, tag: Noisy("field") }, Noisy("unnamed"), (Noisy("left"), 4)));
    println!("{:?} {:?}", mutable(50, Noisy("last")), mutable(3, Noisy("last")));
    println!("{} {}", after(&mut 5), both(&mut 6, " x "));
    println!("{}", called_ret(7));
    consumed(vec![1, 2].into());
    println!("{:?}", popped(vec![8, 9]));
    drop(two((1, Noisy("1")), (2, Noisy("2"))));
    drop(two((2, Noisy("2")), (1, Noisy("1"))));
}
