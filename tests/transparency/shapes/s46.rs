// shape: same in edition 2021
// edition: 2021
// expect: 4 0
use helpers::Noisy;
#[mstx::region(size = 1)]
pub fn f(n: u8, _p: Noisy, _: Noisy, q: Noisy) -> *mut u8 {
    let _a = Noisy("a");
    if let Some(1) = Noisy("iflet").some() { println!("then"); } else { println!("else"); }
    if n == 0 { let _inner = Noisy("inner"); return Noisy("rettmp").ptr(); }
    match Noisy("scrut").some() { Some(5) if n == 1 => return Noisy("armtmp").ptr(), _ => {} }
    drop(q);
    let _b = Noisy("b");
    if n == 2 { Noisy("t1").ptr() } else { Noisy("t2").ptr() }
}
pub fn main() { for n in 0..4 { println!("-- {n}"); f(n, Noisy("p"), Noisy("u"), Noisy("q")); } }
