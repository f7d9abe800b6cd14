//! The same for names that are not there.

// #[mstx::region(size = n)]
fn alloc(n: usize) -> Option<*mut u8> {
    let at = nothing_of_this_name(n);
    if at == NOWHERE {
        return nothing;
    }
    Some(at as *mut u9)
}

// #[mstx::region_unregister(ptr = block)]
fn free(block: *mut u8) -> Result<(), ()> {
    own_macro!(blok);
    Ok(blok)
}

// #[mstx::heap_resize(heap = base, size = 1)]
fn grow(base: *mut u8) {
    // Neither the attribute's names nor its labels are seen from here.
    let _ = (call, result, ret);
    loop {
        break 'body;
    }
}

fn main() {
    free(alloc(1).unwrap()).unwrap();
    grow(std::ptr::null_mut());
}
