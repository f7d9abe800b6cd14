#[mstx::region(size = n, crate = "mstx")]
fn literal(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}

#[mstx::region(size = n, crate = 3 + 4)]
fn sum(n: usize) -> *mut u8 {
    literal(n)
}

#[mstx::region(size = n, crate)]
fn flag(n: usize) -> *mut u8 {
    sum(n)
}

#[mstx::region(size = n, crate = )]
fn nothing(n: usize) -> *mut u8 {
    flag(n)
}

#[mstx::region(size = n, crate = mstx::<u8>)]
fn generic(n: usize) -> *mut u8 {
    nothing(n)
}

fn main() {
    generic(1);
}
