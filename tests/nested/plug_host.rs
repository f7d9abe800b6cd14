//! Loads the plug-in that the first argument names. `host`, `plug`: who comes first. `close`: the plug-in is closed before
//! the end.

mod shared;

use std::ffi::{CStr, CString, c_void};

struct Plug {
    library: *mut c_void,
    take: extern "C" fn(usize) -> *mut u8,
    put: extern "C" fn(*mut u8),
    report: extern "C" fn(),
}

impl Plug {
    fn load(path: &str) -> Plug {
        let path = CString::new(path).unwrap();
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        assert!(!library.is_null(), "the plug-in can be loaded");
        let symbol = |name: &CStr| {
            let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
            assert!(!symbol.is_null(), "the plug-in has {name:?}");
            symbol
        };
        unsafe {
            Plug {
                library,
                take: std::mem::transmute::<*mut c_void, extern "C" fn(usize) -> *mut u8>(symbol(c"plug_take")),
                put: std::mem::transmute::<*mut c_void, extern "C" fn(*mut u8)>(symbol(c"plug_put")),
                report: std::mem::transmute::<*mut c_void, extern "C" fn()>(symbol(c"plug_report")),
            }
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let plug = Plug::load(&arguments.next().unwrap());
    let words: Vec<String> = arguments.collect();
    let has = |word: &str| words.iter().any(|known| known == word);
    if has("plug") {
        (plug.put)((plug.take)(0x1000));
    } else {
        shared::put(shared::take(0x1000));
    }
    let p = (plug.take)(0x10000);
    shared::put(p);
    let q = shared::take(0x20000);
    (plug.put)(q);
    if has("twice") {
        (plug.put)(q);
    }
    shared::report("host");
    (plug.report)();
    if has("close") {
        let kept = (plug.take)(0x30000);
        unsafe { libc::dlclose(plug.library) };
        shared::put(kept);
        shared::put(shared::take(0x40000));
    }
}
