//! The success value, by the name of `ret`.

use std::ptr::NonNull;

struct Block {
    at: Box<[u8]>,
    bytes: Option<usize>,
    ret: usize,
}

#[mstx::region(ptr = ret, size = n)]
fn itself(n: usize) -> Option<NonNull<u8>> {
    let _ = n;
    Some(NonNull::dangling())
}

#[mstx::region(ptr = base, size = ret)]
fn size_itself(base: *mut u8) -> Result<usize, String> {
    Ok(base.addr())
}

#[mstx::region(ptr = ret, size = 3)]
fn integer(n: u64) -> u64 {
    n
}

// A `Box` in it is not moved.
#[mstx::region(ptr = ret.at, size = ret.bytes)]
fn field(bytes: usize) -> Result<Option<Block>, ()> {
    Ok(Some(Block { at: vec![0; bytes].into(), bytes: Some(bytes), ret: 3 }))
}

#[mstx::heap(ptr = ret.at, name = format!("{}", ret.ret), device = ret.ret)]
fn no_size(bytes: usize) -> Block {
    field(bytes).unwrap().unwrap()
}

#[mstx::region(ptr = ret)]
fn owner(n: usize) -> Box<[u8]> {
    vec![0; n].into()
}

#[mstx::region(ptr = { let [first, ..] = &ret[..] else { panic!() }; first.at.as_ptr() }, size = ret.iter().map(|it| it.ret).sum::<usize>())]
fn several(n: usize) -> Vec<Block> {
    vec![no_size(n)]
}

// None of these is the success value.
#[mstx::region(ptr = block.at.as_ptr(), size = block.ret)]
fn a_field(block: &Block) -> Result<(), ()> {
    let _ = block.at.len();
    Ok(())
}

#[mstx::region(ptr = { let ret = n; ret }, size = 3)]
fn a_name_of_its_own(n: usize) {
    let _ = n;
}

fn main() {
    assert!(itself(1).is_some());
    assert_eq!((size_itself(std::ptr::null_mut()), integer(3)), (Ok(0), 3));
    let [block] = several(5).try_into().ok().unwrap();
    assert_eq!((block.at.len(), block.bytes, block.ret), (5, Some(5), 3));
    a_field(&block).unwrap();
    a_name_of_its_own(owner(3).len());
}
