// shape: raw identifiers: r#try, r#type, r#fn generic
// edition: 2024
// expect: 2 0
#[mstx::region(size = r#type)]
pub fn r#try(r#type: usize, mut r#fn: usize) -> *mut u8 { r#fn += 1; if r#type == 0 { return std::ptr::null_mut(); } std::ptr::without_provenance_mut(r#type + r#fn) }
pub struct S;
impl S {
    #[mstx::region(ptr = 4096_usize, size = 1)]
    pub fn r#move(&self, r#loop: u8) -> u8 { r#loop }
}
pub fn main() { println!("{:?} {}", r#try(1, 2), S.r#move(3)); }
