// shape: fields of packed structs, in arguments and in bodies
// edition: 2024
// expect: 3 2
use std::ptr::NonNull;
#[repr(C, packed)]
#[derive(Clone, Copy)]
pub struct Header {
    kind: u8,
    base: NonNull<u8>,
    size: u32,
}
#[repr(C, packed)]
pub struct Owner {
    kind: u8,
    block: Box<u32>,
}
impl Header {
    #[mstx::region(heap = { self.base }, size = self.size)]
    pub fn take(&self) -> NonNull<u8> {
        if self.kind == 0 {
            return { self.base };
        }
        self.base
    }
    #[mstx::region(ptr = { ret.base }, size = ret.size)]
    pub fn next(self) -> Option<Self> {
        let size = self.size.checked_sub(1)?;
        Some(Self { size, ..self })
    }
    #[mstx::region_unregister(ptr = { self.base }, size = self.size)]
    pub fn free(&mut self) {
        self.kind = 0;
    }
}
impl Owner {
    #[mstx::region_unregister(ptr = { self.kind as usize })]
    #[mstx::region(ptr = 4096_usize, size = ret.len())]
    pub fn end(self) -> Vec<u32> {
        vec![*{ self.block }]
    }
}
pub fn main() {
    let mut header = Header { kind: 1, base: NonNull::dangling(), size: 2 };
    println!("{}", header.take() == { header.base });
    println!("{:?}", header.next().map(|next| { next.size }));
    header.free();
    println!("{:?}", Owner { kind: 3, block: Box::new(4) }.end());
}
