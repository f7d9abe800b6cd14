//! Names that are keywords, or those of something else.
#![allow(non_upper_case_globals, dead_code, unused_macros)]

mod shadowed {
    mod core {}
    mod std {}
    mod mstx {}
    struct Some;
    struct None;
    struct Option;
    enum Result {}
    fn probe() {}
    fn drop() {}
    const call: u8 = 3;
    static result: u8 = 3;
    macro_rules! site {
        () => {};
    }
    macro_rules! module_path {
        () => {
            compile_error!("the user's")
        };
    }

    #[::mstx::heap(size = n, name = "a", domain = "b", deferred)]
    #[::mstx::region(ptr = ret, size = n)]
    pub fn alloc(n: usize) -> ::core::option::Option<*mut u8> {
        let _ = (call, result);
        ::core::option::Option::Some(::core::ptr::without_provenance_mut(n))
    }

    #[::mstx::region_resize(ptr = block, size = 3)]
    pub fn realloc(block: *mut u8) -> ::core::result::Result<*mut u8, ()> {
        return ::core::result::Result::Ok(block);
    }

    #[::mstx::region_unregister(ptr = r#fn, heap = r#type)]
    pub fn r#loop(r#fn: *mut u8, r#type: *mut u8) -> ::core::result::Result<(), ()> {
        let _ = (r#fn, r#type);
        ::core::result::Result::Ok(())
    }
}

mod r#mod {
    #[mstx::range(name = r#match)]
    pub fn r#type(r#match: &str) -> usize {
        r#match.len()
    }

    // The parameter is not the success value.
    #[mstx::region(heap = size, ptr = ptr, size = heap)]
    pub fn other_names(heap: usize, size: *mut u8, ptr: *mut u8) -> *mut u8 {
        let _ = (heap, size);
        ptr
    }
}

fn main() {
    let block = shadowed::alloc(3).unwrap();
    shadowed::realloc(block).unwrap();
    shadowed::r#loop(block, block).unwrap();
    r#mod::r#type("abc");
    r#mod::other_names(3, block, block);
}
