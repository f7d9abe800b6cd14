//! Where the message about a body is not the one without the attribute: its value is that of a block, not of the function.

use std::ptr::NonNull;

struct Pool {
    base: *mut u8,
}

impl Pool {
    // Said of the body instead of the return type.
    #[mstx::region(heap = self.base, size = n)]
    fn no_tail(&self, n: usize) -> Option<NonNull<u8>> {
        NonNull::new(self.base.wrapping_add(n));
    }

    // The advice to label the block.
    #[mstx::range]
    fn step(&self) {
        break;
    }

    // Not said, while there is another error.
    #[mstx::region(heap = self.base, size = n)]
    fn out_of_no_loop(&self, n: usize) -> Option<NonNull<u8>> {
        if n == 3 {
            break 'body;
        }
        None
    }
}

fn main() {
    let pool = Pool { base: std::ptr::null_mut() };
    pool.no_tail(1);
    pool.out_of_no_loop(1);
    pool.step();
}
