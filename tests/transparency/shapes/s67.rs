// shape: #[target_feature]
// edition: 2024
// expect: 1 0
/// # Safety
/// sse2
#[target_feature(enable = "avx2")]
#[mstx::region(size = 1)]
pub unsafe fn f(n: usize) -> *mut u8 { let v = std::arch::x86_64::_mm256_setzero_si256(); std::ptr::without_provenance_mut(n + usize::try_from(std::arch::x86_64::_mm256_extract_epi64::<0>(v)).unwrap()) }
pub fn main() { println!("{:?}", unsafe { f(1) }); }
