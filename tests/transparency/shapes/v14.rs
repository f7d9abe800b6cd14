// shape: names that the program sees: type_name of items and closures in the body, module_path, file, line, column, caller
// edition: 2024
// expect: 3 1
use std::any::{type_name, type_name_of_val};
use std::panic::Location;
#[mstx::region(size = 1)]
pub fn a<T>(n: usize) -> *mut u8 {
    fn inner() {}
    struct Local;
    let closure = |x: usize| x + n;
    if n == 0 { println!("{}", type_name_of_val(&(|| 1))); return std::ptr::null_mut(); }
    println!("{} {} {} {}", type_name_of_val(&inner), type_name::<Local>(), type_name_of_val(&closure), type_name::<T>());
    println!("{} {}:{}:{}", module_path!(), file!(), line!(), column!());
    std::ptr::without_provenance_mut(closure(1))
}
#[mstx::region_unregister(ptr = n)]
#[track_caller]
pub fn b(n: usize) -> &'static Location<'static> {
    println!("{}", type_name_of_val(&|| n));
    let nested = || Location::caller();
    println!("{}:{}", nested().line(), nested().column());
    Location::caller()
}
#[mstx::region(ptr = 4096_usize, size = 1)]
pub fn c() -> String {
    let pointer: fn(usize) -> *mut u8 = a::<u8>;
    format!("{} {}", type_name_of_val(&c), std::mem::size_of_val(&pointer))
}
pub fn main() {
    println!("{:?} {:?}", a::<u8>(0), a::<String>(1));
    println!("{}", b(1));
    println!("{} {} {}", c(), type_name_of_val(&a::<u8>), std::mem::size_of_val(&a::<u8>));
}
