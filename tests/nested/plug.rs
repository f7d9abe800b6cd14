//! A plug-in with a copy of mstx of its own.

mod shared;

#[unsafe(no_mangle)]
pub extern "C" fn plug_take(at: usize) -> *mut u8 {
    shared::take(at)
}

#[unsafe(no_mangle)]
pub extern "C" fn plug_put(p: *mut u8) {
    shared::put(p);
}

#[unsafe(no_mangle)]
pub extern "C" fn plug_report() {
    shared::report("plug");
}
