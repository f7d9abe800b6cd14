mstx::domain!(pub static NUMBER = 3);
mstx::domain!(pub static BYTES = b"pool");

fn main() {
    println!("{NUMBER:?} {BYTES:?}");
}
