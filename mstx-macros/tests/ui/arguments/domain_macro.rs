//! `mstx::domain!` checks its names while the program is compiled.

mstx::domain!(pub static EMPTY = "");
mstx::domain!(static BAD_BYTE = "gpu::pool");
mstx::domain!(static TOO_LONG = str_of(&[b'a'; 1024]));

const fn str_of(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "",
    }
}

mstx::domain! {
    /// Several in one call: the message names the static.
    static FINE = "fine";
    static SPACE = "a b";
}

static BY_HAND: mstx::Domain = mstx::Domain::new("a b");

fn main() {
    println!("{EMPTY:?} {BAD_BYTE:?} {TOO_LONG:?} {FINE:?} {SPACE:?} {BY_HAND:?}");
}
