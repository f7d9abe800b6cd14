//! An address, and nothing that says how long the region is.

struct Node {
    next: *mut Node,
}

#[mstx::region(ptr = ret.next)]
fn pop(head: &Node) -> &Node {
    head
}

#[mstx::region(ptr = address)]
fn place(address: usize) {
    let _ = address;
}

#[mstx::heap(ptr = base)]
fn new(base: std::ptr::NonNull<Node>) {
    let _ = base;
}

#[mstx::region(ptr = list)]
fn list(list: Vec<*mut Node>) {
    let _ = list;
}

#[mstx::region(ptr = handle)]
fn neither(handle: u32) {
    let _ = handle;
}

fn main() {}
