//! Flags with a value, values that are not there, and what is no argument at all.

#[mstx::heap(size = n, host = true)]
fn host(n: usize) -> *mut u8 {
    std::ptr::without_provenance_mut(n)
}

#[mstx::region(size = n, returns_in_macros = false)]
fn another_flag(n: usize) -> *mut u8 {
    host(n)
}

#[mstx::region(heap, size = , domain)]
fn no_values(n: usize) -> *mut u8 {
    host(n)
}

#[mstx::heap(size = n, deferred = , device)]
fn no_numbers(n: usize) -> *mut u8 {
    host(n)
}

#[mstx::region(n)]
fn no_name(n: usize) -> *mut u8 {
    host(n)
}

#[mstx::region("pool", size = n)]
fn literal(n: usize) -> *mut u8 {
    host(n)
}

#[mstx::region(size: n, ptr(block))]
fn other_syntax(block: *mut u8, n: usize) -> *mut u8 {
    block.wrapping_add(n)
}

#[mstx::region(size = n heap = block)]
fn no_comma(block: *mut u8, n: usize) -> *mut u8 {
    block.wrapping_add(n)
}

#[mstx::region(size = n +, heap = block)]
fn no_expression(block: *mut u8, n: usize) -> *mut u8 {
    block.wrapping_add(n)
}

#[mstx::region = 3]
fn name_value(n: usize) -> *mut u8 {
    host(n)
}

fn main() {
    another_flag(1);
    let block = no_values(1);
    no_numbers(1);
    no_name(1);
    literal(1);
    other_syntax(block, 1);
    no_comma(block, 1);
    no_expression(block, 1);
    name_value(1);
}
