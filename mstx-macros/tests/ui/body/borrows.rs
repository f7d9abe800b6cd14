//! The same for what the borrow checker finds.

struct Pool {
    base: Box<[u8]>,
    free: Vec<Box<[u8]>>,
}

impl Pool {
    #[mstx::region_unregister(ptr = &*block)]
    fn release(&mut self, block: Box<[u8]>) -> Result<(), usize> {
        self.free.push(block);
        if block.is_empty() {
            return Err(block.len());
        }
        Ok(())
    }

    #[mstx::region_resize(ptr = self.base.as_ptr(), size = n)]
    fn realloc(&self, n: usize) -> bool {
        self.free.truncate(n);
        let first = &self.base;
        drop(self.base);
        first.len() < n
    }

    #[mstx::heap_reset(heap = self.base.as_ptr())]
    fn reset(&mut self) {
        let first = &mut self.free;
        self.free.clear();
        first.clear();
    }
}

#[mstx::heap(ptr = ret, size = 3)]
fn moved(base: Box<[u8]>) -> *const u8 {
    let closure = || drop(base);
    closure();
    base.as_ptr()
}

fn main() {
    let mut a = Pool { base: Box::new([]), free: Vec::new() };
    a.release(Box::new([])).unwrap();
    a.realloc(3);
    a.reset();
    moved(Box::new([]));
}
