//! Statements and expressions: the compiler itself allows no attribute of a crate there.

fn main() {
    #[mstx::range]
    let mut sum = 0;
    #[mstx::range]
    for i in 0..3 {
        sum += i;
    }
    let step = #[mstx::range]
    || sum;
    #[mstx::flush]
    step();
    #[mstx::flush]
    {
        drop(sum);
    }
}
