//! What is no declaration of a domain.

mod no_static {
    mstx::domain!(POOL = "pool");
}

mod no_name {
    mstx::domain!("pool");
}

mod a_const {
    mstx::domain!(pub const POOL = "pool");
}

fn main() {}
