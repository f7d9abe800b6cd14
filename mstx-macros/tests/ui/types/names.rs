//! A name that is not there is reported where it is written, like any other.

struct Pool {
    base: *mut u8,
    used: usize,
}

impl Pool {
    #[mstx::region(heap = self.bsae, size = layuot.size())]
    fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        self.base.wrapping_add(layout.size())
    }

    #[mstx::region_unregister(heap = self.base(), ptr = blok, domain = POOL)]
    fn free(&mut self, block: *mut u8) {
        self.used -= block.addr();
    }

    // A local of the body is no parameter.
    #[mstx::region(heap = self.base, size = rounded)]
    fn alloc_rounded(&self, n: usize) -> *mut u8 {
        let rounded = n.next_multiple_of(64);
        self.base.wrapping_add(rounded)
    }

    #[mstx::heap(ptr = ret.base, size = ret.length, name = naem)]
    fn new(name: &str) -> Option<Self> {
        let _ = name;
        None
    }

    // There is no `self` here.
    #[mstx::region(heap = self.base, size = n)]
    fn alloc_static(n: usize) -> *mut u8 {
        std::ptr::without_provenance_mut(n)
    }
}

// The type of `ret` is not known.
#[mstx::region(ptr = ret.base, size = ret.used)]
fn misspelt_type() -> Option<Pol> {
    None
}

#[mstx::region(size = n)]
fn misspelt_whole_type(n: usize) -> Pol {
    Pool::new("pool").unwrap()
}

#[mstx::region_resize(ptr = block, size = 1)]
fn misspelt_result(block: *mut u8) -> Pol {
    block
}

fn main() {
    let mut pool = Pool::new("pool").unwrap();
    pool.free(pool.alloc(std::alloc::Layout::new::<u8>()));
    pool.alloc_rounded(1);
    Pool::alloc_static(1);
}
