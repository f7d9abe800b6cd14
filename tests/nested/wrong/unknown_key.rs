#[mstx::region(sise = 16)]
fn take() -> *mut u8 {
    0x10000 as *mut u8
}

fn main() {
    take();
}
