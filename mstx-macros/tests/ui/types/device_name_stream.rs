#[mstx::heap(size = 1, device = "npu")]
fn device(base: *mut u8) -> *mut u8 {
    base
}

#[mstx::region(size = 1, device = device)]
fn device_option(base: *mut u8, device: Option<u32>) -> *mut u8 {
    let _ = device;
    base
}

#[mstx::heap(size = 1, name = 3)]
fn name(base: *mut u8) -> *mut u8 {
    base
}

#[mstx::range(name = name)]
fn name_option(name: Option<&str>) {
    let _ = name;
}

#[mstx::range(stream = 3)]
fn stream() {}

#[mstx::range(stream = stream.raw)]
fn stream_number(stream: Stream) {
    let _ = stream;
}

#[mstx::heap(size = 1, deferred = true)]
fn deferred(base: *mut u8) -> *mut u8 {
    base
}

struct Stream {
    raw: u64,
}

fn main() {}
