//! The return type says where the region is, and not how long.

use std::ptr::NonNull;

struct Node {
    _links: [usize; 2],
}

#[mstx::region]
fn node() -> *mut Node {
    std::ptr::null_mut()
}

#[mstx::region(heap = pool)]
fn non_null(pool: *const u8) -> Option<NonNull<Node>> {
    let _ = pool;
    None
}

#[mstx::region]
fn list() -> Result<Vec<*const Node>, std::fmt::Error> {
    Ok(Vec::new())
}

#[mstx::heap(name = "nodes")]
fn heap() -> *mut u8 {
    std::ptr::null_mut()
}

#[mstx::region]
fn array() -> [NonNull<Node>; 2] {
    [NonNull::dangling(); 2]
}

#[mstx::region]
fn own() -> Handle {
    Handle(3)
}

// Neither where nor how long.
#[mstx::region]
fn neither() -> Stranger {
    Stranger
}

struct Handle(usize);

impl mstx::Regions for Handle {
    fn regions(&self, report: &mut mstx::Report<'_>) {
        report.pointer(self.0);
    }
}

struct Stranger;

fn main() {}
