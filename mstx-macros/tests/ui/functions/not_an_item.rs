//! On statements and expressions the compiler itself allows no attribute of a crate.

fn main() {
    #[mstx::range]
    let _sum = 0;
    let _step = #[mstx::flush]
    || 3;
}
