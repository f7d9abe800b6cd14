#[mstx::region(size = n)]
fn nothing(n: usize) {
    let _ = n;
}

#[mstx::heap(size = n)]
fn unit(n: usize) -> () {
    nothing(n)
}

// `ret` is the unit here.
#[mstx::region(ptr = ret, size = n)]
fn ret(n: usize) {
    unit(n)
}

#[mstx::region(ptr = n, size = ret)]
fn ret_size(n: usize) {
    unit(n)
}

#[mstx::region(size = n)]
fn ok(n: usize) -> Result<(), ()> {
    Ok(unit(n))
}

fn main() {
    ret(1);
    ret_size(1);
    ok(1).unwrap();
}
