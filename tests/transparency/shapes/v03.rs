// shape: functions of a C interface: no_mangle, export_name, extern "C", link_section, as a callback
// edition: 2024
// expect: 4 3
use std::ffi::c_void;
use std::ptr::null_mut;
/// # Safety
/// None.
#[unsafe(no_mangle)]
#[mstx::region(size = n)]
pub unsafe extern "C" fn pool_alloc(n: usize) -> *mut c_void {
    if n == 0 {
        return null_mut();
    }
    std::ptr::without_provenance_mut(n)
}
/// # Safety
/// None.
#[mstx::region_unregister(ptr = p)]
#[unsafe(export_name = "pool_release")]
#[inline(never)]
pub unsafe extern "C" fn pool_free(p: *mut c_void) -> i32 {
    i32::from(p.is_null())
}
#[mstx::region(ptr = unsafe { *out }, size = if ret == &0 { Some(n) } else { None })]
#[unsafe(link_section = ".text.pool")]
/// # Safety
/// `out` is valid.
pub unsafe extern "C-unwind" fn pool_status(out: *mut *mut c_void, n: usize) -> i32 {
    unsafe { out.write(std::ptr::without_provenance_mut(64)) };
    if n == 0 { -1 } else { 0 }
}
extern "system" fn call(alloc: unsafe extern "C" fn(usize) -> *mut c_void, free: unsafe extern "C" fn(*mut c_void) -> i32) -> i32 {
    unsafe { free(alloc(3)) }
}
pub fn main() {
    let mut out = null_mut();
    unsafe {
        println!("{:?} {}", pool_alloc(0), pool_free(null_mut()));
        println!("{} {}", pool_status(&raw mut out, 0), pool_status(&raw mut out, 1));
        println!("{}", pool_free(out));
    }
    println!("{}", call(pool_alloc, pool_free));
}
