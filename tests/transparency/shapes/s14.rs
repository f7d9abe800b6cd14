// shape: pattern params: tuple, &ref, struct, `_`, array, ref mut, @
// edition: 2024
// expect: 4 0
#[derive(Clone, Copy)]
pub struct Lay { size: usize, align: usize }
#[mstx::region(size = a)]
pub fn p1((a, b): (usize, usize), &c: &usize) -> *mut u8 { std::ptr::without_provenance_mut(a + b + c) }
#[mstx::region(size = size)]
pub fn p2(Lay { size, align: mut al }: Lay, _: helpers::Noisy, [x, ..]: [usize; 3]) -> *mut u8 {
    al += 1;
    println!("body");
    std::ptr::without_provenance_mut(size + al + x)
}
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn p3(ref mut v: Vec<u8>, (ref w, _): (String, helpers::Noisy)) -> usize { v.push(1); v.len() + w.len() }
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn p4(whole @ Lay { size, .. }: Lay) -> usize { whole.align + size }
pub fn main() {
    println!("{:?}", p1((1, 2), &3));
    println!("{:?}", p2(Lay { size: 1, align: 2 }, helpers::Noisy("u"), [4, 5, 6]));
    println!("{:?}", p3(vec![], ("ab".into(), helpers::Noisy("w"))));
    println!("{:?}", p4(Lay { size: 1, align: 2 }));
}
