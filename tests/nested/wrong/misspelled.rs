fn next_size() -> usize {
    16
}

#[mstx::region(size = next_siez())]
fn take() -> *mut u8 {
    (0x10000 + next_size()) as *mut u8
}

fn main() {
    take();
}
