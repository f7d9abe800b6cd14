//! What is wrong in a body is told as it is without the attribute: in the same words, at the same place.

use std::ptr::NonNull;

struct Pool {
    base: *mut u8,
    blocks: Vec<NonNull<u8>>,
}

impl Pool {
    // #[mstx::region(heap = self.base, size = n)]
    fn alloc(&self, n: usize) -> *mut u8 {
        let text: &str = n;
        self.place(text)
    }

    // #[mstx::region(heap = self.base, size = n)]
    fn wrong_tail(&self, n: usize) -> *mut u8 {
        self.blocks.len() + n
    }

    // #[mstx::region(heap = self.base, size = n)]
    fn wrong_return(&self, n: usize) -> Option<NonNull<u8>> {
        if n == 0 {
            return self.base;
        }
        NonNull::new(self.base)
    }

    // #[mstx::region(heap = self.base, size = n)]
    fn bare_return(&self, n: usize) -> Option<NonNull<u8>> {
        if n == 1 {
            return;
        }
        NonNull::new(self.base)
    }

    // #[mstx::region(heap = self.base, size = n)]
    fn wrong_question_mark(&self, n: usize) -> *mut u8 {
        let block = self.blocks.get(n)?;
        block.as_ptr()
    }

    // #[mstx::region_unregister(heap = self.base, ptr = block)]
    fn free(&mut self, block: NonNull<u8>) -> Result<(), String> {
        self.keep(block.as_ptr());
        if self.blocks.is_empty() {
            return self.base;
        }
        self.blocks.lenght()
    }

    // #[mstx::region_resize(heap = self.base, ptr = block, size = n)]
    fn realloc(&mut self, block: NonNull<u8>, n: usize) -> Option<NonNull<u8>> {
        match n {
            0 => None,
            1..4 => block,
        }
    }

    // #[mstx::heap(ptr = ret.base, size = n)]
    fn new(n: usize) -> Result<Self, String> {
        let base = std::alloc::alloc(std::alloc::Layout::new::<u8>());
        Ok(Self { base, block: Vec::with_capacity(n) })
    }

    fn place(&self, n: usize) -> *mut u8 {
        self.base.wrapping_add(n)
    }

    fn keep(&mut self, block: NonNull<u8>) {
        self.blocks.push(block);
    }

    // #[mstx::range(name = "step")]
    fn step(&self) -> u32 {
        match self.base {
            base => base.is_null(),
        }
    }

    // #[mstx::flush]
    fn launch(&self) {
        self.step().await
    }
}

fn main() {
    let mut pool = Pool::new(3).unwrap();
    let block = pool.bare_return(pool.alloc(1).addr()).unwrap();
    let block = pool.realloc(block, 3).unwrap();
    pool.free(block).unwrap();
    pool.wrong_tail(pool.wrong_question_mark(3).addr());
    pool.wrong_return(3).unwrap();
    pool.launch();
}
