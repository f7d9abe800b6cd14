//! A pool that a host and its plug-in both have.

mstx::domain!(pub static SHARED = "shared");

#[mstx::region(domain = SHARED, size = 64_usize)]
pub fn take(at: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(at)
}

#[mstx::region_unregister(domain = SHARED, ptr = p)]
pub fn put(p: *mut u8) {
    let _ = p;
}

pub fn report(who: &str) {
    let answers: Vec<_> = mstx::domains().filter(|domain| domain.name() == "shared").map(|domain| domain.answer()).collect();
    println!("{who}: {} faults, domain {answers:?}, listening {}", mstx::fault_count(), mstx::status().listening());
    for fault in mstx::faults() {
        println!("{fault}");
    }
}
