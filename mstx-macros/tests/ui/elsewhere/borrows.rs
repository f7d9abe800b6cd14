//! Where the borrow checker's message is not the one without the attribute.

struct Pool {
    base: Box<[u8]>,
}

impl Pool {
    // Said of the return type instead of the `return`.
    #[mstx::region(heap = self.base.as_ptr())]
    fn alloc<'a>(&'a mut self, other: &mut Pool) -> &'a mut [u8] {
        if other.base.is_empty() {
            return &mut other.base;
        }
        &mut self.base
    }

    // Said of the end of the function instead of its last expression.
    #[mstx::region(heap = self.base.as_ptr(), size = n)]
    fn local(&self, n: usize) -> &[u8] {
        let block = vec![0; n];
        &block
    }
}

fn main() {
    let (mut a, mut b) = (Pool { base: Box::new([]) }, Pool { base: Box::new([]) });
    a.alloc(&mut b);
    a.local(1);
}
