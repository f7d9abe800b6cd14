//! Words that go together, in any order.

struct Pool {
    base: *mut u8,
}

impl Pool {
    #[mstx::region(heap = self.base, size = n)]
    #[mstx::range]
    #[mstx::heap(size = n, name = "arena")]
    #[mstx::flush]
    #[mstx::allocator_internal]
    fn arena(&self, n: usize) -> *mut u8 {
        self.base.wrapping_add(n)
    }

    #[mstx::region_unregister(ptr = arena)]
    #[mstx::heap_unregister(heap = arena)]
    fn free_arena(&self, arena: *mut u8) {
        let _ = arena;
    }

    #[mstx::region(heap = self.base, size = 3)]
    #[mstx::region_unregister(ptr = old)]
    #[must_use]
    fn exchange(&self, old: *mut u8) -> *mut u8 {
        old
    }

    #[mstx::heap_resize(heap = self.base, size = 3 * n)]
    #[mstx::region(heap = self.base, size = n)]
    fn grow_and_alloc(&self, n: usize) -> Option<*mut u8> {
        (n > 3).then_some(self.base)
    }
}

fn main() {
    let pool = Pool { base: std::ptr::null_mut() };
    pool.free_arena(pool.exchange(pool.arena(3)));
    assert_eq!(pool.grow_and_alloc(1), None);
}
