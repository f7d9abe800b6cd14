// shape: what `ptr` takes: integers, references, owners, lists, slices, options, types of the user's; none of them is moved
// edition: 2024
// expect: 5 15
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;
#[derive(Debug)]
pub struct Device(u64);
impl mstx::Regions for Device {
    fn regions(&self, report: &mut mstx::Report<'_>) {
        report.region(usize::try_from(self.0).unwrap_or(0), 16);
    }
}
impl mstx::KnowsSize for Device {}
#[mstx::region_unregister(ptr = p)]
pub fn a(p: usize) -> usize { p }
#[mstx::region_unregister(ptr = p)]
pub fn b(p: u64) -> u64 { p }
#[mstx::region_unregister(ptr = p)]
pub fn c(p: Option<NonZeroUsize>) -> bool { p.is_some() }
#[mstx::region_unregister(ptr = p)]
pub fn d(p: &u8) -> u8 { *p }
#[mstx::region_unregister(ptr = p)]
pub fn e(p: &mut [u16]) -> &mut [u16] { p[0] = 1; p }
#[mstx::region_unregister(ptr = p)]
pub fn f(p: Box<u32>) -> Box<u32> { p }
#[mstx::region_unregister(ptr = p)]
#[allow(clippy::needless_pass_by_value)]
pub fn g(p: Rc<str>) -> usize { p.len() }
#[mstx::region_unregister(ptr = p.as_deref())]
pub fn h(p: Option<Arc<u8>>) -> Option<Arc<u8>> { p }
#[mstx::region_unregister(ptr = p)]
pub fn i(p: Vec<NonNull<u8>>) { drop(p); }
#[mstx::region_unregister(ptr = p)]
pub fn j(p: [*mut u8; 2]) -> usize { p.len() }
#[mstx::region_unregister(ptr = p)]
pub fn k(p: NonNull<[u8]>) -> usize { p.len() }
#[mstx::region_unregister(ptr = p)]
pub fn l(p: Device) -> Device { p }
#[mstx::region_unregister(ptr = pair.0, size = pair.1)]
pub fn m(pair: (*const u8, usize)) -> usize { pair.1 }
#[mstx::region_unregister(ptr = p.as_deref())]
pub fn n(p: Option<Vec<u8>>) -> usize { p.map_or(0, |p| p.len()) }
#[mstx::region_unregister(ptr = p)]
pub fn o(p: Pin<&mut u8>) -> &mut u8 { p.get_mut() }
#[mstx::region(ptr = ret)]
pub fn p(n: u64) -> Device { Device(n) }
#[mstx::region]
pub fn q(n: u64) -> Result<Vec<Device>, String> { if n == 0 { return Err("none".into()); } Ok(vec![Device(n), Device(n + 16)]) }
#[mstx::region(ptr = ret.as_slice())]
pub fn r(n: usize) -> Vec<u8> { vec![0; n] }
#[mstx::region(ptr = ret)]
pub fn s(n: usize) -> Box<[u8]> { vec![0; n].into() }
pub fn main() {
    println!("{} {} {} {} {:?}", a(1), b(2), c(NonZeroUsize::new(3)), d(&4), e(&mut [5, 6]));
    println!("{} {} {:?}", f(Box::new(1)), g("ab".into()), h(Some(Arc::new(2))));
    i(vec![NonNull::dangling()]);
    println!("{} {} {:?} {}", j([std::ptr::null_mut(); 2]), k(NonNull::from(&mut [1, 2][..])), l(Device(3)), m((std::ptr::null(), 4)));
    println!("{} {}", n(None), o(Pin::new(&mut 5)));
    println!("{:?} {:?} {:?} {:?} {:?}", p(1), q(0), q(1), r(2), s(3));
}
