#[mstx::region_unregister]
fn put(p: *mut u8) {
    let _ = p;
}

fn main() {
    put(std::ptr::null_mut());
}
