// shape: loop/break with value and labels, user label of the same name, labelled blocks
// edition: 2024
// expect: 3 0
#[mstx::region(size = 1)]
pub fn f(n: usize) -> *mut u8 {
    '__mstx: loop {
        let x = 'blk: { if n == 0 { break 'blk 1; } if n == 1 { return std::ptr::null_mut(); } 2 };
        for i in 0..3 { if i == n && n == 9 { continue '__mstx; } }
        if x == 2 { break '__mstx std::ptr::without_provenance_mut(2); }
        break std::ptr::without_provenance_mut(x);
    }
}
pub fn main() { println!("{:?} {:?} {:?}", f(0), f(1), f(7)); }
