//! Three annotated pools.

pub struct Pool([u8; 16]);

impl Pool {
    fn new() -> Box<Pool> {
        Box::new(Pool([0; 16]))
    }
}

pub mod sub {
    use super::Pool;

    #[mstx::heap(domain = "sub", ptr = ret.0.as_ptr(), size = 16)]
    pub fn open_sub() -> Box<Pool> {
        Pool::new()
    }
}

pub struct G<T>(pub T);

impl<T> G<T> {
    #[mstx::heap(domain = "gen", ptr = ret.0.as_ptr(), size = 16)]
    pub fn open(&self) -> Box<Pool> {
        Pool::new()
    }
}

#[mstx::heap(domain = "top", ptr = ret.0.as_ptr(), size = 16)]
pub fn open_top() -> Box<Pool> {
    Pool::new()
}
